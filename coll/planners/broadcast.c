/* broadcast.c - the costs of a broadcast, and the time of a tree. */
#include "planners/broadcast.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>

int broadcast_begin(struct broadcast *b, const struct problem *problem)
{
    const struct model *model = problem->model;
    *b = (struct broadcast){.ranks = model->ranks, .root = problem->req->root};
    if (!problem->matrix)
        return HN_EPLAN;
    size_t n = (size_t)model->ranks;
    ARENA_ARRAYS(&b->arena, n * n, b->busy, b->deliver);
    b->local = arena_array(&b->arena, n, sizeof *b->local);
    if (b->arena.failed)
        return HN_ENOMEM;
    for (int from = 0; from < b->ranks; from++) {
        b->local[from] = model_local(model, from);
        for (int to = 0; to < b->ranks; to++) {
            size_t at = broadcast_at(b, from, to);
            b->deliver[at] = matrix_at(problem->matrix, from, to);
            /* With a blocking port the sender is occupied until the receiver has everything.  The
             * model has no cost from a rank to itself. */
            b->busy[at] = model->port == PORT_BLOCKING || from == to
                              ? b->deliver[at]
                              : model_cost(model, from, to, problem->matrix->bytes).send;
        }
    }
    return HN_OK;
}

void broadcast_end(struct broadcast *b)
{
    arena_free(&b->arena);
}

hn_time broadcast_makespan(const struct broadcast *b, const struct tree *tree)
{
    hn_time makespan = 0, *ready = calloc((size_t)b->ranks, sizeof *ready);
    if (!ready)
        return INT64_MAX;
    /* In the order of the tree a sender has the message before its children, and its sends follow
     * each other. */
    for (int i = 1; i < b->ranks; i++) {
        int to = tree->order[i], from = tree->parent[to];
        ready[to] = time_sum(ready[from], b->deliver[broadcast_at(b, from, to)]);
        ready[from] = time_sum(ready[from], b->busy[broadcast_at(b, from, to)]);
    }
    for (int rank = 0; rank < b->ranks; rank++)
        makespan = time_later(makespan, time_sum(ready[rank], b->local[rank]));
    free(ready);
    return makespan;
}

/* ---- the best order --------------------------------------------------------------------- */

struct child {
    struct timed after; /* the time that its subtree needs after the send has ended */
    hn_time busy;       /* the time of the send */
};

/* Sorts the children of a rank within `children`; their tails are known. Returns the rank's tail.
 */
static hn_time sort_children(const struct broadcast *b, const struct tree *tree, int rank,
                             const hn_time *tail, struct child *children)
{
    int first = tree->first[rank], count = tree->first[rank + 1] - first;
    hn_time time = 0, longest = 0;
    for (int i = 0; i < count; i++) {
        int to = tree->child[first + i];
        hn_time busy = b->busy[broadcast_at(b, rank, to)];
        hn_time after = time_sum(b->deliver[broadcast_at(b, rank, to)] - busy, tail[to]);
        children[first + i] = (struct child){{after, to}, busy};
    }
    qsort(children + first, (size_t)count, sizeof *children, timed_descending);
    for (int i = first; i < first + count; i++) {
        time = time_sum(time, children[i].busy);
        longest = time_later(longest, time_sum(time, children[i].after.time));
    }
    return time_later(time_sum(time, b->local[rank]), longest);
}

int broadcast_sort(const struct broadcast *b, const struct tree *tree, struct tree *sorted)
{
    hn_time *tail = malloc((size_t)b->ranks * sizeof *tail);
    struct child *children = malloc((size_t)b->ranks * sizeof *children);
    bool ok = tail && children;
    /* From the leaves to the root, since the order of a rank's children needs their tails. */
    for (int i = b->ranks - 1; ok && i >= 0; i--)
        tail[tree->order[i]] = sort_children(b, tree, tree->order[i], tail, children);
    for (int i = 0; ok && i < b->ranks; i++) {
        int rank = sorted->order[i];
        for (int c = tree->first[rank]; c < tree->first[rank + 1]; c++)
            tree_add(sorted, rank, children[c].after.number);
    }
    free(tail);
    free(children);
    return ok ? HN_OK : HN_ENOMEM;
}
