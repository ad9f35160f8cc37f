/* simulate.c - simulation of a plan under the port models of model.h.
 *
 * Nonblocking sends (Wu, section 3): a rank goes through its list. A send occupies it for S, and
 * the message is in the receiver's buffer after S + X; a receive begins when the rank is free and
 * the message is there, and takes R.
 *
 * Blocking one-port (Bhat, section 3): a rank has a send port and a receive port, each going
 * through the list's steps of its kind in order. A transfer begins when both ports are free and the
 * sender has received whatever stands before the send in its list; it occupies both ports for its
 * cost.
 *
 * What a rank sends to itself (plan.h) takes no time and no port.
 *
 * In these two, when something happens follows from what stands before it in the lists, so ranks
 * are played from a stack of those that can go on; no order among them changes a time.
 */
#include "simulate.h"

#include "media.h"

#include "hnow.h"
#include "wide.h"

#include <stdlib.h>

struct simulation {
    const struct plan *plan;
    const struct model *model;
    struct timing *timing;
    int32_t *at;         /* next step of each rank; blocking: its next send */
    int32_t *recv_at;    /* blocking: its next receive */
    hn_time *free;       /* when the rank is free; blocking: its send port */
    hn_time *received;   /* blocking: when its receive port is free */
    struct media *media; /* NULL: messages just take X */
    int32_t *ready;      /* stack of ranks that may be able to go on */
    size_t depth;
    hn_time limit;
    int64_t work; /* that sharing ways may take */
    bool late;    /* something happened after the limit, or it is too much work */
};

static hn_time later(hn_time a, hn_time b)
{
    return a > b ? a : b;
}

/* Times that do not fit stay at the latest one. */
static hn_time plus(hn_time a, hn_time b)
{
    hn_time sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static struct cost cost_of(const struct simulation *s, int from, int to,
                           const struct plan_step *step)
{
    if (from == to)
        return (struct cost){0};
    return model_cost(s->model, from, to, plan_step_bytes(s->plan, step));
}

/* ---- nonblocking sends -------------------------------------------------------------------------
 */

/* The message of a receiving step is there. */
static void arrive(struct simulation *s, int32_t recv, int receiver, hn_time time)
{
    s->timing->spans[recv].arrived = time;
    if (s->at[receiver] == recv)
        s->ready[s->depth++] = receiver;
}

static void play_send(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    struct cost cost = cost_of(s, rank, step->peer, step);
    hn_time begin = s->free[rank];
    s->free[rank] = plus(begin, cost.send);
    s->late = s->late || s->free[rank] > s->limit;
    s->timing->spans[at] = (struct span){begin, s->free[rank], 0};
    if (s->media && step->peer != rank)
        media_send(s->media, step->match, rank, step->peer, plan_step_bytes(s->plan, step),
                   s->free[rank]);
    else
        arrive(s, step->match, step->peer, plus(s->free[rank], cost.travel));
}

static void play_receive(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    struct span *span = &s->timing->spans[at];
    struct cost cost = cost_of(s, step->peer, rank, step);
    span->begin = later(span->arrived, s->free[rank]);
    span->end = s->free[rank] = plus(span->begin, cost.recv);
    s->late = s->late || span->end > s->limit;
}

/* Goes through a rank's list until it waits. */
static void play_nonblocking(struct simulation *s, int rank)
{
    const struct plan *plan = s->plan;
    for (; s->at[rank] < plan->first[rank + 1] && !s->late; s->at[rank]++) {
        int32_t at = s->at[rank];
        const struct plan_step *step = &plan->steps[at];
        if (step->match < 0)
            return;
        if (step->kind == PLAN_SEND)
            play_send(s, rank, at);
        else if (s->timing->spans[at].arrived >= 0)
            play_receive(s, rank, at);
        else
            return;
    }
}

/* ---- blocking one-port -------------------------------------------------------------------------
 */

static bool uses_port(const struct plan_step *step, int rank, bool sends)
{
    return step->peer != rank && (step->kind == PLAN_SEND) == sends;
}

/* The first send (receive) of a rank's list at or after `from`. */
static int32_t next_step(const struct plan *plan, int rank, int32_t from, bool sends)
{
    while (from < plan->first[rank + 1] && !uses_port(&plan->steps[from], rank, sends))
        from++;
    return from;
}

static void play_transfer(struct simulation *s, int from, int to, int32_t send, int32_t recv)
{
    const struct plan *plan = s->plan;
    struct cost cost = cost_of(s, from, to, &plan->steps[send]);
    hn_time begin = later(s->free[from], s->received[to]);
    /* What the sender received before this send must have ended; its receive port may have gone on
     * since. */
    for (int32_t i = send - 1; i >= plan->first[from]; i--)
        if (uses_port(&plan->steps[i], from, false)) {
            begin = later(begin, s->timing->spans[i].end);
            break;
        }
    hn_time end = plus(begin, cost.send + cost.travel + cost.recv);
    s->late = s->late || end > s->limit;
    s->timing->spans[send] = (struct span){begin, end, 0};
    s->timing->spans[recv] = (struct span){begin, end, end};
    s->free[from] = end;
    s->received[to] = s->timing->spans[recv].end;
    s->at[from] = next_step(plan, from, send + 1, true);
    s->recv_at[to] = next_step(plan, to, recv + 1, false);
}

/* Makes the next transfer of a rank's send port, when it can begin. */
static void play_blocking(struct simulation *s, int rank)
{
    const struct plan *plan = s->plan;
    int32_t send = s->at[rank];
    if (send >= plan->first[rank + 1] || s->recv_at[rank] < send)
        return;
    int32_t recv = plan->steps[send].match, to = plan->steps[send].peer;
    if (recv < 0 || s->recv_at[to] != recv)
        return;
    play_transfer(s, rank, to, send, recv);
    s->ready[s->depth++] = rank;
    s->ready[s->depth++] = to;
    if (s->recv_at[to] < plan->first[to + 1])
        s->ready[s->depth++] = plan->steps[s->recv_at[to]].peer;
}

/* ---- both --------------------------------------------------------------------------------------
 */

static bool prepare(struct simulation *s)
{
    const struct plan *plan = s->plan;
    size_t ranks = (size_t)plan->ranks, steps = (size_t)plan->first[plan->ranks];
    bool blocking = s->model->port == PORT_BLOCKING;
    s->timing->spans = calloc(steps + 1, sizeof *s->timing->spans);
    s->timing->done = calloc(ranks, sizeof *s->timing->done);
    s->at = malloc(ranks * sizeof *s->at);
    s->recv_at = malloc(ranks * sizeof *s->recv_at);
    s->free = calloc(ranks, sizeof *s->free);
    s->received = calloc(ranks, sizeof *s->received);
    s->ready = malloc((ranks + steps + 3) * sizeof *s->ready);
    if (!s->timing->spans || !s->timing->done || !s->at || !s->recv_at || !s->free ||
        !s->received || !s->ready)
        return false;
    if (s->model->port == PORT_MEDIA && !(s->media = media_new(s->model, (int32_t)steps)))
        return false;
    for (size_t i = 0; i < steps; i++)
        s->timing->spans[i].arrived = -1;
    for (int rank = 0; rank < plan->ranks; rank++) {
        s->at[rank] = plan->first[rank];
        if (blocking)
            s->at[rank] = next_step(plan, rank, plan->first[rank], true);
        s->recv_at[rank] = next_step(plan, rank, plan->first[rank], false);
    }
    return true;
}

static void play(struct simulation *s, int rank)
{
    s->ready[s->depth++] = rank;
    while (s->depth > 0 && !s->late) {
        rank = s->ready[--s->depth];
        if (s->model->port == PORT_BLOCKING)
            play_blocking(s, rank);
        else
            play_nonblocking(s, rank);
    }
}

static int run(struct simulation *s)
{
    int32_t recv;
    hn_time time;
    for (int rank = 0; rank < s->plan->ranks && !s->late; rank++)
        play(s, rank);
    if (!s->media)
        return HN_OK;
    while (!s->late && media_next(s->media, &recv, &time)) {
        /* The receiver is the peer of the send that the step is matched with. */
        int receiver = s->plan->steps[s->plan->steps[recv].match].peer;
        arrive(s, recv, receiver, time);
        s->late = s->late || time > s->limit || media_work(s->media) > s->work;
        while (s->depth > 0)
            play_nonblocking(s, s->ready[--s->depth]);
    }
    return media_failed(s->media) ? HN_ENOMEM : HN_OK;
}

static int finish(struct simulation *s)
{
    const struct plan *plan = s->plan;
    struct timing *timing = s->timing;
    if (s->late) {
        timing->makespan = INT64_MAX;
        return HN_OK;
    }
    for (int rank = 0; rank < plan->ranks; rank++) {
        bool blocking = s->model->port == PORT_BLOCKING;
        if (s->at[rank] < plan->first[rank + 1] ||
            (blocking && s->recv_at[rank] < plan->first[rank + 1]))
            return HN_EPLAN;
        timing->done[rank] =
            plus(later(s->free[rank], s->received[rank]), model_local(s->model, rank));
        timing->makespan = later(timing->makespan, timing->done[rank]);
    }
    return HN_OK;
}

/* ---- what is late in any case ------------------------------------------------------------------
 */

/* Adds a message to what the channels on its way have to carry; whether one of them is busy with it
 * beyond the limit. */
static bool overloads(const struct model *model, int from, int to, int64_t bytes, hn_time limit,
                      hn_time *load)
{
    hn_channel way[HN_WAY_MOST];
    int count = model_way(model, from, to, way);
    for (int i = 0; i < count; i++) {
        hn_time takes = wide_ratio(bytes, way[i].per_byte, 1000);
        if (takes > limit - load[way[i].id])
            return true;
        load[way[i].id] += takes;
    }
    return false;
}

/* Whether some channel has more to carry than it can within the limit: then no simulation is
 * needed. Bad plans are those that take long to simulate, since many of their messages share a way.
 */
static bool is_hopeless(const struct plan *plan, const struct model *model, hn_time limit)
{
    const hn_net *net = model_net(model);
    if (!net || model->port != PORT_MEDIA || limit == INT64_MAX)
        return false;
    hn_time *load = calloc((size_t)hn_net_channel_count(net) + 1, sizeof *load);
    bool over = false;
    for (int rank = 0; load && rank < plan->ranks && !over; rank++)
        for (int32_t at = plan->first[rank]; at < plan->first[rank + 1] && !over; at++)
            if (plan->steps[at].kind == PLAN_SEND)
                over = overloads(model, rank, plan->steps[at].peer,
                                 plan_step_bytes(plan, &plan->steps[at]), limit, load);
    free(load);
    return over;
}

int plan_simulate(const struct plan *plan, const struct model *model, struct timing *timing)
{
    return plan_simulate_within(plan, model, INT64_MAX, NULL, timing);
}

int plan_simulate_within(const struct plan *plan, const struct model *model, hn_time limit,
                         int64_t *work, struct timing *timing)
{
    struct simulation s = {.plan = plan,
                           .model = model,
                           .timing = timing,
                           .limit = limit,
                           .work = work ? *work : INT64_MAX};
    *timing = (struct timing){.makespan = INT64_MAX};
    if (is_hopeless(plan, model, limit))
        return HN_OK;
    timing->makespan = 0;
    int error = HN_ENOMEM;
    if (prepare(&s)) {
        error = run(&s);
        if (!error)
            error = finish(&s);
    }
    if (work && s.media)
        *work -= media_work(s.media);
    free(s.at);
    free(s.recv_at);
    free(s.free);
    free(s.received);
    free(s.ready);
    media_free(s.media);
    return error;
}

void timing_free(struct timing *timing)
{
    free(timing->spans);
    free(timing->done);
    *timing = (struct timing){0};
}
