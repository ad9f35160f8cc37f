/* fnf.c - fastest node first (Banikazemi et al. 1998; Bhat, section 4.3, baseline).
 *
 * Ranks are informed in the order of their cost (of a send: the sooner a fast rank is informed, the
 * more it can pass on), each by the sender from whom it gets the message first. The cost of a rank
 * is what it takes to send to all others, one after the other; where S does not depend on the
 * receiver, S itself.
 */
#include "planners/planners.h"

#include "planners/greedy.h"

#include "hnow.h"

#include <stdlib.h>

struct node {
    hn_time cost;
    int rank;
};

static int by_cost(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->rank - y->rank;
}

/* What it costs a rank to send to all others. */
static hn_time node_cost(const struct model *model, int rank, int64_t bytes)
{
    hn_time sum = 0;
    for (int to = 0; to < model->ranks; to++) {
        if (to == rank)
            continue;
        struct cost c = model_cost(model, rank, to, bytes);
        sum += model->port == PORT_BLOCKING ? c.send + c.travel + c.recv : c.send;
    }
    return sum;
}

int planner_fnf(const struct problem *problem, struct tree *tree)
{
    struct greedy g;
    struct node *order = malloc((size_t)tree->ranks * sizeof *order);
    int error = greedy_begin(&g, problem, tree, true);
    if (!error && !order)
        error = HN_ENOMEM;
    if (!error) {
        int count = g.waiting_count;
        for (int i = 0; i < count; i++)
            order[i] = (struct node){node_cost(problem->model, g.waiting[i], g.matrix->bytes),
                                     g.waiting[i]};
        qsort(order, (size_t)count, sizeof *order, by_cost);
        for (int i = 0; i < count; i++)
            greedy_take(&g, greedy_sender(&g, order[i].rank).rank, order[i].rank);
    }
    greedy_end(&g);
    free(order);
    return error;
}
