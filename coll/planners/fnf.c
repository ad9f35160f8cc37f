/* fnf.c - fastest node first (Banikazemi et al. 1998; Bhat, section 4.3, baseline).
 *
 * Ranks are informed in ascending order of their send cost: a fast rank that is informed early can
 * forward to more ranks. Each gets the message from the sender that can deliver it first. The send
 * cost of a rank is the sum of its sends to all others; if S does not depend on the receiver, this
 * is the order of S. It suits hosts of different speed on one switch. Cost: O(n^2 log n).
 */
#include "planners/planners.h"

#include "planners/greedy.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>

struct node {
    wide cost; /* time (ps) for which the sends to all other ranks occupy the rank */
    int rank;
};

/* A sum of many times, so wider than 64 bits. */
static wide node_cost(const struct model *model, int rank, int64_t bytes)
{
    wide sum = wide_of(0);
    for (int to = 0; to < model->ranks; to++) {
        if (to == rank)
            continue;
        struct cost c = model_cost(model, rank, to, bytes);
        hn_time busy = model->port == PORT_BLOCKING ? c.send + c.travel + c.recv : c.send;
        sum = wide_plus(sum, wide_of(busy));
    }
    return sum;
}

/* By cost; among equals by rank. */
static int by_cost(const void *a_, const void *b_)
{
    const struct node *a = a_, *b = b_;
    if (!wide_equal(a->cost, b->cost))
        return wide_less(a->cost, b->cost) ? -1 : 1;
    return a->rank - b->rank;
}

/* Senders are chosen by the greedy state, which knows when each rank becomes free. */
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
