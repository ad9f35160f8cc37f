/* hrun_options.h - what the user of hrun asked for. */
#ifndef HNOW_HRUN_OPTIONS_H
#define HNOW_HRUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One program of the job ("-np N PROGRAM ARG..."). */
struct hrun_program {
    int np;      /* 0: not given */
    char **argv; /* argc words, inside main()'s argv */
    int argc;
};

enum { HRUN_INPUT_ALL = -1, HRUN_INPUT_NONE = -2 };

struct hrun_options {
    const char *hosts, *map, *wdir, *ports, *iface, *launcher, *output, *plan,
        *trace;       /* NULL: not given */
    const char **env; /* K=V each */
    size_t nenv;
    int np;         /* of the program being read */
    int ppn;        /* tasks on each host in turn; 0: as many as it has slots */
    long input;     /* rank that gets standard input, or one of the above */
    double timeout; /* seconds, 0: none */
    bool allow_ssh, show_map, stage, tag, notify, verbose;
    struct hrun_program *program;
    int nprogram; /* 0: only with -show-map */
};

/* Reads the command line.  Returns HN_OK, OPTIONS_HELP, OPTIONS_VERSION, or HN_EARG with
 * hn_error_text().  hrun_options_free() in every case. */
int hrun_options_read(struct hrun_options *options, int argc, char **argv);
void hrun_options_free(struct hrun_options *options);
/* Whether -plan may be this; HN_EARG, with its text. hrun does not know what a plan is: the coll
 * room gives it this (coll/wire/plan_names.c). */
int hrun_check_plan(const char *plan);
/* Whether what a hosts file says of its network is right; an error, with its text. hrun does not
 * know what a network is: the probe room gives it this (probe/net/net_read.c). */
struct hosts;
int hrun_check_hosts(const struct hosts *hosts);
/* Prints the help text to standard output. */
void hrun_options_help(void);

#endif
