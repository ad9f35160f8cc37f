/* forest.h - segments along trees of their own, simulated transfer by transfer: private to
 * forest*.c.
 *
 * A transfer sends one segment to one rank, from its parent in the tree of the segment. The
 * simulation uses the blocking one-port model: a transfer occupies the sender's and the receiver's
 * port.
 */
#pragma once

#include "planners/played.h"

#include "runtime/internal.h"

#include <stdint.h>

/* Which transfers come first: those on the path to the receive port with the most work left, also
 * far below; those on paths to most such ports; or those on paths with the most work together. */
enum forest_rule { FOREST_MOST_LEFT, FOREST_MOST_PORTS, FOREST_ALL_LEFT, FOREST_RULES };

/* State of the simulation. */
struct forest_state {
    enum forest_rule rule;
    int help;
    int *order;           /* [block * n + ...]: the ranks of the block's tree in preorder */
    int *place, *size;    /* [block * n + rank]: position in order[], size of its subtree there */
    int *child, *sibling; /* [rank]: of one tree: first child, next child of the same parent */
    int *first, *next; /* [rank], [block * n + rank]: transfers that a rank has to send, a list of
                          block * n + receiver */
    uint64_t *holds, *lacks; /* sets of blocks; lacks: not on their way either */
    uint64_t *serves;  /* [(from * n + to) * words ...]: blocks that `from` has to send to `to` */
    hn_time *out, *in; /* [rank]: time at which its ports are free */
    hn_time *out_left, *in_left; /* [rank]: work left for its ports */
    int *receiving;              /* [rank]: the transfer at its receive port; -1: none */
    uint64_t *idle;              /* set of ranks whose receive port is free */
    uint64_t *children; /* [rank * rank_words ...]: ranks to which it has to send something */
    int *idle_since;    /* [rank]: first event since it last found nothing to help with; -1: it has
                           sent something since */
};

struct forest {
    int n, root, blocks;
    int words, rank_words; /* words of a set of blocks, of a set of ranks */
    hn_time *cost;         /* [from * n + to]: time of a transfer */
    int *parent;           /* [block * n + rank] */
    struct played *done;   /* transfers so far, in the order of the events */
    int *events;
    int count, event_count;
    struct forest_state play;
    struct arena arena; /* of the arrays */
};

/* HN_OK or HN_ENOMEM; call forest_end() in either case. */
int forest_begin(struct forest *f, int ranks, int root, int blocks);
void forest_end(struct forest *f);

/* Simulates the trees of parent[]; returns the end of the last transfer. An idle rank may help: it
 * sends a segment in place of the parent, which is busy or waits for the segment, if that costs the
 * receiver at most help / 8 more (help < 0: no help). parent[] then names the actual sender. */
hn_time forest_play(struct forest *f, enum forest_rule rule, int help);
