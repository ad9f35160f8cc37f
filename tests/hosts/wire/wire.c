/* See wire.h for the model. */
#include "wire.h"
#include "agenda.h"
#include "cost.h"
#include "net/wide.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000ull

/* One frame; a frame to a group is shared by all its receivers. */
struct frame {
    struct frame *next; /* behind it in a bus port's queue */
    unsigned holders;
    size_t length;
    struct cost_content content;
    uint8_t data[];
};

struct port {
    int medium;
    struct wire_cost send, receive;
    uint64_t send_free, receive_free; /* when the host's own sending, receiving side is idle */
    uint64_t up_free, down_free;      /* when its wires are idle (switch, link) */
    uint64_t last_arrival;            /* of a frame sent here; jitter must not overtake it */
    struct frame *head, *tail;        /* a bus: waiting for the wire */
    uint64_t waiting;                 /* bytes of data accepted for the bus and not yet sent */
};

struct medium {
    struct wire_medium spec;
    int first, count; /* its ports, one after the other */
    bool busy;        /* a bus: a frame is on the wire */
    uint64_t free;    /* a bus: when the last frame has left it */
    int turn;         /* a bus: whom to ask first for the next frame */
};

struct wire {
    wire_give *give;
    void *context;
    uint64_t random;
    struct agenda agenda;
    struct medium *medium;
    int media;
    struct port *port;
    int ports;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* splitmix64: small, seeded, good enough for loss and jitter. */
static uint64_t wire_random(struct wire *w)
{
    uint64_t z = w->random += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static uint64_t frame_wire_ns(const struct frame *f, const struct medium *m)
{
    uint64_t bytes = later(f->length, WIRE_MIN_FRAME) + WIRE_EXTRA_BYTES;
    return bytes * 8 * NS_PER_S / m->spec.rate;
}

static uint64_t frame_host_ns(const struct frame *f, const struct wire_cost *cost)
{
    uint64_t message = f->content.ends_message ? cost->message_ns : 0;
    return message + f->content.bytes * cost->byte_ps / 1000;
}

static void frame_release(struct frame *f)
{
    if (--f->holders == 0)
        free(f);
}

static struct frame *frame_new(const uint8_t *data, size_t length)
{
    struct frame *f = malloc(sizeof *f + length);
    if (!f)
        return NULL;
    *f = (struct frame){.holders = 1, .length = length, .content = cost_of_frame(data, length)};
    memcpy(f->data, data, length);
    return f;
}

/* Put an event that holds the frame once more. Out of memory loses the frame, as a wire may. */
static bool wire_plan(struct wire *w, enum agenda_what what, uint64_t time, int port,
                      struct frame *f)
{
    struct agenda_event e = {.time = time, .frame = f, .port = port, .what = what};
    if (!agenda_put(&w->agenda, e))
        return false;
    f->holders++;
    return true;
}

static bool wire_lost(struct wire *w, const struct medium *m)
{
    return m->spec.loss_ppm && wire_random(w) % 1000000 < m->spec.loss_ppm;
}

static uint64_t wire_jitter(struct wire *w, const struct medium *m)
{
    return m->spec.jitter_ns ? wire_random(w) % (m->spec.jitter_ns + 1) : 0;
}

/* Bytes that a wire idle at FREE still has to carry. */
static bool wire_full(const struct medium *m, uint64_t free, uint64_t now)
{
    if (free <= now)
        return false;
    int64_t bits = wide_ratio((int64_t)(free - now), (int64_t)m->spec.rate, NS_PER_S);
    return (uint64_t)bits / 8 > m->spec.queue;
}

/* The frame reaches the host at port TO; its receiving side works on one frame at a time. */
static void port_receive(struct wire *w, int to, uint64_t time, struct frame *f)
{
    struct port *p = &w->port[to];
    p->receive_free = later(time, p->receive_free) + frame_host_ns(f, &p->receive);
    wire_plan(w, AGENDA_GIVE, p->receive_free, to, f);
}

/* The frame is in the switch (at TIME): it waits for the wire to host TO. */
static void switch_forward(struct wire *w, int to, uint64_t time, struct frame *f)
{
    struct port *p = &w->port[to];
    const struct medium *m = &w->medium[p->medium];
    if (wire_full(m, later(p->down_free, p->receive_free), time) || wire_lost(w, m))
        return;
    p->down_free = later(time, p->down_free) + frame_wire_ns(f, m);
    port_receive(w, to, p->down_free + m->spec.delay_ns / 2, f);
}

typedef void deliver(struct wire *w, int to, uint64_t time, struct frame *f);

/* Hand the frame to the port that its address names, or to all others. */
static void wire_each_receiver(struct wire *w, int from, uint64_t time, struct frame *f,
                               deliver *deliver_to)
{
    const struct medium *m = &w->medium[w->port[from].medium];
    if (f->data[0] & 1) {
        for (int to = m->first; to < m->first + m->count; to++)
            if (to != from)
                deliver_to(w, to, time, f);
        return;
    }
    int to = f->data[4] << 8 | f->data[5];
    if (to >= m->first && to < m->first + m->count && to != from)
        deliver_to(w, to, time, f);
}

/* A receiver on a bus or at the other end of a link: nothing more to wait for but its own cost. */
static void far_end(struct wire *w, int to, uint64_t time, struct frame *f)
{
    if (!wire_lost(w, &w->medium[w->port[to].medium]))
        port_receive(w, to, time, f);
}

/* Slots lost to collisions on average while COUNT senders wait for the bus at once: with the best
 * back-off one of them gets a slot with the chance A = (1 - 1/n)^(n-1), so 1/A - 1 slots are lost
 * (Metcalfe and Boggs 1976, section 6.2). */
static uint64_t bus_collision_ns(const struct medium *m, int count)
{
    if (!m->spec.collisions || count < 2)
        return 0;
    double chance = 1;
    for (int i = 1; i < count; i++)
        chance *= 1 - 1.0 / count;
    double slots = 1 / chance - 1;
    return (uint64_t)(slots * WIRE_SLOT_BITS * (double)NS_PER_S / (double)m->spec.rate);
}

/* Whose frame comes next, after whose turn it was; *COUNT says how many wait. -1: nobody. */
static int bus_choose(const struct wire *w, const struct medium *m, int *count)
{
    int chosen = -1;
    *count = 0;
    for (int i = 0; i < m->count; i++) {
        int port = m->first + (m->turn + i) % m->count;
        if (!w->port[port].head)
            continue;
        (*count)++;
        if (chosen < 0)
            chosen = port;
    }
    return chosen;
}

/* The bus is idle at this time: start the next frame, if one waits. */
static void bus_start(struct wire *w, struct medium *m, uint64_t time)
{
    int contenders, from = bus_choose(w, m, &contenders);
    if (from < 0)
        return;
    struct port *p = &w->port[from];
    struct frame *f = p->head;
    p->head = f->next;
    p->waiting -= f->length;
    m->turn = (from - m->first + 1) % m->count;
    m->free = later(time, m->free) + bus_collision_ns(m, contenders) + frame_wire_ns(f, m);
    m->busy = wire_plan(w, AGENDA_FREE, m->free, from, f);
    frame_release(f);
}

/* The frame's sender has it ready: it waits for the bus. */
static void bus_join(struct wire *w, int from, uint64_t time, struct frame *f)
{
    struct port *p = &w->port[from];
    struct medium *m = &w->medium[p->medium];
    f->holders++;
    f->next = NULL;
    if (p->head)
        p->tail->next = f;
    else
        p->head = f;
    p->tail = f;
    if (!m->busy)
        bus_start(w, m, time);
}

static bool bus_send(struct wire *w, int from, uint64_t ready, struct frame *f)
{
    struct port *p = &w->port[from];
    const struct medium *m = &w->medium[p->medium];
    if (p->waiting > m->spec.queue || !wire_plan(w, AGENDA_JOIN, ready, from, f))
        return false;
    p->waiting += f->length;
    return true;
}

/* Switch and link: the sender's own wire. */
static bool wire_transmit(struct wire *w, int from, uint64_t ready, struct frame *f)
{
    struct port *p = &w->port[from];
    const struct medium *m = &w->medium[p->medium];
    p->up_free = later(ready, p->up_free) + frame_wire_ns(f, m);
    uint64_t delay = m->spec.kind == WIRE_SWITCH ? m->spec.delay_ns / 2 : m->spec.delay_ns;
    uint64_t arrival = later(p->last_arrival, p->up_free + delay + wire_jitter(w, m));
    p->last_arrival = arrival;
    if (m->spec.kind == WIRE_SWITCH)
        return wire_plan(w, AGENDA_SWITCH, arrival, from, f);
    int to = from == m->first ? m->first + 1 : m->first;
    if (to < m->first + m->count)
        far_end(w, to, arrival, f);
    return true;
}

bool wire_send(struct wire *w, int from, uint64_t now, const uint8_t *data, size_t length)
{
    struct port *p = &w->port[from];
    const struct medium *m = &w->medium[p->medium];
    if (length < 2 * WIRE_ADDRESS_BYTES || length > WIRE_MAX_FRAME)
        return false;
    if (wire_full(m, later(p->send_free, p->up_free), now))
        return false;
    struct frame *f = frame_new(data, length);
    if (!f)
        return false;
    p->send_free = later(now, p->send_free) + frame_host_ns(f, &p->send);
    bool taken = m->spec.kind == WIRE_BUS ? bus_send(w, from, p->send_free, f)
                                          : wire_transmit(w, from, p->send_free, f);
    frame_release(f);
    return taken;
}

static void bus_done(struct wire *w, int from, uint64_t time, struct frame *f)
{
    struct medium *m = &w->medium[w->port[from].medium];
    uint64_t arrival = time + m->spec.delay_ns + wire_jitter(w, m);
    arrival = later(arrival, w->port[from].last_arrival);
    w->port[from].last_arrival = arrival;
    wire_each_receiver(w, from, arrival, f, far_end);
    m->busy = false;
    bus_start(w, m, time);
}

static void wire_do(struct wire *w, const struct agenda_event *e)
{
    switch (e->what) {
    case AGENDA_JOIN:
        bus_join(w, e->port, e->time, e->frame);
        break;
    case AGENDA_FREE:
        bus_done(w, e->port, e->time, e->frame);
        break;
    case AGENDA_SWITCH:
        wire_each_receiver(w, e->port, e->time, e->frame, switch_forward);
        break;
    case AGENDA_GIVE:
        w->give(w->context, e->port, e->frame->data, e->frame->length);
        break;
    }
    frame_release(e->frame);
}

void wire_run(struct wire *w, uint64_t now)
{
    while (w->agenda.count && w->agenda.event[0].time <= now) {
        struct agenda_event e = agenda_take(&w->agenda);
        wire_do(w, &e);
    }
}

uint64_t wire_next(const struct wire *w)
{
    return w->agenda.count ? w->agenda.event[0].time : WIRE_NEVER;
}

struct wire *wire_new(wire_give *give, void *context, uint64_t seed)
{
    struct wire *w = calloc(1, sizeof *w);
    if (w)
        *w = (struct wire){.give = give, .context = context, .random = seed};
    return w;
}

void wire_free(struct wire *w)
{
    if (!w)
        return;
    while (w->agenda.count)
        frame_release(agenda_take(&w->agenda).frame);
    for (int i = 0; i < w->ports; i++)
        for (struct frame *f = w->port[i].head, *next; f; f = next) {
            next = f->next;
            frame_release(f);
        }
    agenda_free(&w->agenda);
    free(w->medium);
    free(w->port);
    free(w);
}

int wire_add_medium(struct wire *w, const struct wire_medium *spec)
{
    struct medium *medium = reallocarray(w->medium, (size_t)w->media + 1, sizeof *medium);
    if (!medium)
        return -1;
    w->medium = medium;
    medium[w->media] = (struct medium){.spec = *spec, .first = w->ports};
    return w->media++;
}

int wire_add_port(struct wire *w, int medium, struct wire_cost send, struct wire_cost receive)
{
    struct medium *m = &w->medium[medium];
    bool last = medium == w->media - 1; /* a medium's ports stand together */
    if (!last || w->ports == WIRE_MAX_PORTS || (m->spec.kind == WIRE_LINK && m->count == 2))
        return -1;
    struct port *port = reallocarray(w->port, (size_t)w->ports + 1, sizeof *port);
    if (!port)
        return -1;
    w->port = port;
    port[w->ports] = (struct port){.medium = medium, .send = send, .receive = receive};
    m->count++;
    return w->ports++;
}

void wire_address(int port, uint8_t address[WIRE_ADDRESS_BYTES])
{
    const uint8_t bytes[WIRE_ADDRESS_BYTES] = {0x02,         'h', 'n', 0, (uint8_t)(port >> 8),
                                               (uint8_t)port}; /* 02: locally administered */
    memcpy(address, bytes, sizeof bytes);
}
