/* bound.c - lower bounds for every operation.
 *
 * The result is the largest of these times, each of which every plan must spend:
 *
 *   paths     the contribution of a must reach every b that wants it (bound_paths.c)
 *   channels  data that must pass a bus, an uplink, a link or a port occupy it (bound_channels.c)
 *   ports     What a rank wants and lacks must pass its receive port, after the first message has
 *             arrived. What others want of it must pass its send port, and then travel. If sends
 *             and receives occupy the same rank, both times add up. Messages between two ranks
 *             travel one at a time, so the routes into a rank have a limited capacity together.
 *   spread    Data that one rank has and all want at best double with each send, at the lowest
 *             cost of a send. The reverse holds for a rank that wants data of all
 *             (bound_spread.c).
 *   late      a rank that gets its first bytes late gets all of them later, and has nothing to
 *             forward before (bound_late.c)
 *   total     an allreduce moves every byte 2(n-1) times, and the ranks' capacity is limited
 *             (bound_total.c)
 *   receives  for multiple multicasts: Wu's bound, repaired (bound_multicast.c)
 *
 * A plan may put everything into one message, or distribute it over all peers: the minimum counts.
 */
#include "model/bounds/bound.h"

#include "model/bounds/bounds.h"

#include "hnow.h"

#include <stdlib.h>

int64_t bound_least_message(const struct bounding *b)
{
    int64_t least = INT64_MAX;
    for (int part = 0; part < request_parts(b->req) && !b->cut; part++) {
        int64_t bytes = request_part_bytes(b->req, part);
        least = bytes > 0 && bytes < least ? bytes : least;
    }
    return least < INT64_MAX ? least : 0;
}

/* ---- ports ------------------------------------------------------------------------------ */

/* Minimum values for the ranks of a zone: occupation of their port by `bytes`, latency besides, and
 * the time for which all their routes together are busy, after the start of a send and before the
 * last bytes have been received. */
struct gate {
    int64_t bytes; /* -1: not computed yet */
    hn_time busy, latency, connections;
};

/* The capacity of the routes between two zones, for one rank: hosts / time of one transfer, in
 * 2^-80 a picosecond, rounded up. Rounded up: a larger capacity gives a lower bound. */
static wide room(const struct bounding *b, int zone, int other, hn_time time)
{
    const struct clusters *c = &b->zones->c;
    int ranks = c->first[other + 1] - c->first[other] - (zone == other);
    return wide_over(wide_plus(wide_up(wide_of(ranks), 80), wide_of(time - 1)), wide_of(time));
}

/* The lowest cost of `bytes` between two zones in any number of messages, with constants once. */
static struct cost least_cost(const struct bounding *b, int from, int to, int64_t bytes,
                              struct cost none)
{
    zones_set_bytes(b->zones, bytes);
    struct cost all = zones_cost(b->zones, from, to);
    bool whole = !b->cut && request_parts(b->req) == 1; /* one message, or copies of it */
    if (!whole)
        all.travel = none.travel + zones_growth(b->zones, from, to);
    return all;
}

/* The least of all peers for each value separately, which is no more than for any real peer. */
static struct gate look_at_gate(const struct bounding *b, int zone, int64_t bytes, bool in)
{
    struct zones *z = b->zones;
    struct gate port = {bytes, INT64_MAX, INT64_MAX, 0};
    wide rooms = wide_of(0);
    hn_time ends = INT64_MAX;
    bool endless = false;
    for (int other = 0; other < z->c.count; other++) {
        int from = in ? other : zone, to = in ? zone : other;
        if (!zones_linked(z, from, to))
            continue;
        zones_set_bytes(z, 0);
        struct cost none = zones_cost(z, from, to), all = least_cost(b, from, to, bytes, none);
        port.busy = int64_smaller(port.busy, bound_port_time(b->model, all, in));
        port.latency = int64_smaller(port.latency, none.send + none.travel + none.recv -
                                                       bound_port_time(b->model, none, in));
        ends = int64_smaller(ends, none.send + none.travel + none.recv);
        hn_time connection = zones_connection(z, from, to);
        /* A route without a limit makes the routes together unlimited. */
        endless = endless || connection <= 0;
        if (!endless)
            rooms = wide_plus(rooms, room(b, zone, other, connection));
    }
    if (b->model->port == PORT_MEDIA && !endless && wide_less(wide_of(0), rooms))
        port.connections = ends + wide_int64(wide_over(wide_up(wide_of(1), 80), rooms));
    return port;
}

/* The minimum values of a zone, computed once for a size. */
static const struct gate *gate_of(const struct bounding *b, struct gate *ports, int zone,
                                  int64_t bytes, bool in)
{
    if (ports[zone].bytes != bytes)
        ports[zone] = look_at_gate(b, zone, bytes, in);
    return &ports[zone];
}

/* What a rank must receive, what it must send, and both together where they occupy the same rank.
 */
static hn_time rank_by_ports(const struct bounding *b, struct gate *ins, struct gate *outs,
                             int rank)
{
    struct crossing c = volume_crossing(b->volume, &rank, 1);
    int zone = b->zones->c.of[rank];
    hn_time in = 0, out = 0, bound = 0;
    if (c.in > 0) {
        const struct gate *p = gate_of(b, ins, zone, c.in, true);
        zones_set_bytes(b->zones, c.in);
        in = p->busy + zones_extra_recv(b->zones, rank);
        bound = int64_larger(in + p->latency, p->connections);
    }
    if (c.out > 0) {
        const struct gate *p = gate_of(b, outs, zone, c.out, false);
        zones_set_bytes(b->zones, c.out);
        out = p->busy + zones_extra_send(b->zones, rank);
        bound = int64_larger(bound, int64_larger(out + p->latency, p->connections));
    }
    /* With blocking ports sends and receives have ports of their own. */
    return b->model->port == PORT_BLOCKING ? bound : int64_larger(bound, in + out);
}

/* Ranks are examined zone by zone, so that the values of a zone are computed once for equal sizes.
 */
static hn_time bound_by_ports(const struct bounding *b)
{
    int zones = b->zones->c.count;
    struct gate *ins = malloc((size_t)zones * sizeof *ins),
                *outs = malloc((size_t)zones * sizeof *ins);
    hn_time bound = 0;
    for (int zone = 0; ins && outs && zone < zones; zone++)
        ins[zone].bytes = outs[zone].bytes = -1;
    for (int i = 0; ins && outs && i < b->req->ranks && b->zones->work < ZONES_WORK; i++)
        bound = int64_larger(bound, rank_by_ports(b, ins, outs, b->zones->c.member[i]));
    free(ins);
    free(outs);
    return bound;
}

/* ---- all -------------------------------------------------------------------------------- */

/* The bounds by prices come last: they stop early if the others are as good already. */
static hn_time largest(const struct bounding *b, bool published)
{
    bool broadcast = b->req->op == OP_BCAST && !b->cut && b->zones->c.count > 0;
    hn_time bound = b->zones->c.count > 0 ? bound_by_paths(b) : 0;
    if (broadcast)
        bound = int64_larger(bound, bound_by_copies(b));
    if (published)
        return bound;
    if (b->zones->c.count > 0) {
        bound = int64_larger(int64_larger(bound, bound_by_knowledge(b)), bound_by_ports(b));
        bound = int64_larger(int64_larger(bound, bound_by_late(b)), bound_by_total(b));
    }
    bound = int64_larger(bound, bound_by_receives(b));
    bound = int64_larger(bound, bound_by_channels(b));
    bound = int64_larger(bound, bound_by_trees(b, bound));
    return int64_larger(bound, bound_by_flows(b, bound));
}

/* One rank has no messages. Without memory the bound is 0. */
static hn_time find(const struct request *req, const struct model *model, bool cut, bool published)
{
    struct zones zones = {0};
    struct volume volume = {0};
    struct bounding b = {req, model, cut, &zones, &volume};
    hn_time bound = 0;
    if (req->ranks > 1 && zones_begin(&zones, model) == HN_OK &&
        volume_begin(&volume, req) == HN_OK)
        bound = largest(&b, published);
    zones_end(&zones);
    volume_end(&volume);
    return bound;
}

hn_time lower_bound(const struct request *req, const struct model *model, bool cut)
{
    return find(req, model, cut, false);
}

hn_time broadcast_bound(const struct request *req, const struct model *model)
{
    /* A single rank does only its own part. */
    return req->ranks == 1 ? model_local(model, 0) : find(req, model, false, true);
}
