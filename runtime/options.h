/* options.h - command lines of all tools: long options with one dash or two, from one table.
 *
 *     -passes 5   --passes 5   --passes=5      -h, --help and --version are every tool's
 *     --          ends the options;  - alone is an operand
 */
#ifndef HNOW_OPTIONS_H
#define HNOW_OPTIONS_H

struct option {
    const char *name;     /* without dashes; NULL ends the table */
    const char *argument; /* what help calls it; NULL: the option is a switch */
    const char *help;
};

struct options {
    const char *tool;
    const char *synopsis; /* what help shows behind "usage: " */
    const struct option *table;
    int argc;
    char **argv;
    int at;      /* the next word; 1 at first.  Behind the end: the operands begin here */
    char *value; /* of the option that was returned last; NULL for a switch */
};

enum {
    OPTIONS_END = -1,  /* an operand, or the end of the command line, is next */
    OPTIONS_DONE = -2, /* help or version was printed: leave with status 0 */
    OPTIONS_WRONG = -3 /* said on stderr: leave with status 2 */
};

/* The next option's place in the table, or one of the above. */
int options_next(struct options *options);
/* Prints "tool: text" on stderr and returns OPTIONS_WRONG. */
int options_wrong(const struct options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
