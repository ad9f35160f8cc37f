/* total_exchange.h - total exchange: an order of the events in which every rank sends its own
 * message to every rank.
 *
 * Bhat (1998b), section 3: an event i -> j occupies i's send port and j's receive port for
 * cost[i][j]. A heuristic yields the events in an order. Executed in this order, an event starts
 * when both its ports are free.
 */
#pragma once

#include "hnow_net.h"
#include "runtime/internal.h"

#include <stdbool.h>

struct exchange_event {
    int from, to;
    hn_time start, end;
};

struct exchange {
    int ranks;
    const hn_time *cost;           /* [from * ranks + to]; the diagonal counts where it is not 0 */
    struct exchange_event *events; /* room for ranks * ranks */
    int count;
    hn_time *send, *recv; /* [rank]: time at which the port is free */
    int *permutations;    /* of matchings: [step * ranks + from] = to */
    bool unique;          /* of matchings: every step had a single optimum */
    hn_time makespan;
    struct arena arena; /* of the arrays */
};

/* HN_OK or HN_ENOMEM; call exchange_end() in either case. */
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

/* Lower bound: the largest sum of a row or a column, the work of a port. */
hn_time exchange_bound(const struct exchange *x);

/* Heuristics; each begins with exchange_clear(). HN_OK or HN_ENOMEM. */
struct exchange_heuristic {
    const char *name, *source;
    int (*run)(struct exchange *x);
};
extern const struct exchange_heuristic exchange_heuristics[];
extern const int exchange_heuristic_count;

/* After a matching: executes its permutations first come, first served. */
int exchange_fcfs(struct exchange *x);
