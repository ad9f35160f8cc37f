/* total_exchange.h - schedules of the total exchange, in which every rank sends a different message
 * to every other rank.
 *
 * The model is that of Bhat (1998b), section 3: an event i -> j occupies i's send port and j's
 * receive port for cost[i][j]. A heuristic yields the events in an order. An event starts when both
 * its ports have finished their earlier events in this order.
 */
#pragma once

#include "hnow_net.h"
#include "runtime/internal.h"

#include <stdbool.h>

/* The send port of `from` and the receive port of `to` are occupied from start to end, in ps. */
struct exchange_event {
    int from, to;
    hn_time start, end;
};

/* A schedule under construction. Events are only appended, or all removed. */
struct exchange {
    int ranks;
    const hn_time *cost;           /* [from * ranks + to]; if not 0, the diagonal counts, too */
    struct exchange_event *events; /* room for ranks * ranks of them */
    int count;
    hn_time *send, *recv; /* [rank]: time at which the port is free */
    int *permutations;    /* of matchings: [step * ranks + from] = to */
    bool unique;          /* of matchings: every step had a single optimum */
    hn_time makespan;
    struct arena arena; /* of the arrays */
};

/* Prepares a schedule; cost[] must outlive it. HN_OK or HN_ENOMEM; call exchange_end() in either
 * case. */
int exchange_begin(struct exchange *x, int ranks, const hn_time *cost);
void exchange_end(struct exchange *x);
/* Removes all events. */
void exchange_clear(struct exchange *x);
/* Appends an event, which starts when both ports are free. */
void exchange_add(struct exchange *x, int from, int to);

static inline hn_time exchange_cost(const struct exchange *x, int from, int to)
{
    return x->cost[(size_t)from * (size_t)x->ranks + (size_t)to];
}

/* Lower bound (ps): the largest sum of a row or a column of costs, the work of a port. */
hn_time exchange_bound(const struct exchange *x);

/* A heuristic; its function begins with exchange_clear() and returns HN_OK or HN_ENOMEM. */
struct exchange_heuristic {
    const char *name, *source;
    int (*run)(struct exchange *x);
};
extern const struct exchange_heuristic exchange_heuristics[];
extern const int exchange_heuristic_count;

/* Executes the permutations of the last matching again, first come, first served. HN_OK or
 * HN_ENOMEM. */
int exchange_fcfs(struct exchange *x);
