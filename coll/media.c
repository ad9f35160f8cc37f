/* media.c - fair sharing of channels, event by event, in integers.
 *
 * A lane is the connection from one rank to another: a queue of messages, the first of which is
 * moving. A moving message has a rate. All rates together are the max-min fair ones: as large as
 * possible for the slowest, then for the next, ..., where no channel carries more than its capacity
 * and no message moves faster than it would alone. They change only when a message begins or ends
 * to move; in between, a message that has `left` to go at rate r ends after left / r.
 *
 * Units: rates in thousandths of a byte a second; what is left in byte * 10^15, so that rate *
 * picoseconds is exact.
 *
 * Cost: a begin or end concerns the messages that depend on it (fair.h); where nothing is scarce,
 * and when an equal message of the same lane follows, it costs O(log n).
 */
#include "media.h"

#include "fair.h"

#include <stdlib.h>
#include <string.h>

static const int64_t unit = 1000000000000000; /* of `left`, per byte */

struct message {
    int32_t id;
    int32_t next; /* in the lane's queue; -1: the last */
    int64_t bytes;
};

struct lane {
    int from, to;
    int32_t head, tail; /* messages; -1: none */
    hn_time latency;    /* of the message that moves */
    __int128 left;
    int64_t rate, own_rate; /* now; alone */
    hn_time since;          /* left is as of this time */
    hn_time due;            /* when the end event that counts happens: in time, or too early */
    int version;            /* of the end event that counts */
    int way_count;
    hn_channel way[HN_WAY_MOST];
    bool moving;
};

enum kind { BEGIN, END, ARRIVAL };

struct event {
    hn_time time;
    uint64_t order; /* among equal times: first in, first out */
    int32_t lane, message;
    int version;
    uint8_t kind;
};

struct media {
    const struct model *model;
    bool failed;
    struct lane *lanes;
    int32_t lane_count, lane_room;
    int32_t *index; /* hash table of lanes by (from, to) */
    size_t index_size;
    struct message *messages;
    int32_t message_count, message_room;
    struct event *heap;
    size_t heap_count, heap_room;
    uint64_t order;
    struct fair *fair; /* rates of the lanes that move on channels */
};

/* ---- events ------------------------------------------------------------------------------------
 */

static bool before(const struct event *a, const struct event *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void push(struct media *m, struct event event)
{
    if (m->heap_count == m->heap_room) {
        size_t room = m->heap_room ? 2 * m->heap_room : 256;
        struct event *grown = realloc(m->heap, room * sizeof *grown);
        if (!grown) {
            m->failed = true;
            return;
        }
        m->heap = grown;
        m->heap_room = room;
    }
    event.order = m->order++;
    size_t i = m->heap_count++;
    for (; i > 0 && before(&event, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = event;
}

static struct event pop(struct media *m)
{
    struct event top = m->heap[0], last = m->heap[--m->heap_count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < m->heap_count; i = child) {
        if (child + 1 < m->heap_count && before(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!before(&m->heap[child], &last))
            break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = last;
    return top;
}

/* ---- lanes -------------------------------------------------------------------------------------
 */

static size_t lane_slot(const struct media *m, int from, int to)
{
    uint64_t h = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * 0x9e3779b97f4a7c15u;
    size_t slot = (h >> 24) & (m->index_size - 1);
    while (m->index[slot] >= 0 &&
           (m->lanes[m->index[slot]].from != from || m->lanes[m->index[slot]].to != to))
        slot = (slot + 1) & (m->index_size - 1);
    return slot;
}

/* Doubles the table of lanes and its index, which is kept half empty. */
static bool lanes_grow(struct media *m)
{
    int32_t room = m->lane_room ? 2 * m->lane_room : 64;
    struct lane *lanes = realloc(m->lanes, (size_t)room * sizeof *lanes);
    if (lanes)
        m->lanes = lanes;
    int32_t *index = realloc(m->index, 2 * (size_t)room * sizeof *index);
    if (index)
        m->index = index;
    if (!lanes || !index)
        return false;
    m->lane_room = room;
    m->index_size = 2 * (size_t)room;
    memset(m->index, 0xff, m->index_size * sizeof *m->index);
    for (int32_t i = 0; i < m->lane_count; i++)
        m->index[lane_slot(m, m->lanes[i].from, m->lanes[i].to)] = i;
    return true;
}

static int32_t lane_of(struct media *m, int from, int to)
{
    if (m->lane_count == m->lane_room && !lanes_grow(m))
        return -1;
    size_t slot = lane_slot(m, from, to);
    if (m->index[slot] < 0) {
        struct lane *lane = &m->lanes[m->lane_count];
        *lane = (struct lane){.from = from, .to = to, .head = -1, .tail = -1};
        lane->way_count = model_way(m->model, from, to, lane->way);
        m->index[slot] = m->lane_count++;
    }
    return m->index[slot];
}

/* ---- rates -------------------------------------------------------------------------------------
 */

/* When a lane's message has moved completely, at its present rate. */
static hn_time end_of(const struct lane *lane)
{
    __int128 rest = (lane->left + lane->rate - 1) / lane->rate;
    return rest > INT64_MAX - lane->since ? INT64_MAX : lane->since + (hn_time)rest;
}

static void push_end(struct media *m, int32_t l)
{
    struct lane *lane = &m->lanes[l];
    lane->due = end_of(lane);
    push(m, (struct event){.time = lane->due, .lane = l, .version = ++lane->version, .kind = END});
}

/* The set of moving lanes has changed: those that it concerns go on at their new rates. */
static void share_out(struct media *m, hn_time now)
{
    int count;
    const int *changed = fair_changed(m->fair, &count);
    for (int i = 0; i < count; i++) {
        struct lane *lane = &m->lanes[changed[i]];
        int64_t rate = fair_rate(m->fair, changed[i]);
        if (rate == lane->rate)
            continue;
        lane->left -= (__int128)lane->rate * (now - lane->since);
        if (lane->left < 0)
            lane->left = 0;
        lane->since = now;
        bool slower = rate < lane->rate;
        lane->rate = rate;
        if (!slower || end_of(lane) < lane->due)
            push_end(m, changed[i]);
    }
}

/* ---- beginning and ending to move --------------------------------------------------------------
 */

static hn_time time_alone(const struct media *m, const struct lane *lane, int64_t bytes)
{
    return model_cost(m->model, lane->from, lane->to, bytes).travel - lane->latency;
}

static int64_t rate_alone(const struct media *m, const struct lane *lane, int64_t bytes)
{
    hn_time alone = time_alone(m, lane, bytes);
    __int128 all = (__int128)bytes * unit;
    return alone > 0 && all / alone < INT64_MAX ? (int64_t)(all / alone) : INT64_MAX;
}

/* The first message of a lane begins to move. */
static void begin(struct media *m, int32_t l, hn_time now)
{
    struct lane *lane = &m->lanes[l];
    int64_t bytes = m->messages[lane->head].bytes;
    lane->latency = model_cost(m->model, lane->from, lane->to, 0).travel;
    lane->moving = true;
    lane->since = now;
    lane->rate = 0;
    if (lane->way_count == 0 || bytes == 0) {
        hn_time end = now + time_alone(m, lane, bytes);
        push(m, (struct event){.time = end, .lane = l, .version = ++lane->version, .kind = END});
        return;
    }
    lane->left = (__int128)bytes * unit;
    lane->own_rate = rate_alone(m, lane, bytes);
    if (!fair_join(m->fair, l, lane->own_rate, lane->way, lane->way_count, unit * 1000))
        m->failed = true;
    share_out(m, now);
}

/* The next message of a lane that is like the last one moves on at its rate. */
static bool goes_on(struct media *m, int32_t l, hn_time now)
{
    struct lane *lane = &m->lanes[l];
    if (lane->head < 0)
        return false;
    int64_t bytes = m->messages[lane->head].bytes;
    if (bytes == 0 || rate_alone(m, lane, bytes) != lane->own_rate)
        return false;
    lane->left = (__int128)bytes * unit;
    lane->since = now;
    push_end(m, l);
    return true;
}

static void end(struct media *m, int32_t l, hn_time now)
{
    struct lane *lane = &m->lanes[l];
    struct message *message = &m->messages[lane->head];
    bool shared = lane->way_count > 0 && message->bytes > 0;
    push(m, (struct event){
                .time = now + lane->latency, .lane = l, .message = message->id, .kind = ARRIVAL});
    lane->head = message->next;
    if (lane->head < 0)
        lane->tail = -1;
    if (shared && goes_on(m, l, now))
        return;
    lane->moving = false;
    if (shared) {
        fair_leave(m->fair, l);
        share_out(m, now);
    }
    if (lane->head >= 0)
        begin(m, l, now);
}

/* An end event may be too early, since the lane has become slower. */
static void end_or_put_off(struct media *m, int32_t l, hn_time now)
{
    const struct lane *lane = &m->lanes[l];
    if (lane->rate > 0 && end_of(lane) > now)
        push_end(m, l);
    else
        end(m, l, now);
}

/* ---- the interface -----------------------------------------------------------------------------
 */

struct media *media_new(const struct model *model, int32_t messages)
{
    struct media *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    const hn_net *net = model_net(model);
    m->model = model;
    m->fair = fair_new(net ? hn_net_channel_count(net) : 0);
    m->messages = malloc(((size_t)messages + 1) * sizeof *m->messages);
    m->message_room = messages;
    if (!m->fair || !m->messages) {
        media_free(m);
        return NULL;
    }
    return m;
}

void media_free(struct media *m)
{
    if (!m)
        return;
    free(m->lanes);
    free(m->index);
    free(m->messages);
    free(m->heap);
    fair_free(m->fair);
    free(m);
}

bool media_failed(const struct media *m)
{
    return m->failed;
}

bool media_send(struct media *m, int32_t id, int from, int to, int64_t bytes, hn_time time)
{
    int32_t l = lane_of(m, from, to);
    if (l < 0 || m->message_count == m->message_room) {
        m->failed = true;
        return false;
    }
    m->messages[m->message_count] = (struct message){id, -1, bytes};
    push(m, (struct event){.time = time, .lane = l, .message = m->message_count, .kind = BEGIN});
    m->message_count++;
    return !m->failed;
}

/* A message joins the queue of its lane. */
static void join(struct media *m, int32_t l, int32_t message, hn_time now)
{
    struct lane *lane = &m->lanes[l];
    if (lane->tail >= 0)
        m->messages[lane->tail].next = message;
    else
        lane->head = message;
    lane->tail = message;
    if (!lane->moving)
        begin(m, l, now);
}

bool media_next(struct media *m, int32_t *id, hn_time *time)
{
    while (m->heap_count > 0 && !m->failed) {
        struct event event = pop(m);
        if (event.kind == ARRIVAL) {
            *id = event.message;
            *time = event.time;
            return true;
        }
        if (event.kind == BEGIN)
            join(m, event.lane, event.message, event.time);
        else if (event.version == m->lanes[event.lane].version)
            end_or_put_off(m, event.lane, event.time);
    }
    return false;
}
