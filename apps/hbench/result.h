/* result.h - what was measured: one record a case, all kept until the end.
 *
 * A case is a benchmark, a size, and who was measured: hnow (peer NULL) or, in the same run, a
 * peer such as raw sockets.
 */
#pragma once

#include "samples.h"

#include <stdint.h>
#include <stdio.h>

enum { RESULT_EXTRAS = 8 }; /* operations have five */

struct result {
    const char *bench, *peer; /* peer: or NULL */
    char plan[80];            /* "": none */
    char asked[80];           /* the plan as it was asked for; "": that one */
    int64_t bytes;
    struct samples samples; /* seconds */
    struct extra {
        const char *key;
        double value;
    } extra[RESULT_EXTRAS]; /* what else there is to say, up to the first without a key */
};

struct results {
    struct result *at;
    size_t count;
};

/* A new record at the end, with room for so many samples; NULL: out of memory, which has been said.
 * Pointers to older ones become invalid. */
struct result *results_add(struct results *r, const char *bench, const char *peer, int64_t bytes,
                           size_t samples);
/* NULL: there is none. */
const struct result *results_find(const struct results *r, const char *bench, const char *peer,
                                  int64_t bytes);
void results_free(struct results *r);

/* Sets extra[key]. */
void result_extra(struct result *r, const char *key, double value);
/* The value of extra[key]; 0 when there is none. */
double result_extra_of(const struct result *r, const char *key);
/* The median, 0 when there are no samples. */
double result_median(const struct result *r);

/* {"hnow", "commit", "date", "kernel", "cpu", "hosts", "tasks", "seed", "results", "peers"} of this
 * task's host and job; null: unknown. */
void results_print_json(const struct results *r, uint64_t seed, FILE *out);
