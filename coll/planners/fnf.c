/* fnf.c - fastest node first (Banikazemi et al. 1998; Bhat, section 4.3, baseline).
 *
 * Ranks are informed in ascending order of their send cost: a fast rank that is informed early can
 * forward to more ranks. Each gets the message from the sender that can deliver it first. The send
 * cost of a rank is the sum of its sends to all others; if S does not depend on the receiver, this
 * is the order of S. It suits hosts of different speed on one switch. Cost: O(n^2 log n).
 */
#include "planners/planners.h"

#include "planners/greedy.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>

/* Time (ps) for which the sends to all other ranks occupy this rank. */
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
    struct timed *order = malloc((size_t)tree->ranks * sizeof *order);
    int error = greedy_begin(&g, problem, tree, true);
    if (!error && !order)
        error = HN_ENOMEM;
    if (!error) {
        int count = g.waiting_count;
        for (int i = 0; i < count; i++)
            order[i] = (struct timed){node_cost(problem->model, g.waiting[i], g.matrix->bytes),
                                      g.waiting[i]};
        qsort(order, (size_t)count, sizeof *order, timed_ascending);
        for (int i = 0; i < count; i++)
            greedy_take(&g, greedy_sender(&g, order[i].number).rank, order[i].number);
    }
    greedy_end(&g);
    free(order);
    return error;
}
