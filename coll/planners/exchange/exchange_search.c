/* exchange_search.c - our own: the best heuristic's schedule, improved by local moves.
 *
 * A solution is an order of the events; executed in it, each event starts when both its ports are
 * free, so every order is a schedule and the best schedule has an order. A move takes an event of
 * a port that ends last (mostly) to another place, mostly an earlier one, or swaps two events.
 * It is kept when the makespan does not grow by more than a threshold that shrinks to nothing. At
 * the lower bound it ends.
 *
 * The work, not the time, is limited, and the random numbers are always the same. Cost: at most
 * WORK events executed; a hundredth of that to repair an old order.
 */
#include "planners/exchange/heuristics.h"

#include "planners/random_number.h"

#include "hnow.h"
#include "probe/internal.h"

#include <string.h>

enum {
    WORK = 30000000, /* events executed */
    MOVES_MOST = 200000,
    DISTURBED = 20000000, /* steps of most_loaded */
    TRIES_MOST = 2000
};

struct pair {
    int from, to;
};

struct hunt {
    struct exchange *x;
    struct pair *now, *trial, *best;
    int count;
    uint64_t random;
    struct arena arena; /* of the arrays */
};

static hn_time execute(struct hunt *h, const struct pair *order)
{
    exchange_clear(h->x);
    for (int i = 0; i < h->count; i++)
        exchange_add(h->x, order[i].from, order[i].to);
    return h->x->makespan;
}

/* An event that touches a port which ends last, or else any. h->x holds an executed solution. */
static int pick(struct hunt *h)
{
    for (int tries = 0; tries < 8; tries++) {
        int i = random_number(&h->random, h->count);
        const struct pair *p = &h->now[i];
        if (h->x->send[p->from] == h->x->makespan || h->x->recv[p->to] == h->x->makespan)
            return i;
    }
    return random_number(&h->random, h->count);
}

/* Takes event i out and puts it in at `place`. */
static void put(struct pair *order, int i, int place)
{
    struct pair event = order[i];
    if (place < i)
        memmove(&order[place + 1], &order[place], (size_t)(i - place) * sizeof *order);
    else
        memmove(&order[i], &order[i + 1], (size_t)(place - i) * sizeof *order);
    order[place] = event;
}

static void change(struct hunt *h)
{
    int i = pick(h), kind = random_number(&h->random, 4);
    memcpy(h->trial, h->now, (size_t)h->count * sizeof *h->trial);
    if (kind == 0) {
        int other = random_number(&h->random, h->count);
        h->trial[i] = h->now[other];
        h->trial[other] = h->now[i];
    } else {
        put(h->trial, i,
            kind < 3 ? random_number(&h->random, i + 1) : random_number(&h->random, h->count));
    }
}

static void climb(struct hunt *h, hn_time least)
{
    hn_time now = execute(h, h->now), bound = exchange_bound(h->x);
    int moves = WORK / h->count < MOVES_MOST ? WORK / h->count : MOVES_MOST;
    for (int i = 0; i < moves && least > bound; i++) {
        int heat = moves * 3 / 4 - i;
        hn_time slack = heat > 0 ? wide_ratio(now / 50, heat, moves) : 0;
        change(h);
        hn_time time = execute(h, h->trial);
        if (time > now + slack)
            continue;
        struct pair *swap = h->now;
        h->now = h->trial;
        h->trial = swap;
        now = time;
        if (now < least) {
            least = now;
            memcpy(h->best, h->now, (size_t)h->count * sizeof *h->best);
        }
    }
}

/* Keeps what h->x holds, when it is the best so far. */
static void keep(struct hunt *h, hn_time *least)
{
    if (h->x->makespan >= *least)
        return;
    *least = h->x->makespan;
    h->count = h->x->count;
    for (int e = 0; e < h->count; e++)
        h->now[e] = (struct pair){h->x->events[e].from, h->x->events[e].to};
    memcpy(h->best, h->now, (size_t)h->count * sizeof *h->best);
}

/* Many schedules that serve the most loaded ports first, more and more roughly. */
static int disturb(struct hunt *h, hn_time *least)
{
    hn_time bound = exchange_bound(h->x);
    int n = h->x->ranks, tries = (int)(DISTURBED / ((int64_t)n * n * n + 1));
    tries = (tries < TRIES_MOST ? tries : TRIES_MOST) + 1;
    for (int i = 0; i<tries && * least> bound; i++) {
        int error = exchange_most_loaded_with(h->x, 1 + i % 24, &h->random);
        if (error)
            return error;
        keep(h, least);
    }
    return HN_OK;
}

/* Leaves the best heuristic's events in h->now and h->best. */
static int start(struct hunt *h, hn_time *least)
{
    *least = INT64_MAX;
    for (int i = 0; i < exchange_heuristic_count; i++) {
        const struct exchange_heuristic *heuristic = &exchange_heuristics[i];
        if (heuristic->run == exchange_search)
            continue;
        int error = heuristic->run(h->x);
        if (error)
            return error;
        keep(h, least);
    }
    return disturb(h, least);
}

int exchange_search(struct exchange *x)
{
    size_t cells = (size_t)x->ranks * (size_t)x->ranks;
    struct hunt h = {.x = x, .random = 1};
    hn_time least;
    h.now = arena_array(&h.arena, cells, sizeof *h.now);
    h.trial = arena_array(&h.arena, cells, sizeof *h.trial);
    h.best = arena_array(&h.arena, cells, sizeof *h.best);
    int error = h.arena.failed ? HN_ENOMEM : start(&h, &least);
    if (!error && h.count > 0) {
        climb(&h, least);
        execute(&h, h.best);
    }
    arena_free(&h.arena);
    return error;
}
