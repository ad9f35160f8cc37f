/* result.h - the results: one record for each case, kept until the end.
 *
 * A case is a benchmark, a size, and the measured system: hnow (peer NULL) or, in the same run, a
 * peer such as raw sockets.
 */
#pragma once

#include "samples.h"

#include <stdint.h>
#include <stdio.h>

enum { RESULT_EXTRAS = 8 }; /* operations have five */

/* One case.  bench, peer and the keys are string constants of their owners, never copied. */
struct result {
    const char *bench, *peer; /* or NULL */
    char plan[80];            /* "": none */
    char asked[80];           /* the plan as requested; "": same as plan */
    /* 0 also for operations without data. */
    int64_t bytes;
    struct samples samples; /* seconds */
    struct extra {
        const char *key;
        double value;
    } extra[RESULT_EXTRAS]; /* further values, up to the first without a key */
};

/* All cases of a run, in the order of the tables. */
struct results {
    struct result *at;
    size_t count;
};

/* Appends a record with room for so many samples. NULL: out of memory, which was printed.
 * Invalidates pointers to older records. */
struct result *results_add(struct results *r, const char *bench, const char *peer, int64_t bytes,
                           size_t samples);
/* NULL: none. */
const struct result *results_find(const struct results *r, const char *bench, const char *peer,
                                  int64_t bytes);
void results_free(struct results *r);

/* Sets extra[key]. */
void result_extra(struct result *r, const char *key, double value);
/* The value of extra[key]; 0 if there is none. */
double result_extra_of(const struct result *r, const char *key);
/* The median; 0 if there are no samples. */
double result_median(const struct result *r);

/* Prints {"hnow", "commit", "date", "kernel", "cpu", "hosts", "tasks", "seed", "results", "peers"}
 * of this task's host and job; null: unknown. */
void results_print_json(const struct results *r, uint64_t seed, FILE *out);
