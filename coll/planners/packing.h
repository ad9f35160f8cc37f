/* packing.h - blocks along many trees that share the network: private to packing*.c.
 *
 * Every block of the data goes down a tree (broadcast, allgather), up a tree (reduce,
 * reduce-scatter), or up one and then down another with the same root (allreduce). Blocks may share
 * a tree.
 */
#pragma once

#include "planners/planner.h"

#include "model/prices.h"

#include "runtime/internal.h"

enum packing_direction { PACKING_DOWN, PACKING_UP, PACKING_DIRECTIONS };

/* Loads count blocks in these parts of a usual one. */
enum { PACKING_WHOLE = 64 };

struct packing {
    const struct problem *problem;
    const struct plan *cut; /* which has the blocks (packing_cut()) */
    int n, trees;
    int64_t bytes;                 /* of a usual block */
    int detour;                    /* what is not along the ring costs this part more; 0: nothing */
    int *next;                     /* [rank]: on a ring through all subnets */
    bool goes[PACKING_DIRECTIONS]; /* which ways the operation's blocks go */
    struct prices prices[PACKING_DIRECTIONS]; /* of edges from the parent, and from the child */
    int *tree;                                /* [block] */
    int *first;                               /* trees of part p: first[p] ... first[p + 1] - 1 */
    int *weight;                     /* [tree]: its blocks together, in parts of a usual one */
    int *root;                       /* [tree] */
    int *parent[PACKING_DIRECTIONS]; /* [tree * n + rank]; -1: the root */
    int64_t *load;                   /* [resource]: of all trees, as struct toll */
    struct arena arena;              /* of all arrays but tree */
};

/* Of all parts. */
int64_t packing_bytes(const struct request *req);
/* Finds trees for data that are cut into about so many blocks, fewer trees where there are many.
 * Where `detour` is not 0, connections that are not along a ring through all subnets seem that part
 * dearer: where ports are what is busiest, blocks that come from few ranks do not wait for each
 * other. HN_OK or HN_ENOMEM; packing_end() in every case.
 * Cost for t trees of n ranks: O(t n^2) a pass. */
int packing_begin(struct packing *p, const struct problem *problem, int blocks, int detour);
void packing_end(struct packing *p);
/* From now on the blocks are those of a plan that has been cut. HN_OK, HN_EPLAN when there are too
 * many, or HN_ENOMEM. */
int packing_cut(struct packing *p, const struct plan *cut);
/* How long the busiest resource is in use. */
hn_time packing_load(const struct packing *p);

/* The messages of a packing: of each block, the one to a rank on its way down, from it on its way
 * up. */
static inline int packing_message(const struct packing *p, int direction, int block, int rank)
{
    return (direction * p->cut->block_count + block) * p->n + rank;
}

/* In which order messages are to be. */
struct order {
    const hn_time *there; /* [packing_message()]: when each has arrived; NULL: not known */
    hn_time release;      /* what ranks have from the start they send evenly within this time, */
    hn_time slack;        /* and a message may arrive so much later than expected */
};

/* Appends all steps in the order in which they happen if messages arrive as `order` says, or, where
 * that is not known, in a quick model of the network. HN_OK or HN_ENOMEM. */
int packing_play(const struct packing *p, const struct order *order, struct plan *plan);
