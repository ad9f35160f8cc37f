/* simulate.c - simulation of a plan under the port models of model.h.
 *
 * Nonblocking sends (Wu, section 3): a rank executes its list in order. A send occupies it for S,
 * and the message is in the receiver's buffer after S + X. A receive begins when the rank is free
 * and the message has arrived, and takes R.
 *
 * Blocking one-port (Bhat, section 3): a rank has a send port and a receive port; each executes the
 * list's steps of its kind in order. A transfer begins when both ports are free and the sender has
 * received everything that precedes the send in its list. It occupies both ports for its cost.
 *
 * A message of a rank to itself (plan.h) takes no time and no port.
 *
 * A joined send (subnet_multicast.h) costs neither its sender nor the network anything. Its message
 * arrives when the first receiver has it, or later by the difference in X. With shared media it
 * passes the port of each receiver's host separately, beside other messages.
 *
 * In the first two models the time of a step depends only on steps before it in the lists. So ranks
 * are simulated from a stack of those that can continue, in any order. With shared media the event
 * queue of media.h determines the order.
 */
#include "model/simulate.h"

#include "model/subnet_multicast.h"
#include "model/media.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>

/* State of a multicast at a receiver: it must leave its sender and pass the receiver's port. After
 * one of both, the time of that; 0: it passes no port. */
enum { NOT_ARRIVED = -1 };

/* One simulation. Lists are executed from the beginning to the end; the position of each rank is
 * at[] and, for blocking ports, recv_at[]. All arrays but those of `timing` are freed with the
 * arena. */
struct simulation {
    const struct plan *plan;
    const struct model *model;
    struct timing *timing;
    int32_t *at;         /* next step of each rank; blocking: its next send */
    int32_t *recv_at;    /* blocking: next receive of each rank, */
    int32_t *recv_last;  /* and the last receive before its next send; -1: none */
    hn_time *free;       /* when the rank is free; blocking: its send port */
    hn_time *received;   /* blocking: when its receive port is free */
    int32_t *head;       /* the last send that is not joined, to which others may be */
    hn_time *arrival;    /* [receive]: of a multicast, NOT_ARRIVED or a time; NULL: no media */
    struct media *media; /* NULL: messages just take X */
    struct span *moves;  /* for plan_moves(); NULL: not recorded */
    int32_t *ready;      /* stack of ranks that may be able to continue */
    size_t depth;
    hn_time limit;
    int64_t work;       /* budget for computing rates */
    bool late;          /* the limit or the budget is exceeded */
    bool failed;        /* out of memory */
    struct arena arena; /* of the arrays */
};

/* The connection of a message in shared media, with its costs; NULL: out of memory. */
static struct connection *connection(const struct simulation *s, int from, int to,
                                     const struct plan_step *step)
{
    struct connections *all = media_connections(s->media);
    int32_t number = connection_part(all, from, to, PART_ALL);
    if (number < 0)
        return NULL;
    connection_weigh(all, &all->all[number], plan_step_bytes(s->plan, step));
    return &all->all[number];
}

/* S, X and R of a message. A message to the rank itself costs nothing in any model. */
static struct cost cost_of(struct simulation *s, int from, int to, const struct plan_step *step)
{
    if (from == to)
        return (struct cost){0};
    if (!s->media)
        return model_cost(s->model, from, to, plan_step_bytes(s->plan, step));
    const struct connection *c = connection(s, from, to, step);
    s->failed = s->failed || !c;
    return c ? c->cost : (struct cost){0};
}

/* A step has ended: checks the limit. Also after an error, since every step ends here: the
 * simulation stops then. */
static void note_end(struct simulation *s, hn_time end)
{
    s->late = s->late || s->failed || end > s->limit;
}

/* ---- nonblocking sends ------------------------------------------------------------------ */

/* The message of a receiving step has arrived. A rank that waits for this receive can continue. */
static void arrive(struct simulation *s, int32_t recv, int receiver, hn_time time)
{
    s->timing->spans[recv].arrived = time;
    if (s->at[receiver] == recv)
        s->ready[s->depth++] = receiver;
}

/* Number of sends joined to this one. The run ends at the first step that is not joined, or that
 * the network sends separately. */
static int others_of(const struct simulation *s, int rank, int32_t send)
{
    int32_t at = send + 1;
    while (at < s->plan->first[rank + 1] && multicast_joins(s->plan, s->model, rank, at))
        at++;
    return at - send - 1;
}

/* Arrival time at the receiver of a joined send, if the first receiver has the message at
 * `first`. */
static hn_time there_too(struct simulation *s, int rank, int32_t send, int32_t at, hn_time first)
{
    const struct plan_step *step = &s->plan->steps[at], *head = &s->plan->steps[send];
    hn_time more =
        cost_of(s, rank, step->peer, step).travel - cost_of(s, rank, head->peer, head).travel;
    return time_sum(first, time_later(more, 0));
}

/* Registers the port of a receiver's host with the media, if it has one. */
static void expect_port(struct simulation *s, int rank, const struct plan_step *step)
{
    if (media_multicast_to(s->media, ~step->match, rank, step->peer))
        s->arrival[step->match] = NOT_ARRIVED;
}

/* A joined send takes no time of its sender. With media it is a part of the message of its first
 * send; without, its arrival follows from that of the first receiver. */
static void run_joined(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    int32_t head = s->head[rank];
    note_end(s, s->free[rank]);
    s->timing->spans[at] = (struct span){s->free[rank], s->free[rank], 0};
    if (s->media) {
        /* Receivers on one host get the same datagram, which passes its port once. */
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

/* The sender is occupied for S. Then the media carry the message, or it arrives after X. */
static void run_send(struct simulation *s, int rank, int32_t at)
{
    s->head[rank] = at;
    const struct plan_step *step = &s->plan->steps[at];
    struct cost cost = cost_of(s, rank, step->peer, step);
    hn_time begin = s->free[rank];
    s->free[rank] = time_sum(begin, cost.send);
    note_end(s, s->free[rank]);
    s->timing->spans[at] = (struct span){begin, s->free[rank], 0};
    if (s->media && step->peer != rank)
        send_out(s, rank, at);
    else
        arrive(s, step->match, step->peer, time_sum(s->free[rank], cost.travel));
}

static void run_receive(struct simulation *s, int rank, int32_t at)
{
    const struct plan_step *step = &s->plan->steps[at];
    struct span *span = &s->timing->spans[at];
    struct cost cost = cost_of(s, step->peer, rank, step);
    span->begin = time_later(span->arrived, s->free[rank]);
    span->end = s->free[rank] = time_sum(span->begin, cost.recv);
    note_end(s, span->end);
}

/* Executes a rank's list until it waits for a message. The rank continues when arrive() has put it
 * on the stack. */
static void run_nonblocking(struct simulation *s, int rank)
{
    const struct plan *plan = s->plan;
    for (; s->at[rank] < plan->first[rank + 1] && !s->late; s->at[rank]++) {
        int32_t at = s->at[rank];
        /* A step without a counterpart is never executed; finish() then reports a deadlock. */
        const struct plan_step *step = &plan->steps[at];
        if (step->match < 0)
            return;
        if (multicast_joins(plan, s->model, rank, at))
            run_joined(s, rank, at);
        else if (step->kind == PLAN_SEND)
            run_send(s, rank, at);
        else if (s->timing->spans[at].arrived >= 0)
            run_receive(s, rank, at);
        else
            return;
    }
}

/* ---- blocking one-port ------------------------------------------------------------------ */

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

/* Both ports are occupied for the whole transfer. A joined send begins with the first send of its
 * multicast, since one transmission serves all. */
static void run_transfer(struct simulation *s, int from, int to, int32_t send, int32_t recv)
{
    const struct plan *plan = s->plan;
    struct cost cost = cost_of(s, from, to, &plan->steps[send]);
    bool joined = multicast_joins(plan, s->model, from, send);
    s->head[from] = joined ? s->head[from] : send;
    hn_time ready = joined ? s->timing->spans[s->head[from]].begin : s->free[from];
    hn_time begin = time_later(ready, s->received[to]);
    /* Receives that precede this send must have ended; the receive port may have continued
     * since. */
    if (s->recv_last[from] >= 0)
        begin = time_later(begin, s->timing->spans[s->recv_last[from]].end);
    hn_time end = time_sum(begin, cost.send + cost.travel + cost.recv);
    s->late = s->late || end > s->limit;
    s->timing->spans[send] = (struct span){begin, end, 0};
    s->timing->spans[recv] = (struct span){begin, end, end};
    /* The sender is free after the last of its joined transfers. */
    s->free[from] = time_later(s->free[from], end);
    s->received[to] = s->timing->spans[recv].end;
    find_send(s, from, send + 1);
    s->recv_at[to] = next_step(plan, to, recv + 1, false);
}

/* Executes the next transfer of a rank's send port, if it can begin: the receives before it in the
 * list must have been executed, and the receiver's next receive must be this one. */
static void run_blocking(struct simulation *s, int rank)
{
    const struct plan *plan = s->plan;
    int32_t send = s->at[rank];
    if (send >= plan->first[rank + 1] || s->recv_at[rank] < send)
        return;
    int32_t recv = plan->steps[send].match, to = plan->steps[send].peer;
    if (recv < 0 || s->recv_at[to] != recv)
        return;
    run_transfer(s, rank, to, send, recv);
    s->ready[s->depth++] = rank;
    s->ready[s->depth++] = to;
    /* The sender of the receiver's next message may have waited for this transfer. */
    if (s->recv_at[to] < plan->first[to + 1])
        s->ready[s->depth++] = plan->steps[s->recv_at[to]].peer;
}

/* ---- both ------------------------------------------------------------------------------- */

/* Sets all ranks to the beginning of their lists. */
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

/* Allocates everything. false: out of memory; simulate() frees what there is. The stack has room
 * for one entry a step: a transfer of blocking ports adds three and removes one. */
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
    /* Only shared media need a simulation of their own. */
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

/* Continues all that can continue without further events. */
static void run_rank(struct simulation *s, int rank)
{
    s->ready[s->depth++] = rank;
    while (s->depth > 0 && !s->late) {
        rank = s->ready[--s->depth];
        if (s->model->port == PORT_BLOCKING)
            run_blocking(s, rank);
        else
            run_nonblocking(s, rank);
    }
}

static void run_all(struct simulation *s)
{
    for (int rank = 0; rank < s->plan->ranks && !s->late; rank++)
        run_rank(s, rank);
}

/* Processor time that each receiver of a multicast takes of the machines on its route. *own
 * receives the part that is no extra delay, as for any message. */
static hn_time machine_time(const struct simulation *s, int from, const struct plan_step *step,
                            hn_time *own)
{
    hn_machine_use use[2];
    hn_time most = 0;
    *own = 0;
    for (int i = model_machines(s->model, from, step->peer, use); i > 0; i--)
        *own = time_later(*own, use[i - 1].cost.message);
    if (*own > 0)
        most = multicast_machine_time(*own, plan_step_bytes(s->plan, step));
    return most;
}

/* A message has arrived at the receiver of this step, and of steps joined to it whose ranks are on
 * the same host: they receive the same datagram. */
static void arrive_on_host(struct simulation *s, int rank, int32_t send, hn_time time)
{
    const struct plan *plan = s->plan;
    int host = model_host(s->model, plan->steps[send].peer);
    int32_t at = send;
    do {
        arrive(s, plan->steps[at].match, plan->steps[at].peer, time);
        at++;
    } while (at < plan->first[rank + 1] && multicast_joins(plan, s->model, rank, at) &&
             model_host(s->model, plan->steps[at].peer) == host);
}

/* `time` is one of two: the multicast has left its sender, or has passed the receiver's port. The
 * receiver has it after both. A message that passes no port has 0 here, and arrives at once. */
static void note_passed(struct simulation *s, int rank, int32_t send, hn_time time)
{
    hn_time *arrival = &s->arrival[s->plan->steps[send].match];
    if (*arrival == NOT_ARRIVED)
        *arrival = time;
    else
        arrive_on_host(s, rank, send, time_later(*arrival, time));
}

/* A message has arrived; a multicast has left its sender. Processors of machines serve the
 * receivers of a multicast one after the other (`late`). */
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
            late = time_sum(late, machine_time(s, rank, step, &own));
            there = time_sum(there_too(s, rank, send, at, time), late - own);
        }
        note_passed(s, rank, at, there);
    }
}

/* Time from the last byte of a message until its arrival. */
static hn_time latency_of(const struct simulation *s, int rank, int32_t send)
{
    const struct plan_step *step = &s->plan->steps[send];
    const struct connection *c = connection(s, rank, step->peer, step);
    return c ? c->latency : 0;
}

/* Handles an event of the media: a message has arrived, or (id < 0) a multicast has passed a port.
 * Ids of port parts are complements, so that they are negative. */
static void take(struct simulation *s, int32_t id, hn_time time)
{
    const struct plan_step *recv = &s->plan->steps[id < 0 ? ~id : id];
    if (id < 0)
        note_passed(s, recv->peer, recv->match,
                    time_sum(time, latency_of(s, recv->peer, recv->match)));
    else
        arrive_all(s, recv->peer, recv->match, time);
}

/* With media the events determine when ranks continue. Without, the stack alone does. */
static int run(struct simulation *s)
{
    int32_t id;
    hn_time time;
    run_all(s);
    if (!s->media)
        return HN_OK;
    while (!s->late && media_next(s->media, &id, &time)) {
        take(s, id, time);
        s->late = s->late || time > s->limit;
        while (s->depth > 0)
            run_nonblocking(s, s->ready[--s->depth]);
    }
    s->late = s->late || media_late(s->media);
    return media_failed(s->media) || s->failed ? HN_ENOMEM : HN_OK;
}

/* A list that was not executed to its end means a deadlock. Beyond the limit only that is reported.
 */
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
            time_sum(time_later(s->free[rank], s->received[rank]), model_local(s->model, rank));
        timing->makespan = time_later(timing->makespan, timing->done[rank]);
    }
    return HN_OK;
}

int plan_simulate(const struct plan *plan, const struct model *model, struct timing *timing)
{
    return plan_simulate_within(plan, model, INT64_MAX, NULL, timing);
}

hn_time plan_makespan(const struct plan *plan, const struct model *model)
{
    struct timing timing = {0};
    hn_time makespan = plan_simulate(plan, model, &timing) ? 0 : timing.makespan;
    timing_free(&timing);
    return makespan;
}

hn_time plan_done(const struct plan *plan, const struct model *model, int rank)
{
    struct timing timing = {0};
    hn_time done = plan_simulate(plan, model, &timing) ? 0 : timing.done[rank];
    timing_free(&timing);
    return done;
}

/* Runs the simulation and frees everything but the times and the moves. */
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

/* The budget is of computed rates, since these dominate when many messages share routes. */
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
