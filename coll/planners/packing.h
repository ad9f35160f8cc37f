/* packing.h - blocks along many trees that share the network: private to packing*.c.
 *
 * Every block is sent down a tree (broadcast, allgather), up a tree (reduce, reduce-scatter), or up
 * one tree and then down another one with the same root (allreduce). Blocks may share a tree.
 */
#pragma once

#include "planners/planner.h"

#include "model/prices.h"

#include "runtime/internal.h"

enum packing_direction { PACKING_DOWN, PACKING_UP, PACKING_DIRECTIONS };

/* Loads are counted in 1/64 of a usual block. */
enum { PACKING_WHOLE = 64 };

struct packing {
    const struct problem *problem;
    const struct plan *cut; /* provides the blocks */
    int n, trees;
    int64_t bytes; /* size of a usual block */
    int detour;    /* connections outside the ring cost 1/detour more; 0: no extra cost */
    int *next;     /* [rank]: the next rank on a ring through all subnets */
    bool goes[PACKING_DIRECTIONS];            /* directions that the operation's blocks take */
    struct prices prices[PACKING_DIRECTIONS]; /* prices of edges from the parent, from the child */
    int *tree;                                /* [block]: its tree */
    int *first;                               /* trees of part p: first[p] ... first[p + 1] - 1 */
    int *weight; /* [tree]: size of its blocks together, in 1/PACKING_WHOLE of a usual one */
    int *root;   /* [tree]: a rank */
    int *parent[PACKING_DIRECTIONS]; /* [tree * n + rank]; -1: the root */
    int64_t *load;                   /* [resource]: load of all trees, as struct usage */
    struct arena arena;              /* of all arrays */
};

/* Bytes of all parts. */
int64_t packing_bytes(const struct request *req);
/* Finds trees for the blocks of a plan that has been cut; of many blocks, several share a tree. If
 * `detour` is not 0, connections outside a ring through all subnets cost 1/detour more. Trees are
 * then similar, and if ports are the bottleneck, blocks of few ranks do not wait for each other.
 * HN_OK, HN_ENOMEM, or HN_EPLAN when there are too many blocks or too long times; call
 * packing_end() in any case.
 * Cost for t trees of n ranks: O(t n^2) for each pass. */
int packing_begin(struct packing *p, const struct problem *problem, const struct plan *cut,
                  int detour);
void packing_end(struct packing *p);
/* Time (ps) for which the busiest resource is in use; saturates. */
hn_time packing_load(const struct packing *p);

/* Index of a message: each block has one to every rank (down), or from every rank (up). */
static inline int packing_message(const struct packing *p, int dir, int block, int rank)
{
    return (dir * p->cut->block_count + block) * p->n + rank;
}

/* The order in which messages are sent. */
struct order {
    const hn_time *there; /* [packing_message()]: arrival times; NULL: unknown */
    hn_time release;      /* ranks spread their own blocks over this time, */
    hn_time slack;        /* and a message may arrive this much later than expected */
};

/* Appends all steps in the order of execution that follows from the arrival times in `order`. If
 * these are unknown, a simple model of the network computes them. HN_OK or HN_ENOMEM. */
int packing_simulate(const struct packing *p, const struct order *order, struct plan *plan);
