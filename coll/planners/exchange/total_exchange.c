/* total_exchange.c - the events of a total exchange, and its lower bound (total_exchange.h).
 *
 * A schedule is the list of its events: appending an event determines its time, because both of its
 * ports serve their events in this order.  So a heuristic is a rule for the next event. */
#include "planners/exchange/total_exchange.h"

#include "hnow.h"

#include <string.h>

/* cost is not copied, so it must outlive x. HN_OK or HN_ENOMEM. */
int exchange_begin(struct exchange *x, int ranks, const hn_time *cost)
{
    size_t n = (size_t)ranks;
    *x = (struct exchange){.ranks = ranks, .cost = cost};
    ARENA_ARRAYS(&x->arena, n * n, x->events, x->permutations);
    ARENA_ARRAYS(&x->arena, n, x->send, x->recv);
    return x->arena.failed ? HN_ENOMEM : HN_OK;
}

void exchange_end(struct exchange *x)
{
    arena_free(&x->arena);
}

void exchange_clear(struct exchange *x)
{
    x->count = 0;
    x->makespan = 0;
    memset(x->send, 0, (size_t)x->ranks * sizeof *x->send);
    memset(x->recv, 0, (size_t)x->ranks * sizeof *x->recv);
}

/* events has room for each pair once. */
void exchange_add(struct exchange *x, int from, int to)
{
    hn_time start = x->send[from] > x->recv[to] ? x->send[from] : x->recv[to];
    hn_time end = start + exchange_cost(x, from, to);
    x->events[x->count++] = (struct exchange_event){from, to, start, end};
    x->send[from] = x->recv[to] = end;
    if (end > x->makespan)
        x->makespan = end;
}

/* Each port needs the sum of its own messages, whatever the order: the largest row or column of
 * costs. */
hn_time exchange_bound(const struct exchange *x)
{
    hn_time bound = 0;
    for (int i = 0; i < x->ranks; i++) {
        hn_time row = 0, column = 0;
        for (int k = 0; k < x->ranks; k++) {
            row += exchange_cost(x, i, k);
            column += exchange_cost(x, k, i);
        }
        bound = row > bound ? row : bound;
        bound = column > bound ? column : bound;
    }
    return bound;
}
