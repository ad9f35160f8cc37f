/* multicast_exact.c - our own: the best multiple multicast of all, for tiny instances, by branch
 * and bound.
 *
 * Given every node's list of tasks, each task best begins at once. So all schedules that matter
 * come from appending tasks (a send of a message that the node has; a receive of a message under
 * way to it) to the lists in the order of their beginnings. Branches are cut when the best that can
 * follow is no better than what is known: each node still has to take in what it misses, and a
 * message that nobody has sent it needs a shortest path.
 *
 * Cost: exponential. Instances of more than EXACT_DELIVERIES_MOST deliveries are refused, and those
 * that are not done after LOOKS states.
 */
#include "planners/multicast/algorithms.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUSY_MOST = 2 * EXACT_DELIVERIES_MOST, /* a delivery has two ends */
    LOOKS = 20000000
};

/* A delivery: who is to get which message. */
struct delivery {
    int message, to;
    int from;               /* -1: not sent yet */
    hn_time begin, arrives; /* of the send; at the receiver */
    hn_time end;            /* of the receive; -1: not received yet */
};

struct exact {
    struct multicast *m;
    struct delivery d[EXACT_DELIVERIES_MOST], best_d[EXACT_DELIVERIES_MOST];
    int count, left;
    int busy[BUSY_MOST], busy_count; /* nodes that send or receive, ascending; no other matters */
    hn_time *free;                   /* [node] */
    hn_time best;
    int looks;
};

/* Whether a node has the message at its free time. */
static bool holds(const struct exact *e, int k, int node)
{
    if (e->m->message[k].source == node)
        return true;
    for (int i = 0; i < e->count; i++)
        if (e->d[i].message == k && e->d[i].to == node)
            return e->d[i].end >= 0;
    return false;
}

/* The soonest that a message not sent yet can be at a node: from those who have it, or directly
 * from those who will; nobody who does not have it now can send before it has received. */
static hn_time soonest(const struct exact *e, const struct delivery *d)
{
    const struct multicast *m = e->m;
    hn_time first = INT64_MAX;
    for (int i = 0; i < e->busy_count; i++) {
        int k = d->message, from = e->busy[i];
        if (from == d->to || (m->message[k].source != from && !m->message[k].wants[from]))
            continue;
        hn_time begin = e->free[from];
        if (!holds(e, k, from))
            begin += multicast_recv(m, k, from);
        hn_time arrives = begin + multicast_send(m, k, from) + multicast_travel(m, k, from, d->to);
        if (arrives < first)
            first = arrives;
    }
    return first;
}

/* A time that no schedule from here can beat: what a node misses, taken in from the first moment
 * that any of it can be there. */
static hn_time bound(const struct exact *e)
{
    hn_time bound = 0;
    for (int at = 0; at < e->busy_count; at++) {
        int node = e->busy[at];
        hn_time takes = 0, first = INT64_MAX;
        for (int i = 0; i < e->count; i++) {
            const struct delivery *d = &e->d[i];
            if (d->to != node || d->end >= 0)
                continue;
            hn_time arrives = d->from >= 0 ? d->arrives : soonest(e, d);
            hn_time recv = multicast_recv(e->m, d->message, node);
            takes += recv;
            first = arrives < first ? arrives : first;
            bound = time_later(bound, time_later(e->free[node], arrives) + recv);
        }
        if (takes > 0)
            bound = time_later(bound, time_later(e->free[node], first) + takes);
    }
    return bound;
}

static void branch(struct exact *e, hn_time clock, hn_time done);

static void try_receive(struct exact *e, struct delivery *d, hn_time clock, hn_time done)
{
    hn_time begin = time_later(e->free[d->to], d->arrives), before = e->free[d->to];
    if (begin < clock)
        return;
    d->end = e->free[d->to] = begin + multicast_recv(e->m, d->message, d->to);
    e->left--;
    branch(e, begin, time_later(done, d->end));
    e->left++;
    d->end = -1;
    e->free[d->to] = before;
}

static void try_send(struct exact *e, struct delivery *d, int from, hn_time clock, hn_time done)
{
    hn_time begin = e->free[from];
    if (begin < clock || from == d->to || !holds(e, d->message, from))
        return;
    d->from = from;
    d->begin = begin;
    e->free[from] = begin + multicast_send(e->m, d->message, from);
    d->arrives = e->free[from] + multicast_travel(e->m, d->message, from, d->to);
    branch(e, begin, done);
    d->from = -1;
    e->free[from] = begin;
}

/* `clock`: the last task's beginning. */
static void branch(struct exact *e, hn_time clock, hn_time done)
{
    if (e->left == 0) {
        if (done < e->best) {
            e->best = done;
            memcpy(e->best_d, e->d, sizeof e->d);
        }
        return;
    }
    if (++e->looks > LOOKS || time_later(done, bound(e)) >= e->best)
        return;
    for (int i = 0; i < e->count; i++) {
        struct delivery *d = &e->d[i];
        if (d->from >= 0 && d->end < 0)
            try_receive(e, d, clock, done);
        for (int at = 0; d->from < 0 && at < e->busy_count; at++)
            try_send(e, d, e->busy[at], clock, done);
    }
}

static int by_end(const void *a, const void *b)
{
    const struct delivery *x = a, *y = b;
    return x->end < y->end ? -1 : x->end > y->end;
}

static bool is_busy(const struct exact *e, int node)
{
    for (int i = 0; i < e->count; i++)
        if (e->d[i].to == node || e->m->message[e->d[i].message].source == node)
            return true;
    return false;
}

/* Lists what is to be delivered, and who takes part. */
static void list_deliveries(struct exact *e)
{
    const struct multicast *m = e->m;
    for (int k = 0; k < m->messages; k++)
        for (int to = 0; to < m->nodes; to++)
            if (m->message[k].wants[to])
                e->d[e->count++] = (struct delivery){k, to, -1, 0, 0, -1};
    for (int node = 0; node < m->nodes; node++)
        if (is_busy(e, node))
            e->busy[e->busy_count++] = node;
    e->left = e->count;
}

static void keep_best(struct exact *e)
{
    struct multicast *m = e->m;
    qsort(e->best_d, (size_t)e->count, sizeof *e->best_d, by_end);
    for (int i = 0; i < e->count; i++)
        m->order[i] =
            (struct multicast_decision){e->best_d[i].message, e->best_d[i].from, e->best_d[i].to,
                                        e->best_d[i].begin, e->best_d[i].end};
    m->makespan = e->best;
}

int multicast_exact(struct multicast *m)
{
    struct exact e = {.m = m};
    multicast_clear(m, true);
    if (m->missing > EXACT_DELIVERIES_MOST)
        return HN_EPLAN;
    /* A known schedule to beat; everything that is as good counts as found. */
    int error = multicast_search(m);
    if (error)
        return error;
    e.free = calloc((size_t)m->nodes, sizeof *e.free);
    if (!e.free)
        return HN_ENOMEM;
    e.best = m->makespan;
    list_deliveries(&e);
    branch(&e, 0, 0);
    free(e.free);
    if (e.looks > LOOKS)
        return HN_EPLAN;
    if (e.best < m->makespan)
        keep_best(&e);
    return HN_OK;
}
