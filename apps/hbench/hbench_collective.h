/* hbench_collective.h - the operations of hnow_coll.h as hbench runs them: one table.
 *
 * A new collective is measured, checked and forecast after one more row.
 */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>
#include <stdint.h>

/* Data of an operation. `bytes` go from each member, or to each member, to or from each other one
 * (bcast: from the root). */
struct load {
    size_t bytes, count; /* count: elements of this type */
    hn_type type;
    char *in, *out;
    size_t room_in, room_out;
    size_t *counts, *displs;        /* of allgatherv: `bytes` of each, one behind the other */
    hn_multicast_message *messages; /* of multimulticast: one of each task (lists.h) */
};

enum { COLLECTIVE_NOTHING = -1 };

enum collective_flags {
    COLLECTIVE_SUMS = 1,     /* the data are numbers: doubles, or bytes where the size is odd */
    COLLECTIVE_DEALS = 2,    /* in has a piece for each member */
    COLLECTIVE_GATHERS = 4,  /* out has a piece of each member */
    COLLECTIVE_NUMBERED = 8, /* pieces of in are told apart by their receivers, not by the sender */
    COLLECTIVE_IN_OUT = 16,  /* the root's out is what it sends */
    COLLECTIVE_LISTS = 32    /* it works on lists of destinations (lists.h) */
};

struct collective {
    const char *name, *help;
    const int64_t
        *sizes;     /* what is measured unless -bytes says; ends with -1; only 0: it has no data */
    unsigned flags; /* enum collective_flags */
    int (*run)(struct load *load); /* HN_OK or an error */
    /* The number of which a piece of out consists at a rank of n, when every member r has given r +
     * 1 (scatter: the root r + 1 for r); COLLECTIVE_NOTHING: out is not looked at. */
    int (*right)(int rank, int piece, int n);
};

extern const struct collective collectives[];
extern const int collective_count;

/* NULL: no operation of that name. */
const struct collective *collective_named(const char *name);
/* Count and type of `bytes` bytes. */
void collective_elements(const struct collective *c, int64_t bytes, size_t *count, hn_type *type);

/* Makes room and fills it with what load_right() expects the operation to work on.  False: out of
 * memory (said so). */
bool load_fill(struct load *load, const struct collective *c, int64_t bytes);
/* Whether the result of the operation is right at this task. */
bool load_right(const struct load *load, const struct collective *c);
void load_free(struct load *load);
