/* bound.c - lower bounds for every operation.
 *
 * The largest of these times, each of which every plan must spend:
 *
 *   path     what rank a contributes must reach every rank b that wants it: the shortest path from
 * a to b, each edge costing S + X + R (Bhat, lemma 1, generalised). When parts may be cut, pieces
 * overlap on their way, and only a message of no bytes is sure to need all of it. receive  what b
 * wants and lacks must pass b's receive port, which cannot begin before a first message is there.
 *   send     what others want of a must pass a's send port, and then travel.
 *   copies   a broadcast of whole messages doubles the number of copies at best, at the price of
 * the cheapest send.
 *
 * Per byte costs count from zero, constants once: a plan may put everything into one message.
 */
#include "bound.h"

#include <stdlib.h>

enum { ALL_PATHS_LIMIT = 256 };

static hn_time larger(hn_time a, hn_time b)
{
    return a > b ? a : b;
}

static hn_time smaller(hn_time a, hn_time b)
{
    return a < b ? a : b;
}

/* ---- paths -------------------------------------------------------------------------------------
 */

/* Shortest paths from one rank by Dijkstra's algorithm on the complete graph, O(n^2). */
static void shortest_paths(const struct model *model, int from, int64_t bytes, hn_time *distance,
                           bool *done)
{
    int n = model->ranks;
    for (int i = 0; i < n; i++) {
        distance[i] = i == from ? 0 : INT64_MAX;
        done[i] = false;
    }
    for (int round = 0; round < n; round++) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (next < 0 || distance[i] < distance[next]))
                next = i;
        done[next] = true;
        for (int i = 0; i < n; i++)
            if (!done[i])
                distance[i] =
                    smaller(distance[i], distance[next] + model_deliver(model, next, i, bytes));
    }
}

/* The farthest that a contribution of `from` to `part` must go, and the local part there. */
static hn_time reach(const struct request *req, const struct model *model, const hn_time *distance,
                     int from, int part)
{
    hn_time bound = 0;
    for (int to = 0; to < req->ranks; to++)
        if (request_needs(req, to, from, part))
            bound = larger(bound, distance[to] + model_local(model, to));
    return bound;
}

/* The bound by paths from one rank; parts of equal size share their paths. */
static hn_time paths_from(const struct request *req, const struct model *model, bool cut, int from,
                          hn_time *distance, bool *done)
{
    hn_time bound = 0;
    int64_t known = -1;
    for (int part = 0; part < request_parts(req); part++) {
        if (!request_contributes(req, from, part))
            continue;
        int64_t bytes = cut ? 0 : request_part_bytes(req, part);
        if (bytes != known)
            shortest_paths(model, from, bytes, distance, done);
        known = bytes;
        bound = larger(bound, reach(req, model, distance, from, part));
    }
    return bound;
}

static hn_time bound_by_paths(const struct request *req, const struct model *model, bool cut)
{
    bool one = req->op == OP_BCAST || req->op == OP_SCATTER;
    int n = req->ranks;
    hn_time bound = 0, *distance = malloc((size_t)n * sizeof *distance);
    bool *done = malloc((size_t)n * sizeof *done);
    if (distance && done)
        for (int from = one ? req->root : 0; from < (one ? req->root + 1 : n); from++)
            if (one || n <= ALL_PATHS_LIMIT)
                bound = larger(bound, paths_from(req, model, cut, from, distance, done));
    free(distance);
    free(done);
    return bound;
}

/* ---- ports -------------------------------------------------------------------------------------
 */

/* Bytes that a rank wants and cannot make itself, and bytes of it that others want. */
static void traffic(const struct request *req, int rank, int64_t *in, int64_t *out)
{
    *in = *out = 0;
    for (int part = 0; part < request_parts(req); part++) {
        bool gives = request_contributes(req, rank, part), wants = request_wants(req, rank, part);
        bool takes = wants && !gives, others = false;
        int64_t bytes = request_part_bytes(req, part);
        for (int peer = 0; peer < req->ranks && (gives || wants); peer++) {
            if (peer == rank)
                continue;
            takes = takes || (request_combines(req) && request_needs(req, rank, peer, part));
            others = others || request_needs(req, peer, rank, part);
        }
        *in += takes ? bytes : 0;
        *out += others ? bytes : 0;
    }
}

/* How long a message occupies a rank's port, and the time that it needs besides, before or after.
 */
static hn_time port_time(const struct model *model, struct cost c, bool in)
{
    if (model->port == PORT_BLOCKING)
        return c.send + c.travel + c.recv;
    return in ? c.recv : c.send;
}

/* The cheapest way to get `bytes` in (out): over all peers, the least constant, the least rest, and
 * the least time that a message spends before (after) it occupies this port. */
static hn_time bound_by_port(const struct model *model, int rank, int64_t bytes, bool in)
{
    hn_time constant = INT64_MAX, rest = INT64_MAX, way = INT64_MAX;
    for (int peer = 0; peer < model->ranks; peer++) {
        if (peer == rank)
            continue;
        int from = in ? peer : rank, to = in ? rank : peer;
        struct cost none = model_cost(model, from, to, 0), all = model_cost(model, from, to, bytes);
        hn_time port = port_time(model, none, in);
        constant = smaller(constant, port);
        rest = smaller(rest, port_time(model, all, in) - port);
        way = smaller(way, none.send + none.travel + none.recv - port);
    }
    return constant + rest + way;
}

static hn_time bound_by_ports(const struct request *req, const struct model *model)
{
    hn_time bound = 0;
    for (int rank = 0; rank < req->ranks; rank++) {
        int64_t in, out;
        traffic(req, rank, &in, &out);
        if (in > 0)
            bound = larger(bound, bound_by_port(model, rank, in, true));
        if (out > 0)
            bound = larger(bound, bound_by_port(model, rank, out, false));
    }
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

/* No broadcast of whole messages is faster than one in which every edge is the cheapest one; the
 * last copies go to those with the shortest local parts. And the root must send once. */
static hn_time bound_by_copies(const struct request *req, const struct model *model)
{
    int n = req->ranks;
    int64_t bytes = request_part_bytes(req, 0);
    hn_time busy = INT64_MAX, deliver = INT64_MAX, root = INT64_MAX, bound = 0;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            struct cost c = model_cost(model, from, to, bytes);
            if (from == to)
                continue;
            busy = smaller(busy, port_time(model, c, false));
            deliver = smaller(deliver, c.send + c.travel + c.recv);
            if (from == req->root)
                root = smaller(root, port_time(model, c, false));
        }
    hn_time *copies = malloc((size_t)n * sizeof *copies),
            *local = malloc((size_t)n * sizeof *local);
    if (copies && local && copy_times(busy, deliver, n - 1, copies)) {
        int count = 0;
        for (int rank = 0; rank < n; rank++)
            if (rank != req->root)
                local[count++] = model_local(model, rank);
        qsort(local, (size_t)count, sizeof *local, by_time);
        for (int k = 0; k < count; k++)
            bound = larger(bound, copies[k] + local[count - 1 - k]);
    }
    free(copies);
    free(local);
    return larger(bound, root + model_local(model, req->root));
}

hn_time lower_bound(const struct request *req, const struct model *model, bool cut)
{
    if (req->ranks == 1)
        return 0;
    hn_time bound = larger(bound_by_paths(req, model, cut), bound_by_ports(req, model));
    if (req->op == OP_BCAST && !cut)
        bound = larger(bound, bound_by_copies(req, model));
    return bound;
}
