/* forest.h - segments along trees of their own, played: private to forest*.c.
 *
 * A transfer is one segment on its way to one rank, from its parent in the segment's tree. Played
 * by the blocking one-port model: it holds the sender's and the receiver's port for its time.
 */
#pragma once

#include "planners/played.h"

#include "runtime/internal.h"

#include <stdint.h>

/* What is urgent: what leads to the receive port with the most to do, be it far below; or to most
 * ports; or to those with the most to do together. */
enum forest_rule { FOREST_MOST_LEFT, FOREST_MOST_PORTS, FOREST_ALL_LEFT, FOREST_RULES };

/* What is known while it is played. */
struct forest_state {
    enum forest_rule rule;
    int help;
    int *order;           /* [block * n + ...]: the ranks of its tree in preorder */
    int *place, *size;    /* [block * n + rank]: its subtree is so many ranks of order from there */
    int *child, *sibling; /* [rank]: of one tree: its first child, the next child of its parent */
    int *first, *next;    /* [rank], [block * n + rank]: what a rank has to send, as a list of
                             block * n + receiver */
    uint64_t *holds, *lacks; /* [rank * words ...]: blocks; lacks: they are not under way either */
    uint64_t *serves;  /* [(from * n + to) * words ...]: blocks that `from` is to send to `to` */
    hn_time *out, *in; /* [rank]: when its ports are free */
    hn_time *out_left, *in_left; /* [rank]: what its ports have yet to do */
    int *receiving;     /* [rank]: the transfer that its receive port is busy with; -1: none */
    uint64_t *idle;     /* ranks whose receive port is free */
    uint64_t *children; /* [rank * rank_words ...]: ranks that it is to send something to */
    int *idle_since;    /* [rank]: the first of the events since it last found nothing to help with;
                        -1: it has sent something meanwhile */
};

struct forest {
    int n, root, blocks;
    int words, rank_words; /* of a set of blocks, of ranks */
    hn_time *cost;         /* [from * n + to]: of a segment */
    int *parent;           /* [block * n + rank] */
    struct played *done;   /* what has been played, in the order of the events */
    int *events;
    int count, event_count;
    struct forest_state play;
    struct arena arena; /* of the arrays */
};

/* HN_OK or HN_ENOMEM; forest_end() in every case. */
int forest_begin(struct forest *f, int ranks, int root, int blocks);
void forest_end(struct forest *f);

/* Plays the trees of parent[]. A rank with nothing to do may help out: it sends a segment in place
 * of a parent that is busy, or waits for it, when that costs the receiver at most help / 8 more
 * (help < 0: nobody does). Then parent[] says who did. Returns when the last transfer ends. */
hn_time forest_play(struct forest *f, enum forest_rule rule, int help);
