/* bound.c - lower bounds for every operation.
 *
 * The largest of three times, each of which every plan must spend:
 *
 *   path     what rank a contributes must reach every rank b that wants it: the shortest path from
 * a to b, each edge costing S + X + R (Bhat, lemma 1, generalised). When parts may be cut, pieces
 * overlap on their way, and only a message of no bytes is sure to need all of it. receive  what b
 * wants and lacks must pass b's receive port, which cannot begin before a first message is there.
 *   send     what others want of a must pass a's send port, and then travel.
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

/* The farthest that a contribution of `from` to `part` must go. */
static hn_time reach(const struct request *req, const hn_time *distance, int part)
{
    hn_time bound = 0;
    for (int to = 0; to < req->ranks; to++)
        if (request_wants(req, to, part))
            bound = larger(bound, distance[to]);
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
        bound = larger(bound, reach(req, distance, part));
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
        int64_t bytes = request_part_bytes(req, part);
        if (wants && (!gives || request_combines(req)))
            *in += bytes;
        bool others = !wants;
        for (int to = 0; gives && !others && to < req->ranks; to++)
            others = to != rank && request_wants(req, to, part);
        if (gives && others)
            *out += bytes;
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

hn_time lower_bound(const struct request *req, const struct model *model, bool cut)
{
    if (req->ranks == 1)
        return 0;
    return larger(bound_by_paths(req, model, cut), bound_by_ports(req, model));
}
