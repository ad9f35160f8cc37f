/* exact.c - our own: the best order of a small total exchange, by branch and bound.
 *
 * A total exchange is an open shop. Among the events left, let one end first, at time t. On its
 * send port, one that could start before t comes next in some best order (Giffler and Thompson
 * 1960), so only these are tried. What cannot end before the best so far is left out: a port is not
 * done before what it has left.
 *
 * Begins with what the search finds; where that is at the lower bound, that is all, for any number
 * of ranks. Else up to RANKS_MOST ranks and NODES_MOST steps: a second at most.
 */
#include "heuristics.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 6, NODES_MOST = 4000000, EVENTS_MOST = RANKS_MOST * RANKS_MOST };

struct branching {
    struct exchange *x;
    int total, nodes;
    bool done[EVENTS_MOST];
    hn_time send_left[RANKS_MOST], recv_left[RANKS_MOST];
    hn_time best, bound;
    struct exchange_event order[EVENTS_MOST]; /* of the best */
};

static hn_time start_of(const struct exchange *x, int from, int to)
{
    return x->send[from] > x->recv[to] ? x->send[from] : x->recv[to];
}

/* When the ports will be done at the earliest. */
static hn_time promise(const struct branching *b)
{
    hn_time most = 0;
    for (int i = 0; i < b->x->ranks; i++) {
        hn_time send = b->x->send[i] + b->send_left[i], recv = b->x->recv[i] + b->recv_left[i];
        most = send > most ? send : most;
        most = recv > most ? recv : most;
    }
    return most;
}

/* The event left that would end first; *end becomes when. */
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

static void explore(struct branching *b);

/* Goes on with an event, and takes it back. */
static void go_on(struct branching *b, int event)
{
    struct exchange *x = b->x;
    int from = event / x->ranks, to = event % x->ranks;
    hn_time send = x->send[from], recv = x->recv[to], makespan = x->makespan;
    b->done[event] = true;
    b->send_left[from] -= x->cost[event];
    b->recv_left[to] -= x->cost[event];
    exchange_add(x, from, to);
    explore(b);
    x->count--;
    x->send[from] = send;
    x->recv[to] = recv;
    x->makespan = makespan;
    b->send_left[from] += x->cost[event];
    b->recv_left[to] += x->cost[event];
    b->done[event] = false;
}

static void explore(struct branching *b)
{
    struct exchange *x = b->x;
    hn_time end = 0;
    if (b->nodes >= NODES_MOST || b->best == b->bound || promise(b) >= b->best)
        return;
    b->nodes++;
    if (x->count == b->total) {
        b->best = x->makespan;
        memcpy(b->order, x->events, (size_t)b->total * sizeof *b->order);
        return;
    }
    int first = ends_first(b, &end), from = first / x->ranks;
    for (int to = 0; to < x->ranks; to++) {
        int event = from * x->ranks + to;
        if (!b->done[event] && (event == first || start_of(x, from, to) < end))
            go_on(b, event);
    }
}

/* Where the search has left something to prove: HN_EPLAN where that is too much. */
static int prove(struct exchange *x)
{
    struct branching b = {.x = x, .total = x->count, .best = x->makespan};
    memcpy(b.order, x->events, (size_t)x->count * sizeof *b.order);
    b.bound = exchange_bound(x);
    for (int i = 0; i < x->ranks * x->ranks; i++) {
        b.done[i] = true;
        b.send_left[i / x->ranks] += x->cost[i];
        b.recv_left[i % x->ranks] += x->cost[i];
    }
    for (int i = 0; i < x->count; i++)
        b.done[x->events[i].from * x->ranks + x->events[i].to] = false;
    exchange_clear(x);
    explore(&b);
    exchange_clear(x);
    for (int i = 0; i < b.total; i++)
        exchange_add(x, b.order[i].from, b.order[i].to);
    return b.nodes < NODES_MOST ? HN_OK : HN_EPLAN;
}

int exchange_exact(struct exchange *x)
{
    int error = exchange_search(x);
    if (error || x->makespan == exchange_bound(x))
        return error;
    return x->ranks <= RANKS_MOST ? prove(x) : HN_EPLAN;
}
