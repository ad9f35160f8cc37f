/* broadcast.c - the costs of a broadcast, and the time of a tree. */
#include "broadcast.h"

#include "hnow.h"

#include <stdlib.h>

int broadcast_begin(struct broadcast *b, const struct problem *problem)
{
    const struct model *model = problem->model;
    *b = (struct broadcast){.ranks = model->ranks, .root = problem->req->root};
    if (!problem->matrix)
        return HN_EPLAN;
    size_t n = (size_t)model->ranks;
    b->busy = calloc(n * n, sizeof *b->busy);
    b->deliver = calloc(n * n, sizeof *b->deliver);
    b->local = calloc(n, sizeof *b->local);
    if (!b->busy || !b->deliver || !b->local)
        return HN_ENOMEM;
    for (int from = 0; from < b->ranks; from++) {
        b->local[from] = model_local(model, from);
        for (int to = 0; to < b->ranks; to++) {
            size_t at = broadcast_at(b, from, to);
            b->deliver[at] = matrix_at(problem->matrix, from, to);
            b->busy[at] = model->port == PORT_BLOCKING || from == to
                              ? b->deliver[at]
                              : model_cost(model, from, to, problem->matrix->bytes).send;
        }
    }
    return HN_OK;
}

void broadcast_end(struct broadcast *b)
{
    free(b->busy);
    free(b->deliver);
    free(b->local);
}

hn_time broadcast_makespan(const struct broadcast *b, const struct tree *tree)
{
    hn_time makespan = 0, *ready = calloc((size_t)b->ranks, sizeof *ready);
    if (!ready)
        return INT64_MAX;
    for (int i = 1; i < b->ranks; i++) {
        int to = tree->order[i], from = tree->parent[to];
        ready[to] = ready[from] + b->deliver[broadcast_at(b, from, to)];
        ready[from] += b->busy[broadcast_at(b, from, to)];
    }
    for (int rank = 0; rank < b->ranks; rank++)
        if (ready[rank] + b->local[rank] > makespan)
            makespan = ready[rank] + b->local[rank];
    free(ready);
    return makespan;
}
