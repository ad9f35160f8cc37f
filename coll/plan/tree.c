/* tree.c - trees, and the plans that follow them.
 *
 * Downwards a rank serves its children in order; upwards it receives from them in the reverse
 * order, since the child served last has the smallest subtree. With segments, the root of an
 * allreduce sends each one down as soon as it is complete, while later ones still move up.
 *
 * Cost of the plan: n - 1 messages in each direction and segment. On its way down, an allgather
 * lists what the child's subtree lacks: O(n * depth) list entries on balanced trees, O(n^2) on a
 * chain.
 */
#include "plan/tree.h"

#include "hnow.h"

#include <stdlib.h>

struct tree *tree_new(int ranks, int root)
{
    struct tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->ranks = ranks;
    tree->root = root;
    ARENA_ARRAYS(&tree->arena, (size_t)ranks, tree->parent, tree->order, tree->joined, tree->child);
    tree->first = arena_array(&tree->arena, (size_t)ranks + 2, sizeof *tree->first);
    if (tree->arena.failed) {
        tree_free(tree);
        return NULL;
    }
    for (int rank = 0; rank < ranks; rank++)
        tree->parent[rank] = -1;
    tree->order[0] = root;
    return tree;
}

void tree_free(struct tree *tree)
{
    if (!tree)
        return;
    arena_free(&tree->arena);
    free(tree);
}

/* Parents are in the tree before their children, so order[] is a valid order of the edges. */
void tree_add(struct tree *tree, int parent, int child)
{
    tree->parent[child] = parent;
    tree->order[++tree->count] = child;
}

/* The edge added last is a part of the multicast before it. */
void tree_join(struct tree *tree)
{
    tree->joined[tree->order[tree->count]] = true;
}

/* A counting sort by parent, which keeps the order of adding for the children of each rank. */
int tree_finish(struct tree *tree)
{
    if (tree->count != tree->ranks - 1)
        return HN_EPLAN;
    for (int i = 1; i < tree->ranks; i++)
        tree->first[tree->parent[tree->order[i]] + 2]++;
    for (int rank = 0; rank < tree->ranks; rank++)
        tree->first[rank + 2] += tree->first[rank + 1];
    for (int i = 1; i < tree->ranks; i++)
        tree->child[tree->first[tree->parent[tree->order[i]] + 1]++] = tree->order[i];
    return HN_OK;
}

/* ---- whole parts: bcast, reduce, and what is made of the two ---------------------------- */

/* Appends the sends of one rank to its children. */
static void serve(const struct tree *tree, int rank, int block, struct plan *plan)
{
    for (int i = tree->first[rank]; i < tree->first[rank + 1]; i++) {
        plan_step(plan, rank, PLAN_SEND, tree->child[i], block, 1);
        if (tree->joined[tree->child[i]])
            plan_join(plan);
    }
}

/* Appends the receives of one rank from its children, for `count` blocks, and the send to its
 * parent. A child of a higher rank is combined on the right, of a lower one on the left. So trees
 * over runs of ranks keep the order of operands. */
static void collect(const struct tree *tree, int rank, int block, int count, struct plan *plan)
{
    for (int i = tree->first[rank + 1] - 1; i >= tree->first[rank]; i--) {
        int child = tree->child[i];
        plan_step(plan, rank, child > rank ? PLAN_FOLD_RIGHT : PLAN_FOLD_LEFT, child, block, count);
    }
    if (rank != tree->root)
        plan_step(plan, rank, PLAN_SEND, tree->parent[rank], block, count);
}

/* For each block: receive it, then serve all children. So blocks are pipelined down the tree. */
static void receive_and_serve(const struct tree *tree, int rank, struct plan *plan)
{
    for (int block = 0; block < plan->block_count; block++) {
        if (rank != tree->root)
            plan_step(plan, rank, PLAN_RECV, tree->parent[rank], block, 1);
        serve(tree, rank, block, plan);
    }
}

/* Steps are written rank by rank: plan_finish() matches sends and receives. */
static void plan_down(const struct tree *tree, struct plan *plan)
{
    for (int rank = 0; rank < tree->ranks; rank++)
        receive_and_serve(tree, rank, plan);
}

static void plan_up(const struct tree *tree, struct plan *plan)
{
    for (int rank = 0; rank < tree->ranks; rank++)
        for (int block = 0; block < plan->block_count; block++)
            collect(tree, rank, block, 1, plan);
}

/* The root serves a block as soon as it is complete; others first collect all blocks. */
static void plan_up_down(const struct tree *tree, struct plan *plan)
{
    for (int rank = 0; rank < tree->ranks; rank++) {
        for (int block = 0; block < plan->block_count; block++) {
            collect(tree, rank, block, 1, plan);
            if (rank == tree->root)
                serve(tree, rank, block, plan);
        }
        if (rank != tree->root)
            receive_and_serve(tree, rank, plan);
    }
}

/* ---- a part for each rank: scatter, gather, allgather, reduce_scatter ------------------- */

/* The ranks in preorder; the subtree of r is then the run [place[r], place[r] + size[r]). */
struct preorder {
    int *rank, *place, *size;
};

static void preorder_free(struct preorder *pre)
{
    free(pre->rank);
    free(pre->place);
    free(pre->size);
}

/* false: out of memory. Sizes are summed up from the leaves, in the reverse order of adding. */
static bool preorder_make(const struct tree *tree, struct preorder *pre)
{
    size_t n = (size_t)tree->ranks;
    *pre = (struct preorder){malloc(n * sizeof(int)), malloc(n * sizeof(int)),
                             malloc(n * sizeof(int))};
    if (!pre->rank || !pre->place || !pre->size) {
        preorder_free(pre);
        return false;
    }
    for (int i = 0; i < tree->ranks; i++)
        pre->size[i] = 1;
    for (int i = tree->ranks - 1; i > 0; i--)
        pre->size[tree->parent[tree->order[i]]] += pre->size[tree->order[i]];
    /* Parents come before children in `order`; each hands out places to its children in turn. */
    pre->place[tree->root] = 0;
    for (int i = 0; i < tree->ranks; i++) {
        int rank = tree->order[i], place = pre->place[rank] + 1;
        pre->rank[pre->place[rank]] = rank;
        for (int c = tree->first[rank]; c < tree->first[rank + 1]; c++) {
            pre->place[tree->child[c]] = place;
            place += pre->size[tree->child[c]];
        }
    }
    return true;
}

/* Upwards, every rank sends the parts of its subtree in one message. */
static void gather_up(const struct tree *tree, const struct preorder *pre, int all,
                      struct plan *plan)
{
    for (int i = tree->ranks - 1; i > 0; i--) {
        int rank = tree->order[i];
        plan_message_list(plan, rank, tree->parent[rank], PLAN_RECV, all + pre->place[rank],
                          pre->size[rank]);
    }
}

/* Every rank gets the parts of its subtree in one message and passes them on. */
static void scatter_down(const struct tree *tree, const struct preorder *pre, int all,
                         struct plan *plan)
{
    for (int i = 1; i < tree->ranks; i++) {
        int rank = tree->order[i];
        plan_message_list(plan, tree->parent[rank], rank, PLAN_RECV, all + pre->place[rank],
                          pre->size[rank]);
    }
}

/* Downwards, every rank gets the parts outside its subtree: in preorder those after it, then those
 * before it. `all` is followed by a second copy of itself, so that this is one run. */
static void spread_down(const struct tree *tree, const struct preorder *pre, int all,
                        struct plan *plan)
{
    for (int i = 1; i < tree->ranks; i++) {
        int rank = tree->order[i];
        plan_message_list(plan, tree->parent[rank], rank, PLAN_RECV,
                          all + pre->place[rank] + pre->size[rank], tree->ranks - pre->size[rank]);
    }
}

/* The list of all parts in preorder is stored twice in a row (spread_down()). */
static void plan_parts(const struct tree *tree, const struct request *req, struct plan *plan)
{
    struct preorder pre;
    if (!preorder_make(tree, &pre)) {
        plan_fail(plan, HN_ENOMEM);
        return;
    }
    int all = plan_list(plan, pre.rank, tree->ranks);
    plan_list(plan, pre.rank, tree->ranks);
    if (req->op == OP_REDUCE_SCATTER)
        for (int rank = 0; rank < tree->ranks; rank++)
            collect(tree, rank, 0, plan->block_count, plan);
    if (req->op == OP_SCATTER || req->op == OP_REDUCE_SCATTER)
        scatter_down(tree, &pre, all, plan);
    else
        gather_up(tree, &pre, all, plan);
    if (req->op == OP_ALLGATHER || req->op == OP_ALLGATHERV)
        spread_down(tree, &pre, all, plan);
    preorder_free(&pre);
}

/* Operations with a part for each rank are not cut: their messages are bundles of parts. */
void tree_plan(const struct tree *tree, const struct request *req, int64_t segment,
               struct plan *plan)
{
    bool whole = request_parts(req) == 1;
    plan_cut(plan, req, whole ? segment : 0);
    switch (req->op) {
    case OP_BCAST:
        plan_down(tree, plan);
        break;
    case OP_REDUCE:
        plan_up(tree, plan);
        break;
    case OP_BARRIER:
    case OP_ALLREDUCE:
        plan_up_down(tree, plan);
        break;
    default:
        plan_parts(tree, req, plan);
    }
}
