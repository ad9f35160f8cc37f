/* exchange_search.c - our own: the best total exchange of all heuristics, and of most_loaded with
 * random disturbances, which become larger. The search ends if a schedule reaches the lower bound.
 *
 * The work is limited, not the time, and the random numbers are deterministic. So all members of a
 * group find the same schedule.
 */
#include "planners/exchange/heuristics.h"

#include "hnow.h"

#include <string.h>

/* TRIES_MOST: with few ranks each disturbance has been tried many times by then. */
enum {
    WORK = 20000000, /* steps of most_loaded: some tenths of a second */
    TRIES_MOST = 2000,
    DISTURBANCES = 24 /* of most_loaded: 1/64, 2/64, ... of the loads, up to so many 64ths */
};

/* The best schedule so far, by its events in order. */
struct best {
    struct exchange_event *events;
    int count;
    hn_time makespan;
};

/* Stores the schedule of the exchange if it is the best so far. */
static void keep(struct best *best, const struct exchange *x)
{
    if (x->makespan >= best->makespan)
        return;
    best->makespan = x->makespan;
    best->count = x->count;
    memcpy(best->events, x->events, (size_t)x->count * sizeof *x->events);
}

/* All rows of the table but this search itself. Each starts from an empty schedule. */
static int try_heuristics(struct exchange *x, struct best *best)
{
    int error = HN_OK;
    for (int i = 0; i < exchange_heuristic_count && !error; i++) {
        if (exchange_heuristics[i].run == exchange_search)
            continue;
        error = exchange_heuristics[i].run(x);
        if (!error)
            keep(best, x);
    }
    return error;
}

/* Ends early at the lower bound, which no schedule can beat. */
static int try_disturbed(struct exchange *x, struct best *best)
{
    hn_time bound = exchange_bound(x);
    uint64_t random = 1;
    /* Each try examines about n^3 pairs, so the number of tries falls with n. */
    int n = x->ranks, tries = (int)(WORK / ((int64_t)n * n * n + 1)), error = HN_OK;
    tries = (tries < TRIES_MOST ? tries : TRIES_MOST) + 1;
    for (int i = 0; i < tries && best->makespan > bound && !error; i++) {
        error = exchange_most_loaded_with(x, 1 + i % DISTURBANCES, &random);
        if (!error)
            keep(best, x);
    }
    return error;
}

/* HN_OK, HN_ENOMEM, or the error of a heuristic. */
int exchange_search(struct exchange *x)
{
    struct arena arena = {0};
    struct best best = {.makespan = INT64_MAX};
    best.events = arena_array(&arena, (size_t)x->ranks * (size_t)x->ranks, sizeof *best.events);
    int error = arena.failed ? HN_ENOMEM : try_heuristics(x, &best);
    if (!error)
        error = try_disturbed(x, &best);
    if (!error) {
        /* The schedule is made again from its events, whose order determines all times. */
        exchange_clear(x);
        for (int i = 0; i < best.count; i++)
            exchange_add(x, best.events[i].from, best.events[i].to);
    }
    arena_free(&arena);
    return error;
}
