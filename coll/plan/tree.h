/* tree.h - rooted trees over ranks, and the plans that follow them.
 *
 * Most planners only choose a tree and the order in which each rank serves its children.
 * tree_plan() makes a plan of it for any of TREE_OPERATIONS (ECO, section 5: "the same
 * communication pattern is used for all operations"). Bcast and scatter use the tree downwards,
 * reduce and gather upwards; barrier, allreduce, allgather and reduce_scatter first upwards, then
 * downwards.
 */
#pragma once

#include "plan/plan.h"

#include "runtime/internal.h"

/* The operations that tree_plan() serves. */
#define TREE_OPERATIONS                                                                            \
    (OP_BIT(OP_BCAST) | OP_BIT(OP_BARRIER) | OP_BIT(OP_REDUCE) | OP_BIT(OP_ALLREDUCE) |            \
     OP_BIT(OP_SCATTER) | OP_BIT(OP_GATHER) | OP_BIT(OP_ALLGATHER) | OP_BIT(OP_ALLGATHERV) |       \
     OP_BIT(OP_REDUCE_SCATTER))

struct tree {
    int ranks, root;
    int count;    /* edges so far */
    int *parent;  /* [rank]; -1: the root, or not in the tree yet */
    int *order;   /* ranks in the order in which they were added: parents before children */
    bool *joined; /* [rank]: served by one multicast with the child before it (plan_join()) */
    int *first;   /* children of r, in sending order: child[first[r] ... first[r + 1] - 1] */
    int *child;
    struct arena arena; /* of the arrays */
};

/* A tree of the root alone. NULL: out of memory. */
struct tree *tree_new(int ranks, int root);
void tree_free(struct tree *tree);
/* Adds an edge. `parent` must be in the tree; it serves `child` after the children that it has. */
void tree_add(struct tree *tree, int parent, int child);
/* The child added last and the one before it, of the same parent, are served by one multicast in
 * bcast, barrier and allreduce. */
void tree_join(struct tree *tree);
/* Call after the last edge: fills first and child. HN_EPLAN when a rank is not in the tree. */
int tree_finish(struct tree *tree);

/* Appends the steps of a finished tree to a plan. Bcast and reduce are pipelined in segments of at
 * most `segment` bytes (0: whole parts); other operations send whole parts. Errors stick to the
 * plan. */
void tree_plan(const struct tree *tree, const struct request *req, int64_t segment,
               struct plan *plan);
