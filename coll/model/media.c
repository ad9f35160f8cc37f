/* media.c - event-driven simulation of messages on shared media, in integers.
 *
 * A stream is the queue of messages of one connection; the first message is moving or waits for its
 * turn. Rates change only when a message begins or ends to move. In between, a message with `left`
 * to go at rate r ends after left / r.
 *
 * Cost: a begin or end concerns the messages that depend on it (fair.h). If no channel is
 * overloaded, or an equal message of the same stream follows, it costs O(log n).
 */
#include "model/media.h"

#include "model/subnet_multicast.h"
#include "model/connection.h"
#include "model/events.h"
#include "model/fair.h"
#include "model/stream_progress.h"
#include "model/queue.h"
#include "model/stations.h"
#include "model/gates.h"
#include "model/array_grow.h"

#include <stdlib.h>

enum { WINDOW = 32768, SLICES_MOST = 8 }; /* least window in bytes; most slices of one message */

/* Time in ps for which Linux delays an acknowledgement until data goes back (40 ms). */
#define ANSWER_WAITS INT64_C(40000000000)

/* Streams have the numbers of their connections. Messages are stored in the order in which they
 * were announced and linked to lists by their numbers, since arrays may move. */
struct media {
    const struct model *model;
    bool failed;
    struct events events;
    struct connections connections;
    struct stream *streams;
    int32_t stream_count, stream_room;
    struct gates gates;
    struct message *messages;
    int32_t message_count, message_room;
    int32_t last;      /* the last multicast */
    struct fair *fair; /* rates of the streams that move on channels */
    struct stations stations;
    hn_time *free;      /* [machine]: time at which the next message can pass */
    hn_time *reached;   /* [rank]: time at which the last message to it has passed its machine */
    int64_t work;       /* limit of computed rates: media_spend() */
    struct span *moves; /* [message's id]; NULL: not recorded */
    bool late;          /* the limit is exceeded */
};

/* ---- streams ---------------------------------------------------------------------------- */

/* The stream of a connection; created if new, with all streams of lower numbers. -1: out of memory.
 * A new stream may move the array. */
static int32_t stream_of(struct media *m, int32_t l)
{
    if (l < m->stream_count)
        return l;
    if (l >= m->stream_room) {
        int32_t room = l + 1 > 2 * m->stream_room ? l + 64 : 2 * m->stream_room;
        if (!ARRAY_ROOM(m->streams, room))
            return -1;
        m->stream_room = room;
    }
    for (; m->stream_count <= l; m->stream_count++) {
        struct stream *stream = &m->streams[m->stream_count];
        *stream = (struct stream){.head = -1, .tail = -1, .bytes = -1};
        if (!gates_find(&m->gates, &m->connections.all[m->stream_count], &stream->gate))
            return -1;
    }
    return l;
}

/* ---- rates ------------------------------------------------------------------------------ */

/* Errors are recorded, and end the simulation (media_next()). */
static void push(struct media *m, struct event event)
{
    if (!events_push(&m->events, event))
        m->failed = true;
}

/* Each stream has one end event, which is moved. */
static void end_at(struct media *m, int32_t l, hn_time time)
{
    m->streams[l].due = time;
    if (!events_end(&m->events, l, time))
        m->failed = true;
}

static void push_end(struct media *m, int32_t l)
{
    end_at(m, l, stream_end(&m->streams[l]));
}

/* The set of moving streams has changed: updates the end events of those with new rates. An end
 * that becomes later keeps its event, which is put off when it is taken. So a stream that is slowed
 * down many times costs one event. */
static void share_out(struct media *m, hn_time now)
{
    int count;
    const int *changed = fair_changed(m->fair, &count);
    for (int i = 0; i < count; i++) {
        struct stream *stream = &m->streams[changed[i]];
        int64_t rate = fair_rate(m->fair, changed[i]);
        gates_doubt(&m->gates, stream->gate);
        /* A gate may depend on whether its mover is held up, so it is examined in any case. */
        if (rate == stream->rate)
            continue;
        stream_advance(stream, now);
        bool slower = rate < stream->rate;
        stream->rate = rate;
        if (!slower || stream_end(stream) < stream->due)
            push_end(m, changed[i]);
    }
}

/* ---- slices ----------------------------------------------------------------------------- */

/* Another stream waits: the present slice is cut at the next window boundary. The rest of the
 * message waits for its next turn. */
static void cut_slice(struct media *m, int32_t l, hn_time now)
{
    struct stream *stream = &m->streams[l];
    /* No rate: it shares no channel, or has only begun. Then begin() cuts its slice. */
    if (stream->rate == 0)
        return;
    stream_advance(stream, now);
    wide more = stream_window_rest(stream);
    if (!wide_less(more, stream->left))
        return;
    wide later = wide_minus(stream->left, more);
    stream->rest = wide_plus(stream->rest, later);
    stream->slice = wide_minus(stream->slice, later);
    stream->left = more;
    push_end(m, l);
}

/* The stream waits at its gate. Only the first waiting stream cuts the mover's slice. */
static void wait_for_slice(struct media *m, int32_t l, hn_time now)
{
    int32_t mover = gates_latest(&m->gates, m->streams[l].gate);
    if (gates_wait(&m->gates, l) && mover >= 0)
        cut_slice(m, mover, now);
}

/* ---- beginning and ending to move ------------------------------------------------------- */

/* Whether the first message of a stream uses channels. A message of no bytes and no overhead uses
 * none. */
static bool is_shared(const struct media *m, int32_t l)
{
    const struct connection *c = &m->connections.all[l];
    return c->hops > 0 && m->messages[m->streams[l].head].bytes + c->overhead > 0;
}

/* The window of a connection: the bandwidth-delay product of its route. Long messages are cut into
 * SLICES_MOST slices only, which is fair enough. */
static wide window_of(const struct media *m, const struct connection *c)
{
    hn_pair_cost x = model_pair(m->model, c->from, c->to);
    wide window = wide_of(WINDOW), least = wide_of(c->load / SLICES_MOST);
    if (x.per_byte > 0)
        window =
            wide_plus(window, wide_over(wide_product(2 * 1000, x.latency), wide_of(x.per_byte)));
    return wide_times(wide_less(window, least) ? least : window, STREAM_UNIT);
}

/* Computes the cost of a stream's first message; reuses that of the last one if the sizes are
 * equal. */
static const struct connection *weigh(struct media *m, int32_t l)
{
    struct stream *stream = &m->streams[l];
    struct connection *c = &m->connections.all[l];
    connection_weigh(&m->connections, c, m->messages[stream->head].bytes);
    /* The window matters only to streams with a gate. */
    if (stream->bytes != c->bytes) {
        stream->bytes = c->bytes;
        stream->own_rate = c->busy > 0 ? wide_ratio(c->load, STREAM_UNIT, c->busy) : INT64_MAX;
        if (stream->gate >= 0)
            stream->window = window_of(m, c);
    }
    return c;
}

/* The port parts of a multicast begin when the multicast begins to move. */
static void begin_along(struct media *m, const struct message *message, hn_time now)
{
    for (int32_t next, i = message->along; i >= 0; i = next) {
        struct message *along = &m->messages[i];
        next = along->next;
        along->next = -1;
        push(m, (struct event){
                    .time = now, .stream = along->stream, .message = i, .kind = EVENT_ENTER});
    }
}

/* Where to record the move of a stream's first message; NULL: nowhere. */
static struct span *move_of(const struct media *m, int32_t l)
{
    bool asked = m->moves && m->connections.all[l].part != PART_PORT;
    return asked ? &m->moves[m->messages[m->streams[l].head].id] : NULL;
}

/* Prepares a message that has not begun to move yet. A message that carries an acknowledgement
 * saves the headers and the time of a separate packet. */
static void prepare_message(struct media *m, int32_t l, hn_time now)
{
    struct stream *stream = &m->streams[l];
    const struct connection *c = weigh(m, l);
    bool answers = m->messages[stream->head].answers;
    stream->latency = c->latency + (answers ? c->less : 0);
    stream->rest = wide_product(c->load - (answers ? c->around : 0), STREAM_UNIT);
    begin_along(m, &m->messages[stream->head], now);
    struct span *move = move_of(m, l);
    if (move)
        move->begin = now;
}

/* The number of messages that a host receives has changed, and with it its share of a bus. */
static void receive(struct media *m, int32_t l, int more, hn_time now)
{
    int share, other = -1;
    if (m->streams[l].acknowledged)
        other = stations_receive(&m->stations, m->connections.all[l].to, more, &share);
    if (other < 0)
        return;
    fair_change(m->fair, other, share);
    share_out(m, now);
}

/* A stream begins a slice: its first message, or the rest of it. Its end event is set when its rate
 * is known, or at once if it shares nothing. */
static void begin(struct media *m, int32_t l, hn_time now)
{
    struct stream *stream = &m->streams[l];
    const struct connection *c = &m->connections.all[l];
    if (wide_equal(stream->rest, wide_of(0)))
        prepare_message(m, l, now);
    stream->moving = true;
    stream->since = now;
    stream->rate = 0;
    stream->slice = stream->left = stream->rest;
    stream->rest = wide_of(0);
    if (stream->gate >= 0)
        gates_begin(&m->gates, l);
    if (!is_shared(m, l)) {
        end_at(m, l, time_sum(now, c->busy));
        return;
    }
    /* A port part does not send: it is a message that is in the network already. */
    int share = c->part == PART_PORT ? 1 : stations_send(&m->stations, c->from, l);
    hn_channel room[HN_WAY_MOST];
    if (!fair_join(m->fair, l, stream->own_rate, share, connection_channels(c, room), c->hops,
                   STREAM_UNIT * 1000))
        m->failed = true;
    share_out(m, now);
    stream->acknowledged = m->messages[stream->head].others == 0 && c->part != PART_PORT;
    receive(m, l, 1, now);
    if (stream->gate >= 0 && gates_waited_for(&m->gates, stream->gate))
        cut_slice(m, l, now);
}

/* If the next message is like the last one, it moves on at once at the same rate. Nothing changes
 * for the others, so no rate is computed: a long sequence of equal segments costs O(log n) each. */
static bool continue_alike(struct media *m, int32_t l, hn_time now)
{
    struct stream *stream = &m->streams[l];
    if (stream->head < 0 || (stream->gate >= 0 && gates_waited_for(&m->gates, stream->gate)))
        return false;
    int64_t rate = stream->own_rate, bytes = stream->bytes;
    const struct connection *c = weigh(m, l);
    bool alike = stream->own_rate == rate && (c->overhead == 0 || c->bytes == bytes);
    if (!is_shared(m, l) || !alike)
        return false;
    prepare_message(m, l, now);
    stream->slice = stream->left = stream->rest;
    stream->rest = wide_of(0);
    stream->since = now;
    push_end(m, l);
    return true;
}

/* A stream has something to send and is not moving. It begins now, or waits at its gate behind
 * others. */
static void be_ready(struct media *m, int32_t l, hn_time now)
{
    if (m->streams[l].gate >= 0 && gates_taken(&m->gates, m->streams[l].gate))
        wait_for_slice(m, l, now);
    else
        begin(m, l, now);
}

/* The first message of a stream has moved completely. Arrivals of one stream are in order: a
 * shorter queue does not let a message overtake another one. */
static void arrive(struct media *m, int32_t l, hn_time now)
{
    struct stream *stream = &m->streams[l];
    struct message *message = &m->messages[stream->head];
    hn_time time =
        time_sum(now, stream->latency + queue_ahead(m->fair, &m->connections, m->streams, l, now));
    stream->arrived = time > stream->arrived ? time : stream->arrived;
    push(m,
         (struct event){
             .time = stream->arrived, .stream = l, .message = message->id, .kind = EVENT_ARRIVAL});
    struct span *move = move_of(m, l);
    if (move)
        move->end = now;
    stream->queued -= message->bytes;
    stream->passed += message->bytes;
    stream->head = message->next;
    if (stream->head < 0)
        stream->tail = -1;
}

/* A slice has ended. With nothing left the message has arrived, and the next one may follow. */
static void end(struct media *m, int32_t l, hn_time now)
{
    struct stream *stream = &m->streams[l];
    bool shared = is_shared(m, l);
    /* The rest of a message that was cut waits for its next turn. */
    if (wide_equal(stream->rest, wide_of(0))) {
        arrive(m, l, now);
        if (shared && continue_alike(m, l, now))
            return;
    }
    stream->moving = false;
    if (stream->gate >= 0)
        gates_end(&m->gates, l);
    /* The stream no longer uses its channels, so those of others may get faster. */
    if (shared) {
        if (m->connections.all[l].part != PART_PORT)
            stations_rest(&m->stations, m->connections.all[l].from, l);
        fair_leave(m->fair, l);
        share_out(m, now);
        receive(m, l, -1, now);
    }
    if (stream->head >= 0)
        be_ready(m, l, now);
}

/* An end event may be early, if the stream has become slower since: then it is postponed. */
static void end_or_put_off(struct media *m, int32_t l, hn_time now)
{
    const struct stream *stream = &m->streams[l];
    if (stream->rate > 0 && stream_end(stream) > now)
        push_end(m, l);
    else
        end(m, l, now);
}

/* Starts the waiting streams that may begin. */
static void give_turns(struct media *m, hn_time now)
{
    for (int32_t l; !m->failed && (l = gates_next(&m->gates)) >= 0;)
        begin(m, l, now);
}

/* ---- the interface ---------------------------------------------------------------------- */

/* messages: the number of messages that will be announced.  Memory for the connections and streams
 * is allocated as they occur.  NULL: out of memory. */
struct media *media_new(const struct model *model, int32_t messages)
{
    struct media *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    const hn_net *net = model_net(model);
    m->model = m->connections.model = model;
    m->fair = fair_new(net ? hn_net_channel_count(net) : 0);
    m->gates =
        (struct gates){.connections = &m->connections, .streams = &m->streams, .fair = m->fair};
    m->free = calloc(net ? (size_t)hn_net_machine_count(net) + 1 : 1, sizeof *m->free);
    m->reached = calloc((size_t)model->ranks, sizeof *m->reached);
    m->messages = malloc(((size_t)messages + 1) * sizeof *m->messages);
    /* The array never grows: messages beyond the announced number are an error. */
    m->message_room = messages;
    m->work = INT64_MAX;
    if (!stations_begin(&m->stations, model) || !m->fair || !m->free || !m->reached ||
        !m->messages) {
        media_free(m);
        return NULL;
    }
    return m;
}

void media_free(struct media *m)
{
    if (!m)
        return;
    free(m->streams);
    free(m->free);
    free(m->reached);
    free(m->messages);
    events_free(&m->events);
    connections_free(&m->connections);
    gates_free(&m->gates);
    fair_free(m->fair);
    stations_end(&m->stations);
    free(m);
}

struct connections *media_connections(struct media *m)
{
    return &m->connections;
}

void media_spend(struct media *m, int64_t work)
{
    m->work = work;
}

void media_record(struct media *m, struct span *moves)
{
    m->moves = moves;
}

bool media_late(const struct media *m)
{
    return m->late;
}

bool media_failed(const struct media *m)
{
    return m->failed;
}

/* PART_BEFORE_PORT: the ports of the receivers follow separately.  `to` is the receiver whose route
 * the multicast uses; others: the number of further ones. */
bool media_multicast(struct media *m, int32_t id, int from, int to, int others, int64_t bytes,
                     hn_time time)
{
    enum part part = others > 0 ? PART_BEFORE_PORT : PART_ALL;
    int32_t l = stream_of(m, connection_part(&m->connections, from, to, part));
    if (l < 0 || m->message_count == m->message_room) {
        m->failed = true;
        return false;
    }
    m->last = m->message_count++;
    m->messages[m->last] = (struct message){id, -1, others, l, -1, bytes, false};
    push(m, (struct event){.time = time, .stream = l, .message = m->last, .kind = EVENT_BEGIN});
    return !m->failed;
}

bool media_multicast_to(struct media *m, int32_t id, int from, int to)
{
    int32_t l = stream_of(m, connection_part(&m->connections, from, to, PART_PORT));
    if (l < 0 || m->message_count == m->message_room) {
        m->failed = true;
        return false;
    }
    /* The host has no switch port, so there is nothing to pass. */
    if (m->connections.all[l].hops == 0)
        return false;
    /* Linked to the multicast, with which it begins to move. */
    struct message *head = &m->messages[m->last];
    m->messages[m->message_count] = (struct message){id, head->along, 0, l, -1, head->bytes, false};
    head->along = m->message_count++;
    return true;
}

/* A message passes its machines, after those before it. A receiver still busy with the last message
 * need not be woken up. */
static void pass_machines(struct media *m, struct event event)
{
    const struct connection *c = &m->connections.all[event.stream];
    const struct message *message = &m->messages[event.message];
    hn_time time = event.time;
    /* The list of the multicast has its last part first; the order is of no importance. */
    bool awake = m->reached[c->to] > event.time;
    /* The machines of a route are passed at the same time, when both are free. */
    for (int i = 0; i < c->use_count; i++)
        time = time_later(time, m->free[c->use[i].machine]);
    for (int i = 0; i < c->use_count; i++) {
        const hn_machine_cost *cost = &c->use[i].cost;
        hn_time takes = awake && cost->queued ? cost->queued : cost->message;
        if (message->others > 0)
            takes = multicast_machine_time(cost->message, message->bytes) * (1 + message->others);
        m->free[c->use[i].machine] = m->reached[c->to] = time + takes;
    }
    event.time = time;
    event.kind = EVENT_ENTER;
    push(m, event);
}

/* Whether a message carries the acknowledgement of what has arrived in the other direction. Each
 * arrival is acknowledged once. */
static bool answers(const struct media *m, const struct connection *c, hn_time now)
{
    int32_t back =
        c->around && c->part == PART_ALL ? connection_known(&m->connections, c->to, c->from) : -1;
    if (back < 0 || back >= m->stream_count)
        return false;
    struct stream *other = &m->streams[back];
    if (other->arrived <= other->answered || other->arrived > now ||
        now - other->arrived > ANSWER_WAITS)
        return false;
    other->answered = other->arrived;
    return true;
}

/* Appends a message to its stream. The stream begins to move if it was idle. */
static void join(struct media *m, int32_t l, int32_t message, hn_time now)
{
    struct stream *stream = &m->streams[l];
    bool idle = stream->head < 0;
    m->messages[message].answers = answers(m, &m->connections.all[l], now);
    if (idle) {
        stream->head = message;
        stream->passed = 0;
        stream->begun = now;
    } else {
        m->messages[stream->tail].next = message;
    }
    stream->tail = message;
    stream->queued += m->messages[message].bytes;
    if (idle)
        be_ready(m, l, now);
}

/* Processes events until a message arrives. All times are ascending. Turns are given after each
 * event, since any of them may free a gate. */
bool media_next(struct media *m, int32_t *id, hn_time *time)
{
    while (events_any(&m->events) && !m->failed && !m->late) {
        struct event event = events_pop(&m->events);
        if (event.kind == EVENT_ARRIVAL) {
            *id = event.message;
            *time = event.time;
            return true;
        }
        if (event.kind == EVENT_BEGIN && m->connections.all[event.stream].use_count > 0)
            pass_machines(m, event);
        else if (event.kind == EVENT_BEGIN || event.kind == EVENT_ENTER)
            join(m, event.stream, event.message, event.time);
        else
            end_or_put_off(m, event.stream, event.time);
        give_turns(m, event.time);
        m->late = m->late || media_work(m) > m->work;
    }
    return false;
}

int64_t media_work(const struct media *m)
{
    return fair_work(m->fair);
}
