/* connection.c - routes between ranks, and the costs of messages on them. */
#include "model/connection.h"

#include "model/array_grow.h"

#include "probe/internal.h"

#include <stdlib.h>
#include <string.h>

/* Payload bytes of a TCP/IPv4 packet on Ethernet, and the bytes of its headers on the wire. A
 * packet without data takes as many. */
enum { PACKET = 1448, AROUND = 90 };

/* Index of the receiver's switch port on the route; -1: none. Channels of machines are numbered
 * after all others, and the port is the last channel before them. */
static int port_of(const struct model *model, const struct connection *c)
{
    const hn_net *net = model_net(model);
    if (!net || c->hops == 0 || hn_net_host(net, model_host(model, c->to))->recv_gap == 0 ||
        model_on_bus(model, c->to))
        return -1;
    int machines = hn_net_channel_count(net) - hn_net_machine_count(net), last = c->hops - 1;
    while (c->route[last].id >= machines)
        last--;
    return last;
}

/* The array grows before the number is taken, so that an existing number never lacks an entry. */
int32_t connection_of(struct connections *s, int from, int to)
{
    int32_t known = s->numbers.count;
    if (!ARRAY_GROW(s->all, known, s->room, 64)) /* before it gets a number */
        return -1;
    int32_t number = numbering_of(&s->numbers, from, to);
    if (number < 0 || number < known)
        return number;
    struct connection *c = &s->all[number];
    c->part = PART_ALL;
    c->from = from;
    c->to = to;
    c->bytes = -1;
    c->hops = model_route(s->model, from, to, c->route);
    c->port = port_of(s->model, c);
    c->alone = c->hops ? model_pair(s->model, from, to).per_byte : 0;
    c->use_count = model_machines(s->model, from, to, c->use);
    c->overhead = model_overhead(c->route, c->hops, &c->message);
    if (model_on_bus(s->model, from) || model_on_bus(s->model, to))
        c->around = c->overhead / 2 < AROUND ? c->overhead / 2 : AROUND;
    else
        c->around = 0;
    return number;
}

/* Without making it: -1 if no message has been on it. */
int32_t connection_known(const struct connections *s, int from, int to)
{
    return numbering_find(&s->numbers, from, to);
}

/* Keeps only the receiver's port, which occupies no machine and has no fixed time on a bus. */
static void keep_port(struct connection *c)
{
    c->use_count = 0;
    c->hops = c->port >= 0;
    c->overhead = c->around = 0;
    if (c->port < 0)
        return;
    c->route[0] = c->route[c->port];
    c->port = 0;
    c->alone = c->route[0].per_byte;
}

/* Removes that port. */
static void leave_port(struct connection *c)
{
    if (c->port < 0)
        return;
    c->hops--;
    memmove(&c->route[c->port], &c->route[c->port + 1],
            (size_t)(c->hops - c->port) * sizeof *c->route);
    c->port = -1;
}

/* Keys of parts are beyond the ranks, so they do not collide with those of whole connections. */
int32_t connection_part(struct connections *s, int from, int to, enum part part)
{
    int32_t all = connection_of(s, from, to), known = s->numbers.count;
    if (all < 0 || part == PART_ALL)
        return all;
    int ranks = s->model->ranks; /* numbers of ranks are below this */
    int32_t number = part == PART_PORT
                         ? numbering_of(&s->numbers, 2 * ranks, model_host(s->model, to))
                         : numbering_of(&s->numbers, ranks + from, to);
    if (number < 0 || number < known)
        return number;
    if (!ARRAY_GROW(s->all, number, s->room, 64))
        return -1;
    struct connection *c = &s->all[number];
    *c = s->all[all];
    c->bytes = -1;
    c->part = part;
    if (part == PART_PORT)
        keep_port(c);
    else
        leave_port(c);
    return number;
}

/* Overhead bytes of a message on a bus or port. If the packet is full, the time of a byte already
 * includes the headers on a bus. Partly filled packets count in proportion. */
static int64_t besides(const struct connection *c, int64_t bytes)
{
    return c->overhead - (bytes < PACKET ? c->around * bytes / PACKET : 0);
}

/* If the first bytes of a message are more expensive, because they pass one wire after the other,
 * their extra cost delays this message only. Overhead on a bus is a part of the constant. */
static void weigh_time(const struct model *model, struct connection *c, int64_t bytes)
{
    hn_time constant = model_cost(model, c->from, c->to, 0).travel;
    hn_time all = c->cost.travel - constant, busy = all;
    if (c->hops > 0) {
        hn_time later = hn_cost_time(0, model_pair(model, c->from, c->to).per_byte, bytes);
        busy = later < all ? later : all;
    }
    hn_time more = c->overhead > 0 ? wide_ratio(c->load - bytes, c->message, c->overhead) : 0;
    more = more < constant ? more : constant;
    c->latency = constant - more + all - busy;
    c->busy = busy + more;
}

/* The time of a channel for a message. For the overhead no channel is busy longer than the bus or
 * port that asks for it. */
static hn_time time_on(const struct connection *c, int i)
{
    hn_time bytes = wide_ratio(c->bytes, c->route[i].per_byte, 1000);
    hn_time more = wide_ratio(c->load - c->bytes, c->route[i].per_byte, 1000);
    more = more < c->message ? more : c->message;
    return bytes < HN_COST_MOST ? bytes + more : HN_COST_MOST;
}

/* The last result is kept, as most messages of a connection have the same size. */
void connection_weigh(const struct connections *s, struct connection *c, int64_t bytes)
{
    if (c->bytes == bytes)
        return;
    c->bytes = bytes;
    c->load = bytes + besides(c, bytes);
    /* A port part has no ends and no latency: it is a message on its way. */
    if (c->part == PART_PORT) {
        c->less = 0;
        c->busy = hn_cost_time(0, c->alone, bytes);
        c->latency = 0;
        return;
    }
    c->cost = model_cost(s->model, c->from, c->to, bytes);
    weigh_time(s->model, c, bytes);
    c->less = c->around > 0 ? wide_ratio(c->busy, c->around, c->load) + 1 : 0; /* rounded up */
}

const hn_channel *connection_channels(const struct connection *c, hn_channel room[HN_WAY_MOST])
{
    if (c->overhead == 0)
        return c->route;
    for (int i = 0; i < c->hops; i++) {
        /* Rounded up, so that no channel exceeds its capacity. */
        hn_per_byte least = wide_ratio(time_on(c, i) + 2, 1000, c->load) + 1;
        room[i] = c->route[i];
        room[i].per_byte = least < c->route[i].per_byte ? least : c->route[i].per_byte;
    }
    return room;
}

void connections_free(struct connections *s)
{
    numbering_free(&s->numbers);
    free(s->all);
}
