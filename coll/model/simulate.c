/* simulate.c - simulation of a plan under the port models of model.h.
 *
 * Nonblocking sends (Wu, section 3): a rank goes through its list. A send occupies it for S, and
 * the message is in the receiver's buffer after S + X; a receive begins when the rank is free and
 * the message is there, and takes R.
 *
 * Blocking one-port (Bhat, section 3): a rank has a send port and a receive port, each going
 * through the list's steps of its kind in order. A transfer begins when both ports are free and the
 * sender has received whatever is before the send in its list; it occupies both ports for its
 * cost.
 *
 * What a rank sends to itself (plan.h) takes no time and no port.
 *
 * Sends that are joined to one before them (subnet_multicast.h) take nothing of their sender, and nothing under
 * way: the message is there when the first receiver has it, or later by as much as X is longer.
 * With shared media, it passes the port of each receiver's host by itself, beside what else comes.
 *
 * In these two, when something happens follows from what is before it in the lists, so ranks
 * are played from a stack of those that can continue; no order among them changes a time.
 */
#include "model/simulate.h"

#include "model/subnet_multicast.h"
#include "model/media.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>

/* Of a receiver of a multicast: it has to leave its sender, and to pass a port. Otherwise, when one
 * of both has happened; 0: it passes no port. */
enum { NOT_ARRIVED = -1 };

struct simulation {
    const struct plan *plan;
    const struct model *model;
    struct timing *timing;
    int32_t *at;         /* next step of each rank; blocking: its next send */
    int32_t *recv_at;    /* blocking: its next receive, */
    int32_t *recv_last;  /* and its last one before its next send; -1: there is none */
    hn_time *free;       /* when the rank is free; blocking: its send port */
    hn_time *received;   /* blocking: when its receive port is free */
    int32_t *head;       /* the send that others may be joined to: the last that is not */
    hn_time *arrival;    /* [receive]: of a multicast, HEARD_NOTHING or a time; NULL: no media */
    struct media *media; /* NULL: messages just take X */
    struct span *moves;  /* plan_moves(); NULL: nobody asks */
    int32_t *ready;      /* stack of ranks that may be able to continue */
    size_t depth;
    hn_time limit;
    int64_t work;       /* that sharing ways may take */
    bool late;          /* something will happen after the limit, or it is too much work */
    bool failed;        /* out of memory */
    struct arena arena; /* of the arrays */
};

/* Sums of times that do not fit stay at the latest one. */
static hn_time plus(hn_time a, hn_time b)
{
    hn_time sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Of a message under way in shared media. */
static struct connection *connection(const struct simulation *s, int from, int to, enum part part,
                                     const struct plan_step *step)
{
    struct connections *all = media_connections(s->media);
    int32_t number = connection_part(all, from, to, part);
    if (number < 0)
        return NULL;
    connection_weigh(all, &all->all[number], plan_step_bytes(s->plan, step));
    return &all->all[number];
}

static struct cost cost_of(struct simulation *s, int from, int to, const struct plan_step *step)
{
    if (from == to)
        return (struct cost){0};
    if (!s->media)
        return model_cost(s->model, from, to, plan_step_bytes(s->plan, step));
    const struct connection *c = connection(s, from, to, PART_ALL, step);
    s->failed = s->failed || !c;
    return c ? c->cost : (struct cost){0};
}

/* A step has ended: whether that is too late. */
static void note_end(struct simulation *s, hn_time end)
{
    s->late = s->late || s->failed || end > s->limit;
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

/* How many sends are joined to one. */
static int others_of(const struct simulation *s, int rank, int32_t send)
{
    int32_t at = send + 1;
    while (at < s->plan->first[rank + 1] && subnet_multicast_joins(s->plan, s->model, rank, at))
        at++;
    return at - send - 1;
}

/* When the receiver of a send that is joined to another one has what that one's has at `first`. */
static hn_time there_too(struct simulation *s, int rank, int32_t send, int32_t at, hn_time first)
{
    const struct plan_step *step = &s->plan->steps[at], *head = &s->plan->steps[send];
    hn_time more =
        cost_of(s, rank, step->peer, step).travel - cost_of(s, rank, head->peer, head).travel;
    return plus(first, time_later(more, 0));
}

/* The time that a multicast occupies the port of one of its receivers. */
static void expect_port(struct simulation *s, int rank, const struct plan_step *step)
{
    if (media_multicast_to(s->media, ~step->match, rank, step->peer))
        s->arrival[step->match] = NOT_ARRIVED;
}

static void play_joined(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    int32_t head = s->head[rank];
    note_end(s, s->free[rank]);
    s->timing->spans[at] = (struct span){s->free[rank], s->free[rank], 0};
    if (s->media) {
        if (model_host(s->model, step->peer) != model_host(s->model, step[-1].peer))
            expect_port(s, rank, step);
        return;
    }
    hn_time first = s->timing->spans[s->plan->steps[head].match].arrived;
    arrive(s, step->match, step->peer, there_too(s, rank, head, at, first));
}

static void send_out(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    int others = others_of(s, rank, at);
    media_multicast(s->media, step->match, rank, step->peer, others, plan_step_bytes(s->plan, step),
                    s->free[rank]);
    if (others > 0)
        expect_port(s, rank, step);
}

static void play_send(struct simulation *s, int rank, int32_t at)
{
    s->head[rank] = at;
    const struct plan_step *step = &s->plan->steps[at];
    struct cost cost = cost_of(s, rank, step->peer, step);
    hn_time begin = s->free[rank];
    s->free[rank] = plus(begin, cost.send);
    note_end(s, s->free[rank]);
    s->timing->spans[at] = (struct span){begin, s->free[rank], 0};
    if (s->media && step->peer != rank)
        send_out(s, rank, at);
    else
        arrive(s, step->match, step->peer, plus(s->free[rank], cost.travel));
}

static void play_receive(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    struct span *span = &s->timing->spans[at];
    struct cost cost = cost_of(s, step->peer, rank, step);
    span->begin = time_later(span->arrived, s->free[rank]);
    span->end = s->free[rank] = plus(span->begin, cost.recv);
    note_end(s, span->end);
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
        if (subnet_multicast_joins(plan, s->model, rank, at))
            play_joined(s, rank, at);
        else if (step->kind == PLAN_SEND)
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

/* The rank's next send is the first at or after `from`. */
static void find_send(struct simulation *s, int rank, int32_t from)
{
    s->at[rank] = next_step(s->plan, rank, from, true);
    for (int32_t i = from; i < s->at[rank]; i++)
        if (uses_port(&s->plan->steps[i], rank, false))
            s->recv_last[rank] = i;
}

static void play_transfer(struct simulation *s, int from, int to, int32_t send, int32_t recv)
{
    const struct plan *plan = s->plan;
    struct cost cost = cost_of(s, from, to, &plan->steps[send]);
    bool joined = subnet_multicast_joins(plan, s->model, from, send);
    s->head[from] = joined ? s->head[from] : send;
    hn_time ready = joined ? s->timing->spans[s->head[from]].begin : s->free[from];
    hn_time begin = time_later(ready, s->received[to]);
    /* Receives of the sender before this send must have ended; its receive port may have gone on
     * since. */
    if (s->recv_last[from] >= 0)
        begin = time_later(begin, s->timing->spans[s->recv_last[from]].end);
    hn_time end = plus(begin, cost.send + cost.travel + cost.recv);
    s->late = s->late || end > s->limit;
    s->timing->spans[send] = (struct span){begin, end, 0};
    s->timing->spans[recv] = (struct span){begin, end, end};
    s->free[from] = time_later(s->free[from], end);
    s->received[to] = s->timing->spans[recv].end;
    find_send(s, from, send + 1);
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

/* All ranks are at the beginning of their lists. */
static void rewind_lists(struct simulation *s)
{
    const struct plan *plan = s->plan;
    bool blocking = s->model->port == PORT_BLOCKING;
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++)
        s->timing->spans[i].arrived = -1;
    for (int rank = 0; rank < plan->ranks; rank++) {
        s->free[rank] = s->received[rank] = 0;
        s->at[rank] = plan->first[rank];
        s->recv_last[rank] = -1;
        if (blocking)
            find_send(s, rank, plan->first[rank]);
        s->recv_at[rank] = next_step(plan, rank, plan->first[rank], false);
    }
}

static bool prepare(struct simulation *s)
{
    const struct plan *plan = s->plan;
    size_t ranks = (size_t)plan->ranks, steps = (size_t)plan->first[plan->ranks];
    s->timing->spans = calloc(steps + 1, sizeof *s->timing->spans);
    s->timing->done = calloc(ranks, sizeof *s->timing->done);
    ARENA_ARRAYS(&s->arena, ranks, s->at, s->recv_at, s->recv_last, s->free, s->received, s->head);
    s->ready = arena_array(&s->arena, ranks + steps + 3, sizeof *s->ready);
    if (!s->timing->spans || !s->timing->done || s->arena.failed)
        return false;
    bool shared = s->model->port == PORT_MEDIA;
    if (shared && !(s->media = media_new(s->model, (int32_t)steps)))
        return false;
    if (shared && !(s->arrival = arena_array(&s->arena, steps + 1, sizeof *s->arrival)))
        return false;
    if (shared) {
        media_spend(s->media, s->work);
        media_record(s->media, s->moves);
    }
    rewind_lists(s);
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

static void play_all(struct simulation *s)
{
    for (int rank = 0; rank < s->plan->ranks && !s->late; rank++)
        play(s, rank);
}

/* The time that each receiver of a multicast takes of the machines on its route.
 * *own becomes what of it is no delay, as for any message. */
static hn_time machine_time(const struct simulation *s, int from, const struct plan_step *step,
                            hn_time *own)
{
    hn_machine_use use[2];
    hn_time most = 0;
    *own = 0;
    for (int i = model_machines(s->model, from, step->peer, use); i > 0; i--)
        *own = time_later(*own, use[i - 1].cost.message);
    if (*own > 0)
        most = subnet_multicast_machine_time(*own, plan_step_bytes(s->plan, step));
    return most;
}

/* A message is at the receiver of this step, and at those of steps joined to it whose ranks are on
 * the same host: they receive the same datagram. */
static void arrive_on_host(struct simulation *s, int rank, int32_t send, hn_time time)
{
    const struct plan *plan = s->plan;
    int host = model_host(s->model, plan->steps[send].peer);
    int32_t at = send;
    do {
        arrive(s, plan->steps[at].match, plan->steps[at].peer, time);
        at++;
    } while (at < plan->first[rank + 1] && subnet_multicast_joins(plan, s->model, rank, at) &&
             model_host(s->model, plan->steps[at].peer) == host);
}

/* A receiver has a multicast when that has left its sender, and has passed the receiver's port:
 * this is the time of one of both. */
static void receive_multicast(struct simulation *s, int rank, int32_t send, hn_time time)
{
    hn_time *arrival = &s->arrival[s->plan->steps[send].match];
    if (*arrival == NOT_ARRIVED)
        *arrival = time;
    else
        arrive_on_host(s, rank, send, time_later(*arrival, time));
}

/* A message is there; of a multicast, it has left its sender. */
static void arrive_all(struct simulation *s, int rank, int32_t send, hn_time time)
{
    const struct plan *plan = s->plan;
    int32_t others = others_of(s, rank, send);
    hn_time own, late = 0, there = time;
    for (int32_t at = send; at <= send + others; at++) {
        const struct plan_step *step = &plan->steps[at];
        if (at > send && model_host(s->model, step->peer) == model_host(s->model, step[-1].peer))
            continue;
        if (others > 0) {
            late = plus(late, machine_time(s, rank, step, &own));
            there = plus(there_too(s, rank, send, at, time), late - own);
        }
        receive_multicast(s, rank, at, there);
    }
}

/* How much later than its wires are free a message is there. */
static hn_time latency_of(const struct simulation *s, int rank, int32_t send)
{
    const struct plan_step *step = &s->plan->steps[send];
    const struct connection *c = connection(s, rank, step->peer, PART_ALL, step);
    return c ? c->latency : 0;
}

/* An event of the media: a message has arrived, or a multicast has passed a port. */
static void take(struct simulation *s, int32_t id, hn_time time)
{
    const struct plan_step *recv = &s->plan->steps[id < 0 ? ~id : id];
    if (id < 0)
        receive_multicast(s, recv->peer, recv->match,
                          plus(time, latency_of(s, recv->peer, recv->match)));
    else
        arrive_all(s, recv->peer, recv->match, time);
}

static int run(struct simulation *s)
{
    int32_t id;
    hn_time time;
    play_all(s);
    if (!s->media)
        return HN_OK;
    while (!s->late && media_next(s->media, &id, &time)) {
        take(s, id, time);
        s->late = s->late || time > s->limit;
        while (s->depth > 0)
            play_nonblocking(s, s->ready[--s->depth]);
    }
    s->late = s->late || media_late(s->media);
    return media_failed(s->media) || s->failed ? HN_ENOMEM : HN_OK;
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
            plus(time_later(s->free[rank], s->received[rank]), model_local(s->model, rank));
        timing->makespan = time_later(timing->makespan, timing->done[rank]);
    }
    return HN_OK;
}

int plan_simulate(const struct plan *plan, const struct model *model, struct timing *timing)
{
    return plan_simulate_within(plan, model, INT64_MAX, NULL, timing);
}

/* Plays the plan, and gives back everything but the times and the moves. */
static int simulate(struct simulation *s)
{
    *s->timing = (struct timing){0};
    int error = prepare(s) ? HN_OK : HN_ENOMEM;
    if (!error)
        error = run(s);
    if (!error)
        error = finish(s);
    if (s->media)
        s->work -= media_work(s->media);
    arena_free(&s->arena);
    media_free(s->media);
    return error;
}

int plan_simulate_within(const struct plan *plan, const struct model *model, hn_time limit,
                         int64_t *work, struct timing *timing)
{
    struct simulation s = {.plan = plan,
                           .model = model,
                           .timing = timing,
                           .limit = limit,
                           .work = work ? *work : INT64_MAX};
    int error = simulate(&s);
    if (work)
        *work = s.work;
    return error;
}

int plan_moves(const struct plan *plan, const struct model *model, struct span *moves)
{
    struct timing timing;
    struct simulation s = {.plan = plan,
                           .model = model,
                           .timing = &timing,
                           .limit = INT64_MAX,
                           .work = INT64_MAX,
                           .moves = moves};
    int error = simulate(&s);
    timing_free(&timing);
    return error;
}

void timing_free(struct timing *timing)
{
    free(timing->spans);
    free(timing->done);
    *timing = (struct timing){0};
}
