/* hrun_options.h - what the user of hrun asked for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One program of the job ("-np N PROGRAM ARG..."). */
struct hrun_program {
    int np;      /* 0: not given */
    char **argv; /* argc words, inside main()'s argv */
    int argc;
    const char *wdir; /* or NULL */
    size_t env_end;   /* in env.own; its words begin at the end of the one before */
};

enum { HRUN_INPUT_ALL = -1, HRUN_INPUT_NONE = -2 };

struct hosts;

/* Checks by the rooms above of options that they own; each HN_OK, or an error with
 * hn_error_text(). */
struct hrun_checks {
    int (*plan)(const char *plan); /* whether -plan may be this */
    int (*hosts)(
        const struct hosts *hosts); /* whether what the file says of its network is right */
};

/* Texts, each allocated. */
struct hrun_texts {
    char **text;
    size_t n;
};

/* Texts that options of other launchers leave. */
struct hrun_habit_texts {
    char *notes;            /* lines about options that have no effect, for -v; or NULL */
    struct hrun_texts kept; /* texts that other fields lead to */
};

/* K=V each. */
struct hrun_env {
    struct hrun_texts all; /* of all programs */
    struct hrun_texts own; /* of single ones */
};

struct hrun_options {
    const struct hrun_checks *checks;
    const char *hosts, *map, *wdir, *ports, *iface, *launcher, *output, *plan,
        *trace; /* NULL: not given */
    struct hrun_env env;
    int np;         /* of the program being read */
    int ppn;        /* tasks on each host in turn; 0: as many as it has slots */
    long input;     /* rank that gets standard input, or one of the above */
    double timeout; /* seconds, 0: none */
    struct hrun_habit_texts habits;
    bool allow_ssh, show_map, stage, tag, notify, verbose;
    struct hrun_program *program;
    int nprogram; /* 0: only with -show-map */
};

/* Reads the command line.  Returns HN_OK, OPTIONS_HELP, OPTIONS_VERSION, or HN_EARG with
 * hn_error_text().  hrun_options_free() in every case. */
int hrun_options_read(struct hrun_options *options, int argc, char **argv,
                      const struct hrun_checks *checks);
/* How many of the words the option argv[0] takes, its value included; 0: there is no such option.
 */
int hrun_option_words(int argc, char *const *argv);
void hrun_options_free(struct hrun_options *options);
/* Takes over a text, whatever comes of it; NULL: out of memory, or it was NULL. */
const char *hrun_texts_add(struct hrun_texts *texts, char *text);
/* Prints the help text to standard output. */
void hrun_options_help(void);
