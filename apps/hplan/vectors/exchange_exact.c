/* exchange_exact.c - the optimum order of a small total exchange, by branch and bound (our own).
 *
 * A total exchange is an open shop. Events are enumerated in the order of their begins, so that
 * each schedule occurs once. Let t be the earliest possible end of a remaining event. In some
 * optimum schedule the next event begins before t, or is that event (Giffler and Thompson 1960,
 * with both ports of all events); otherwise that event would fit in before. Branches that cannot
 * end before the best schedule so far are pruned: a port needs at least its remaining work, from
 * the earliest time at which any of it can begin.
 *
 * The search starts with the heuristics' result. If that equals the lower bound, it is the optimum
 * for any number of ranks. Else up to RANKS_MOST ranks and NODES_MOST steps are searched, which
 * takes at most a second.
 *
 * The search uses constant memory: one schedule that grows and shrinks (try_event()), and the best
 * order so far.
 */
#include "exchange_exact.h"

#include "coll/internal.h"

#include "hnow.h"

#include <string.h>

/* Maximum number of ranks, with 36 events to order; of steps, for at most a second. */
enum { RANKS_MOST = 6, NODES_MOST = 4000000, EVENTS_MOST = RANKS_MOST * RANKS_MOST };

/* State of the search.  x has the partial schedule; events are numbered from * ranks + to. */
struct branching {
    struct exchange *x;
    /* `total` is the number of events, `nodes` that of steps so far. */
    int total, nodes;
    /* [event] in the partial schedule, or without cost and never in it. */
    bool done[EVENTS_MOST];
    /* Work of each port that is not scheduled yet. */
    hn_time send_left[RANKS_MOST], recv_left[RANKS_MOST];
    /* Makespan of the best complete schedule, and the lower bound, which ends the search when it is
     * reached. */
    hn_time best, bound;
    struct exchange_event order[EVENTS_MOST]; /* best order so far */
};

/* An event begins when both of its ports are free. The ports' times are the ends of their last
 * events, as events are appended in the order of their begins. */
static hn_time start_of(const struct exchange *x, int from, int to)
{
    return x->send[from] > x->recv[to] ? x->send[from] : x->recv[to];
}

/* A lower bound of the makespan if nothing more begins before `from`. For each port: the earliest
 * begin of any of its remaining events, plus all of its remaining work. O(n^2) a step, which is
 * small beside the branches that it saves. */
static hn_time promise(const struct branching *b, hn_time from)
{
    int n = b->x->ranks;
    hn_time most = b->x->makespan, send[RANKS_MOST], recv[RANKS_MOST];
    for (int i = 0; i < n; i++)
        send[i] = recv[i] = INT64_MAX;
    for (int i = 0; i < n * n; i++) {
        if (b->done[i])
            continue;
        /* `from`: later events begin no earlier than the last one, by the order of enumeration. */
        hn_time start = start_of(b->x, i / n, i % n);
        start = start > from ? start : from;
        send[i / n] = start < send[i / n] ? start : send[i / n];
        recv[i % n] = start < recv[i % n] ? start : recv[i % n];
    }
    for (int i = 0; i < n; i++) {
        if (send[i] < INT64_MAX && send[i] + b->send_left[i] > most)
            most = send[i] + b->send_left[i];
        if (recv[i] < INT64_MAX && recv[i] + b->recv_left[i] > most)
            most = recv[i] + b->recv_left[i];
    }
    return most;
}

/* Finds the remaining event with the earliest possible end; *end receives that time. -1: no event
 * remains, which explore() has excluded. */
static int ends_first(const struct branching *b, hn_time *end)
{
    int first = -1, n = b->x->ranks;
    for (int i = 0; i < n * n; i++) {
        hn_time own = b->done[i] ? 0 : start_of(b->x, i / n, i % n) + b->x->cost[i];
        if (b->done[i] || (first >= 0 && own >= *end))
            continue;
        first = i;
        *end = own;
    }
    return first;
}

static void explore(struct branching *b, int last, hn_time from);

/* Recurses with an event, then undoes it. Everything that exchange_add() changes is restored from
 * copies, as its inverse is not defined: a port's former time would be lost. */
static void try_event(struct branching *b, int event)
{
    struct exchange *x = b->x;
    int from = event / x->ranks, to = event % x->ranks;
    hn_time send = x->send[from], recv = x->recv[to], makespan = x->makespan;
    hn_time start = start_of(x, from, to);
    b->done[event] = true;
    b->send_left[from] -= x->cost[event];
    b->recv_left[to] -= x->cost[event];
    exchange_add(x, from, to);
    explore(b, event, start);
    x->count--;
    x->send[from] = send;
    x->recv[to] = recv;
    x->makespan = makespan;
    b->send_left[from] += x->cost[event];
    b->recv_left[to] += x->cost[event];
    b->done[event] = false;
}

/* True if an event may follow the last one, which began at `from`. Two events that begin at the
 * same time on different ports need only one order. */
static bool may_follow(const struct branching *b, int event, int last, hn_time from)
{
    int n = b->x->ranks;
    hn_time start = start_of(b->x, event / n, event % n);
    /* Events without duration are not twins: their order may decide what else can begin at that
     * time. */
    bool twins = last > event && start == from && b->x->cost[last] > 0 && b->x->cost[event] > 0;
    return !b->done[event] && start >= from && !twins;
}

/* last: the previous event (-1: none), which began at `from`. */
static void explore(struct branching *b, int last, hn_time from)
{
    struct exchange *x = b->x;
    int n = x->ranks;
    hn_time end = 0;
    /* A branch that can only equal the best one is cut, too: one optimum is enough. */
    if (b->nodes >= NODES_MOST || b->best == b->bound || promise(b, from) >= b->best)
        return;
    b->nodes++;
    /* A complete schedule that passed the bound is better than the best so far. */
    if (x->count == b->total) {
        b->best = x->makespan;
        memcpy(b->order, x->events, (size_t)b->total * sizeof *b->order);
        return;
    }
    /* The event that could end first bounds the begin of the next one (see above); it is itself a
     * candidate in any case. */
    int first = ends_first(b, &end);
    for (int event = 0; event < n * n; event++)
        if (may_follow(b, event, last, from) &&
            (event == first || start_of(x, event / n, event % n) < end))
            try_event(b, event);
}

/* Proves optimality if necessary; HN_EPLAN if that is too much work.  In both cases x has the best
 * schedule that was found. */
static int prove(struct exchange *x)
{
    struct branching b = {.x = x, .total = x->count, .best = x->makespan};
    memcpy(b.order, x->events, (size_t)x->count * sizeof *b.order);
    b.bound = exchange_bound(x);
    /* Pairs without an event count as done. cost[] is 0 where no event is needed, so the sums are
     * right for all pairs. */
    for (int i = 0; i < x->ranks * x->ranks; i++) {
        b.done[i] = true;
        b.send_left[i / x->ranks] += x->cost[i];
        b.recv_left[i % x->ranks] += x->cost[i];
    }
    for (int i = 0; i < x->count; i++)
        b.done[x->events[i].from * x->ranks + x->events[i].to] = false;
    exchange_clear(x);
    /* The root of the search: no event yet, at time 0. */
    explore(&b, -1, 0);
    exchange_clear(x);
    for (int i = 0; i < b.total; i++)
        exchange_add(x, b.order[i].from, b.order[i].to);
    /* At the limit the best schedule is a heuristic's or an improved one, but no proof. */
    return b.nodes < NODES_MOST ? HN_OK : HN_EPLAN;
}

int exchange_exact(struct exchange *x)
{
    int error = exchange_search(x);
    if (error || x->makespan == exchange_bound(x))
        return error;
    return x->ranks <= RANKS_MOST ? prove(x) : HN_EPLAN;
}
