/* hbench_collective.h - the operations of hnow_coll.h as hbench runs them: one table.
 *
 * A new collective needs one more row to be measured, checked and predicted.
 */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>
#include <stdint.h>

/* Data of an operation.  `bytes` is the size of what each member sends to, or receives from, each
 * other one (bcast: from the root). */
struct load {
    size_t bytes, count; /* count: elements of this type */
    hn_type type;
    /* Owned; at least one byte each, so never NULL once filled. */
    char *in, *out;
    size_t room_in, room_out;
    size_t *counts, *displs;        /* of allgatherv: contiguous blocks of `bytes` */
    hn_multicast_message *messages; /* of multimulticast: one message of each task (lists.h) */
};

enum { COLLECTIVE_NOTHING = -1 };

enum collective_flags {
    COLLECTIVE_SUMS = 1,     /* the data are summed: doubles, or bytes if the size is odd */
    COLLECTIVE_DEALS = 2,    /* in has a piece for each member */
    COLLECTIVE_GATHERS = 4,  /* out has a piece from each member */
    COLLECTIVE_NUMBERED = 8, /* the value of a piece of in depends on its receiver, not on the
                                sender */
    COLLECTIVE_IN_OUT = 16,  /* the root sends its out buffer */
    COLLECTIVE_LISTS = 32    /* it uses lists of destinations (lists.h) */
};

struct collective {
    /* The name is that of the benchmark, and of the operation for forecasts. */
    const char *name, *help;
    const int64_t *sizes;          /* default sizes, terminated by -1; only 0: no data */
    unsigned flags;                /* enum collective_flags */
    int (*run)(struct load *load); /* HN_OK or an error */
    /* The expected value of a piece of out at a rank of n, if every member r contributes r + 1
     * (scatter: the root sends r + 1 to r).  COLLECTIVE_NOTHING: out is not checked. */
    int (*value)(int rank, int piece, int n);
};

extern const struct collective collectives[];
extern const int collective_count;

/* NULL: no operation of that name. */
const struct collective *collective_named(const char *name);
/* Converts `bytes` to a count and a type. */
void collective_elements(const struct collective *c, int64_t bytes, size_t *count, hn_type *type);

/* Allocates buffers and fills them with the input that load_is_correct() expects.  Returns false
 * after printing an error. */
bool load_fill(struct load *load, const struct collective *c, int64_t bytes);
/* True if this task's result of the operation is correct. */
bool load_is_correct(const struct load *load, const struct collective *c);
void load_free(struct load *load);
