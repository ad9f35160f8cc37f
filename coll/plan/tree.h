/* tree.h - rooted trees over ranks, and the plans that follow them.
 *
 * Most planners only decide on a tree and on the order in which each rank serves its children;
 * tree_plan() makes of that a plan for any operation (ECO, section 5: "the same communication
 * pattern is used for all operations"): down the tree for bcast and scatter, up for reduce and
 * gather, up and then down for barrier, allreduce, allgather and
 * reduce_scatter.
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
    int count;   /* edges so far */
    int *parent; /* [rank]; -1: not (yet) in the tree, or the root */
    int *order;  /* ranks in the order in which they joined, the root first: parents before children
                  */
    bool *joined; /* [rank]: its parent sends to it together with the child before (plan_join()),
                     where both get the same */
    int *first;   /* children of r, in sending order: child[first[r] ... first[r + 1] - 1] */
    int *child;
    struct arena arena; /* of the arrays */
};

/* A tree of the root alone. NULL: out of memory. */
struct tree *tree_new(int ranks, int root);
void tree_free(struct tree *tree);
/* Adds an edge: parent, already in the tree, serves child after the children that it has. */
void tree_add(struct tree *tree, int parent, int child);
/* The child added last is served together with the one added before it, of the same parent: on
 * their way down bcast, barrier and allreduce. */
void tree_join(struct tree *tree);
/* After the last edge: fills first and child. HN_EPLAN when not every rank is in the tree. */
int tree_finish(struct tree *tree);

/* Makes the plan of a finished tree. Segments of at most `segment` bytes (0: none) follow each
 * other down bcast and up reduce; the other operations send whole parts. Errors stick to the plan.
 */
void tree_plan(const struct tree *tree, const struct request *req, int64_t segment,
               struct plan *plan);
