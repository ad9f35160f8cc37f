/* bound.c - lower bounds for every operation.
 *
 * The largest of these times, each of which every plan must spend:
 *
 *   paths     what a contributes must reach every b that wants it (bound_paths.c)
 *   channels  what must pass a bus, an uplink, a link or a port takes the time that it takes there
 *             (bound_channels.c)
 *   ports     what a rank wants and lacks must pass its receive port, after a first message has
 *             come; what others want of it its send port, and then travel.  Where sends and
 *             receives occupy the same rank, both times add up.  Between two ranks one message
 *             travels at a time: all ways into a rank together have so much room.
 *   copies    what one has and all want doubles with each send at best, at the price of the
 *             cheapest one; and so does what one wants of all, looked at from the end
 *   receives  of a multiple multicast: Wu's, repaired (bound_multicast.c)
 *
 * A plan may put everything into one message, or spread it over all peers: the cheapest counts.
 */
#include "bound.h"

#include "bounds.h"

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

/* ---- ports -------------------------------------------------------------------------------------
 */

/* How long a message occupies a rank's port. */
static hn_time port_time(const struct model *model, struct cost c, bool in)
{
    if (model->port == PORT_BLOCKING)
        return c.send + c.travel + c.recv;
    return in ? c.recv : c.send;
}

/* What the ranks of a zone have in common: the least time that `bytes` occupy their port, the least
 * that a message spends besides, and the least for which all ways together are busy with them:
 * after the start of a send, and before the last of them have come and been received. */
struct gate {
    int64_t bytes; /* -1: not known yet */
    hn_time busy, way, lanes;
};

/* The room of the ways between two zones, for one rank: hosts / time of one transfer, in 2^-80 a
 * picosecond, rounded up. */
static wide room(const struct bounding *b, int zone, int other, hn_time time)
{
    const struct clusters *c = &b->zones->c;
    int ranks = c->first[other + 1] - c->first[other] - (zone == other);
    return wide_over(wide_plus(wide_up(wide_of(ranks), 80), wide_of(time - 1)), wide_of(time));
}

/* The least that `bytes` cost between two zones, constants once, in however many messages. */
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
        port.busy = bound_smaller(port.busy, port_time(b->model, all, in));
        port.way = bound_smaller(port.way, none.send + none.travel + none.recv -
                                               port_time(b->model, none, in));
        ends = bound_smaller(ends, none.send + none.travel + none.recv);
        hn_time lane = zones_lane(z, from, to);
        endless = endless || lane <= 0;
        if (!endless)
            rooms = wide_plus(rooms, room(b, zone, other, lane));
    }
    if (b->model->port == PORT_MEDIA && !endless && wide_less(wide_of(0), rooms))
        port.lanes = ends + wide_int64(wide_over(wide_up(wide_of(1), 80), rooms));
    return port;
}

/* Least of a zone's ports, looked up once for a size. */
static const struct gate *gate_of(const struct bounding *b, struct gate *ports, int zone,
                                  int64_t bytes, bool in)
{
    if (ports[zone].bytes != bytes)
        ports[zone] = look_at_gate(b, zone, bytes, in);
    return &ports[zone];
}

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
        bound = bound_larger(in + p->way, p->lanes);
    }
    if (c.out > 0) {
        const struct gate *p = gate_of(b, outs, zone, c.out, false);
        zones_set_bytes(b->zones, c.out);
        out = p->busy + zones_extra_send(b->zones, rank);
        bound = bound_larger(bound, bound_larger(out + p->way, p->lanes));
    }
    return b->model->port == PORT_BLOCKING ? bound : bound_larger(bound, in + out);
}

static hn_time bound_by_ports(const struct bounding *b)
{
    int zones = b->zones->c.count;
    struct gate *ins = malloc((size_t)zones * sizeof *ins),
                *outs = malloc((size_t)zones * sizeof *ins);
    hn_time bound = 0;
    for (int zone = 0; ins && outs && zone < zones; zone++)
        ins[zone].bytes = outs[zone].bytes = -1;
    for (int i = 0; ins && outs && i < b->req->ranks && b->zones->work < ZONES_WORK; i++)
        bound = bound_larger(bound, rank_by_ports(b, ins, outs, b->zones->c.member[i]));
    free(ins);
    free(outs);
    return bound;
}

/* ---- copies ------------------------------------------------------------------------------------
 */

static int by_time(const void *a, const void *b)
{
    hn_time x = *(const hn_time *)a, y = *(const hn_time *)b;
    return x < y ? -1 : x > y;
}

/* The times at which a message of which every send takes `busy` and delivers after `deliver` can
 * have its k-th copy, k = 1 ... count, ascending, into copies[]. Copy by copy, the sender that is
 * free first sends: a queue of old senders and one of new ones, both in the order of time. */
static bool copy_times(hn_time busy, hn_time deliver, int count, hn_time *copies)
{
    hn_time *again = malloc(((size_t)count + 2) * sizeof *again);
    int again_first = 0, again_end = 1, fresh = 0;
    if (!again)
        return false;
    again[0] = 0;
    for (int made = 0; made < count; made++) {
        hn_time start;
        if (fresh < made && (again_first == again_end || copies[fresh] < again[again_first]))
            start = copies[fresh++];
        else
            start = again[again_first++];
        copies[made] = start + deliver;
        again[again_end++] = start + busy;
    }
    free(again);
    return true;
}

/* The least of what messages of some size take. */
struct cheapest {
    hn_time out, in; /* of a port that sends, that receives */
    hn_time deliver;
    hn_time root; /* of a port of the root that sends */
};

static struct cheapest find_cheapest(const struct bounding *b, int64_t bytes)
{
    struct zones *z = b->zones;
    struct cheapest least = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    zones_set_bytes(z, bytes);
    for (int from = 0; from < z->c.count; from++)
        for (int to = 0; to < z->c.count; to++) {
            if (!zones_linked(z, from, to))
                continue;
            struct cost c = zones_cost(z, from, to);
            hn_time out = port_time(b->model, c, false);
            least.out = bound_smaller(least.out, out);
            least.in = bound_smaller(least.in, port_time(b->model, c, true));
            least.deliver = bound_smaller(least.deliver, c.send + c.travel + c.recv);
            if (from == z->c.of[b->req->root])
                least.root = bound_smaller(least.root, out + zones_extra_send(z, b->req->root));
        }
    return least;
}

/* No broadcast of whole messages is faster than one in which every edge is the cheapest one; the
 * last copies go to those with the shortest local parts. And the root must send once. */
static hn_time bound_by_copies(const struct bounding *b)
{
    int n = b->req->ranks, root_rank = b->req->root;
    hn_time bound = 0;
    struct cheapest least = find_cheapest(b, request_part_bytes(b->req, 0));
    hn_time *copies = malloc((size_t)n * sizeof *copies),
            *local = malloc((size_t)n * sizeof *local);
    if (copies && local && copy_times(least.out, least.deliver, n - 1, copies)) {
        int count = 0;
        for (int rank = 0; rank < n; rank++)
            if (rank != root_rank)
                local[count++] = model_local(b->model, rank);
        qsort(local, (size_t)count, sizeof *local, by_time);
        for (int k = 0; k < count; k++)
            bound = bound_larger(bound, copies[k] + local[count - 1 - k]);
    }
    free(copies);
    free(local);
    return bound_larger(bound, least.root + model_local(b->model, root_rank));
}

/* ---- spreading and collecting ------------------------------------------------------------------
 */

/* What a single rank has and all want reaches one more with every send of one who has it, however
 * it is cut: of its first byte, say, a message of no bytes is the least. And what a rank can know
 * at a time t, of contributions so many, is at most what it knew when it began its last receive and
 * what the sender knew when it began to send: K(t) = K(t - R) + K(t - S - X - R). That is a
 * broadcast backwards, in which receives take the place of sends. */
static hn_time bound_by_knowledge(const struct bounding *b)
{
    enum operation op = b->req->op;
    int n = b->req->ranks;
    bool spreads = op != OP_REDUCE && op != OP_GATHER,
         collects = op != OP_BCAST && op != OP_SCATTER;
    if (op == OP_MULTIMULTICAST)
        return 0;
    hn_time bound = 0, *times = malloc((size_t)n * sizeof *times);
    bool whole = !b->cut && request_parts(b->req) == 1;
    struct cheapest least = find_cheapest(b, whole ? request_part_bytes(b->req, 0) : 0);
    if (times && spreads && copy_times(least.out, least.deliver, n - 1, times))
        bound = times[n - 2];
    if (times && collects && copy_times(least.in, least.deliver, n - 1, times))
        bound = bound_larger(bound, times[n - 2]);
    free(times);
    return bound;
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static hn_time largest(const struct bounding *b, bool published)
{
    bool broadcast = b->req->op == OP_BCAST && !b->cut && b->zones->c.count > 0;
    hn_time bound = b->zones->c.count > 0 ? bound_by_paths(b) : 0;
    if (broadcast)
        bound = bound_larger(bound, bound_by_copies(b));
    if (published)
        return bound;
    if (b->zones->c.count > 0)
        bound = bound_larger(bound_larger(bound, bound_by_knowledge(b)), bound_by_ports(b));
    bound = bound_larger(bound, bound_by_trees(b));
    bound = bound_larger(bound, bound_by_receives(b));
    return bound_larger(bound, bound_by_channels(b));
}

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
    /* Who is alone has only its own part to do. */
    return req->ranks == 1 ? model_local(model, 0) : find(req, model, false, true);
}
