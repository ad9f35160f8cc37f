/* forest.h - segments along trees of their own, simulated transfer by transfer: private to
 * forest*.c.
 *
 * A transfer sends one segment to one rank, from its parent in the tree of the segment. The
 * simulation uses the blocking one-port model: a transfer occupies the sender's and the receiver's
 * port.
 */
#pragma once

#include "planners/sched.h"

#include "runtime/internal.h"

#include <stdint.h>

/* Priority of transfers. MOST_LEFT: by the largest work left of a receive port in the subtree that
 * the transfer serves; MOST_PORTS: by the number of ranks in that subtree; ALL_LEFT: by the sum of
 * the work left of its receive ports. */
enum forest_rule { FOREST_MOST_LEFT, FOREST_MOST_PORTS, FOREST_ALL_LEFT, FOREST_RULES };

/* State of the simulation. The scheduler's own data, reset by every forest_simulate(). Sets are bit
 * arrays of whole words. */
struct forest_state {
    enum forest_rule rule;
    int help;
    int *order;           /* [block * n + ...]: the ranks of the block's tree in preorder */
    int *place, *size;    /* [block * n + rank]: position in order[], size of its subtree */
    int *child, *sibling; /* [rank]: of one tree: first child, next child of the same parent */
    int *first, *next; /* [rank], [block * n + rank]: transfers that a rank has to send, a list of
                          block * n + receiver */
    uint64_t *holds, *lacks; /* sets of blocks; lacks: neither held nor being received */
    uint64_t *serves;  /* [(from * n + to) * words ...]: blocks that `from` has to send to `to` */
    hn_time *out, *in; /* [rank]: time at which its ports are free */
    hn_time *out_left, *in_left; /* [rank]: work left for its ports */
    int *receiving;              /* [rank]: the transfer at its receive port; -1: none */
    uint64_t *idle;              /* set of ranks whose receive port is free */
    uint64_t *children; /* [rank * rank_words ...]: ranks to which it has to send something */
    int *idle_since;    /* [rank]: first event after its last vain search for help; -1: it has sent
                           something since then */
};

/* Trees of all blocks and their schedule. The caller fills cost[] and parent[] before each
 * simulation; afterwards done[] and events[] have the result. */
struct forest {
    int n, root, blocks;
    int words, rank_words;  /* words of a set of blocks, of a set of ranks */
    hn_time *cost;          /* [from * n + to]: time of a transfer */
    int *parent;            /* [block * n + rank]: set by the caller */
    struct scheduled *done; /* transfers so far, in the order of the events */
    int *events;
    int count, event_count;
    struct forest_state sim;
    struct arena arena; /* of the arrays */
};

/* HN_OK or HN_ENOMEM; call forest_end() in either case. */
int forest_begin(struct forest *f, int ranks, int root, int blocks);
void forest_end(struct forest *f);

/* Simulates the trees of parent[]; returns the end of the last transfer (ps). An idle rank may
 * help: it sends a segment in place of a parent that is busy or waits for the segment, if its
 * transfer takes at most help / 8 longer (help < 0: no help). parent[] then contains the actual
 * sender. */
hn_time forest_simulate(struct forest *f, enum forest_rule rule, int help);
