/* hrun_options.h - the command line of hrun. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One program of the job ("-np N PROGRAM ARG..."). */
struct hrun_program {
    int np;      /* 0: not given */
    char **argv; /* argc words of main()'s argv */
    int argc;
    const char *wdir; /* or NULL */
    size_t env_end;   /* end index in env.own; the program's part begins at the end of the previous
                         one's */
};

/* Values of `input` that are no ranks. */
enum { HRUN_INPUT_ALL = -1, HRUN_INPUT_NONE = -2 };

struct hosts;

/* Checks of options that rooms above own: HN_OK, or an error with hn_error_text(). */
struct hrun_checks {
    int (*plan)(const char *plan);           /* validates the value of -plan */
    int (*hosts)(const struct hosts *hosts); /* validates the network in a hosts file */
};

/* Strings, each allocated. */
struct hrun_texts {
    char **text;
    size_t n;
};

/* Strings from options of other launchers. */
struct hrun_habit_texts {
    char *notes;            /* messages about options without effect, for -v; or NULL */
    struct hrun_texts kept; /* owns strings that other fields refer to */
};

/* Strings K=V. */
struct hrun_env {
    struct hrun_texts all; /* for all programs */
    struct hrun_texts own; /* for single programs */
};

/* All values of the command line.  Strings point into argv or into `kept`, so both must live as
 * long as the job. */
struct hrun_options {
    const struct hrun_checks *checks;
    const char *hosts, *map, *wdir, *ports, *iface, *launcher, *output, *plan,
        *trace; /* NULL: not given */
    struct hrun_env env;
    int np;         /* of the program that is being parsed */
    int ppn;        /* tasks on each host in turn; 0: the number of its slots */
    long input;     /* rank that gets standard input, or one of the above */
    double timeout; /* seconds, 0: none */
    struct hrun_habit_texts habits;
    bool allow_ssh, show_map, stage, tag, notify, verbose;
    struct hrun_program *program;
    int nprogram; /* 0: only with -show-map */
};

/* Parses the command line.  Returns HN_OK, OPTIONS_HELP, OPTIONS_VERSION, or HN_EARG with
 * hn_error_text().  The caller calls hrun_options_free() in every case. */
int hrun_options_read(struct hrun_options *options, int argc, char **argv,
                      const struct hrun_checks *checks);
/* Number of words that the option argv[0] uses, including its value; 0: there is no such option. */
int hrun_option_words(int argc, char *const *argv);
void hrun_options_free(struct hrun_options *options);
/* Takes ownership of a string, even on failure.  NULL: out of memory, or text was NULL. */
const char *hrun_texts_add(struct hrun_texts *texts, char *text);
/* Prints the help text to standard output. */
void hrun_options_help(void);
