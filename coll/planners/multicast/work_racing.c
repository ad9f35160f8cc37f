/* work_racing.c - the work racing heuristics WR and WRP (Wu, sections 4.3 and 5): the node with the
 * lowest virtual time receives next.
 *
 * The virtual time W of a node is the time at which it would have received its messages so far if
 * senders were always free. Unlike the completion times of ECF it contains no congestion, so fast
 * nodes are served before slow ones. The node gets the missing message that it can complete first.
 * WRP may insert sends before receives that are already planned. In the _sum variants W is the sum
 * of R only.
 *
 * Cost: O(messages * holders) for each decision.
 */
#include "planners/multicast/algorithms.h"

#include "hnow.h"

/* One run. Virtual times are independent of the times in m. */
struct race {
    struct multicast *m;
    bool sums;
    hn_time *w;         /* [node]: virtual time */
    hn_time *v;         /* [message * nodes + node]: W of the node when it received the message */
    bool *started;      /* [node]: has received something */
    struct arena arena; /* of the arrays */
};

/* Whether node a receives before node b: by virtual time, then by the times of the longest message,
 * then by number. */
static bool sooner(const struct race *r, int a, int b)
{
    const struct multicast *m = r->m;
    hn_time x[3] = {r->w[a], multicast_recv(m, m->longest, a), multicast_send(m, m->longest, a)};
    hn_time y[3] = {r->w[b], multicast_recv(m, m->longest, b), multicast_send(m, m->longest, b)};
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return a < b;
}

/* O(nodes). Some node misses something. */
static int next_receiver(const struct race *r)
{
    int next = -1;
    for (int i = 0; i < r->m->nodes; i++)
        if (r->m->missing_of[i] > 0 && (next < 0 || sooner(r, i, next)))
            next = i;
    return next;
}

/* The missing message of a node, and its holder, that the node can complete first. O(messages *
 * nodes) for each decision. Of equal times the first message and the lowest holder. */
static struct multicast_decision best_for(const struct multicast *m, int to)
{
    struct multicast_decision best = {-1, -1, to, 0, INT64_MAX};
    for (int k = 0; k < m->messages; k++) {
        if (!multicast_misses(m, k, to))
            continue;
        for (int from = 0; from < m->nodes; from++) {
            if (!multicast_has(m, k, from))
                continue;
            hn_time end = multicast_complete(m, k, from, to);
            if (end < best.recv_end)
                best = (struct multicast_decision){k, from, to, 0, end};
        }
    }
    return best;
}

/* Advances the virtual time of the receiver of a decision. A message that was forwarded arrives
 * after the virtual time at which its sender received it. */
static void advance(struct race *r, const struct multicast_decision *d)
{
    const struct multicast *m = r->m;
    hn_time takes = multicast_recv(m, d->message, d->to);
    hn_time arrives =
        multicast_send(m, d->message, d->from) + multicast_travel(m, d->message, d->from, d->to);
    if (m->message[d->message].source != d->from)
        arrives += r->v[(size_t)d->message * (size_t)m->nodes + (size_t)d->from];
    if (r->sums)
        r->w[d->to] += takes;
    else if (!r->started[d->to] || arrives > r->w[d->to])
        r->w[d->to] = arrives + takes;
    else
        r->w[d->to] += takes;
    r->started[d->to] = true;
    r->v[(size_t)d->message * (size_t)m->nodes + (size_t)d->to] = r->w[d->to];
}

/* HN_OK or HN_ENOMEM. preemptive: WRP; sums: the _sum variant. */
static int run(struct multicast *m, bool preemptive, bool sums)
{
    size_t n = (size_t)m->nodes;
    struct race r = {.m = m, .sums = sums};
    ARENA_ARRAYS(&r.arena, n, r.w, r.started);
    r.v = arena_array(&r.arena, n * (size_t)m->messages + 1, sizeof *r.v);
    bool ok = !r.arena.failed;
    multicast_clear(m, preemptive);
    while (ok && m->missing > 0) {
        struct multicast_decision d = best_for(m, next_receiver(&r));
        multicast_decide(m, d.message, d.from, d.to);
        advance(&r, &d);
    }
    arena_free(&r.arena);
    return ok ? HN_OK : HN_ENOMEM;
}

int multicast_wr(struct multicast *m)
{
    return run(m, false, false);
}

int multicast_wrp(struct multicast *m)
{
    return run(m, true, false);
}

int multicast_wr_sum(struct multicast *m)
{
    return run(m, false, true);
}

int multicast_wrp_sum(struct multicast *m)
{
    return run(m, true, true);
}
