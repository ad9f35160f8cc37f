/* options.h - hbench's command line. */
#ifndef HBENCH_OPTIONS_H
#define HBENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { OPTIONS_SIZES = 64 };

struct options {
    const char *bench;
    int64_t bytes[OPTIONS_SIZES]; /* -bytes; none: the benchmark's own list */
    int sizes;
    int64_t iters; /* -iters; 0: as many as fit into the time for a case */
    const char *plan;
    const char *samples; /* -samples: file for the raw measurements */
    uint64_t seed;
    bool json, help, version;
};

/* False: `wrong` says what is wrong with the command line, without a newline.  The texts in o
 * belong to argv. */
bool options_read(struct options *o, int argc, char **argv, char *wrong, size_t room);
/* One line an option. */
void options_print(FILE *out);

/* "64K" -> 65536; K, M, G are powers of 1024.  False: no such number, or above 2^40. */
bool options_size(const char *text, int64_t *bytes);

/* The largest of n sizes. */
int64_t sizes_largest(const int64_t *bytes, int n);

#endif
