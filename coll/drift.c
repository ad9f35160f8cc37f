/* drift.c - measured ways explained by ports, links and single ways (drift.h). Cost: O(n^2). */
#include "drift.h"

#include "hnow.h"

#include <stdlib.h>

enum { DRIFTED = 1500, LARGE = 256 << 10, SMALL = 16 << 10 };
/* A message for measuring takes about so long where nothing has changed. */
static const hn_time patience = 30000000000; /* ps */

/* ---- what to measure ---------------------------------------------------------------------------
 */

/* The first rank of its host. */
static bool stands_for_host(const struct model *model, int rank)
{
    for (int r = 0; r < rank; r++)
        if (model->host ? model->host[r] == model->host[rank] : false)
            return false;
    return true;
}

/* The first and second host of a rank's subnet; -1: there is none. */
static void find_firsts(const struct model *model, int rank, int first[2])
{
    first[0] = first[1] = -1;
    for (int r = 0; r < model->ranks && first[1] < 0; r++)
        if (model_subnet(model, r) == model_subnet(model, rank) && stands_for_host(model, r))
            first[first[0] >= 0] = r;
}

static int64_t size_for(const struct model *model, int from, int to)
{
    int64_t bytes = LARGE;
    while (bytes > SMALL && model_deliver(model, from, to, bytes) > patience)
        bytes /= 2;
    return bytes;
}

static void add(struct drift *drift, const struct model *model, int a, int b)
{
    int64_t there = size_for(model, a, b), back = size_for(model, b, a);
    drift->ways[drift->count++] = (struct drift_way){a, b, there, DRIFT_NONE};
    drift->ways[drift->count++] = (struct drift_way){b, a, back, DRIFT_NONE};
}

/* The pairs of a host that others have not added yet. */
static void add_pairs_of(struct drift *drift, const struct model *model, int rank)
{
    int mine[2], other[2];
    find_firsts(model, rank, mine);
    if (rank != mine[0])
        add(drift, model, mine[0], rank);
    if (rank != mine[0] && rank != mine[1])
        add(drift, model, mine[1], rank);
    for (int r = 0; r < rank && rank == mine[0]; r++) {
        find_firsts(model, r, other);
        if (r == other[0] && other[0] != mine[0])
            add(drift, model, r, rank);
    }
}

int drift_ways(const struct model *model, struct drift *drift)
{
    size_t n = (size_t)model->ranks;
    *drift = (struct drift){.ways = calloc(2 * n * (n + 2), sizeof *drift->ways)};
    if (!drift->ways)
        return HN_ENOMEM;
    for (int rank = 0; rank < model->ranks; rank++)
        if (stands_for_host(model, rank))
            add_pairs_of(drift, model, rank);
    return HN_OK;
}

void drift_free(struct drift *drift)
{
    free(drift->ways);
    *drift = (struct drift){0};
}

int64_t drift_factor(const struct model *model, const struct drift_way *way, int64_t nanoseconds)
{
    hn_time stated = model_deliver(model, way->from, way->to, way->bytes);
    __int128 factor = (__int128)nanoseconds * 1000 * DRIFT_NONE / (stated > 0 ? stated : 1);
    return factor < DRIFTED ? DRIFT_NONE : factor < 1000000 ? (int64_t)factor : 1000000;
}

const struct drift_way *drift_worst(const struct drift *drift)
{
    const struct drift_way *worst = &drift->ways[0];
    for (int i = 1; i < drift->count; i++)
        if (drift->ways[i].factor > worst->factor)
            worst = &drift->ways[i];
    return worst;
}

/* ---- what explains it --------------------------------------------------------------------------
 */

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of a rank's port: the least factor of all ways out of it, or into it; DRIFT_NONE also where fewer
 * than two were measured. */
static int64_t of_port(const struct drift *drift, int rank, bool out)
{
    int64_t factor = INT64_MAX;
    int count = 0;
    for (int i = 0; i < drift->count; i++) {
        const struct drift_way *w = &drift->ways[i];
        if ((out ? w->from : w->to) != rank)
            continue;
        count++;
        factor = w->factor < factor ? w->factor : factor;
    }
    return count >= 2 ? factor : DRIFT_NONE;
}

static int64_t of_way(const struct drift *drift, int from, int to)
{
    for (int i = 0; i < drift->count; i++)
        if (drift->ways[i].from == from && drift->ways[i].to == to)
            return drift->ways[i].factor;
    return DRIFT_NONE;
}

/* ---- making the changes ------------------------------------------------------------------------
 */

struct changes {
    const struct drift *drift;
    const struct model *model;
    int64_t *out, *in; /* [rank] */
};

/* Of the link between two subnets (or inside one): the least factor of the ways over it that no
 * port explains. */
static int64_t of_link(const struct changes *c, int from, int to)
{
    int64_t factor = INT64_MAX;
    for (int i = 0; i < c->drift->count; i++) {
        const struct drift_way *w = &c->drift->ways[i];
        if (model_subnet(c->model, w->from) != from || model_subnet(c->model, w->to) != to)
            continue;
        int64_t ports = most(c->out[w->from], c->in[w->to]);
        int64_t rest = w->factor > ports + ports / 4 ? w->factor : DRIFT_NONE;
        factor = rest < factor ? rest : factor;
    }
    return factor < INT64_MAX ? factor : DRIFT_NONE;
}

static int64_t factor_of(const struct changes *c, int from, int to)
{
    int64_t ports = most(c->out[from], c->in[to]);
    int64_t link = of_link(c, model_subnet(c->model, from), model_subnet(c->model, to));
    return most(most(ports, link), of_way(c->drift, from, to));
}

static int64_t times(int64_t cost, int64_t factor)
{
    __int128 changed = (__int128)cost * factor / DRIFT_NONE;
    return changed < HN_PER_BYTE_MOST ? (int64_t)changed : HN_PER_BYTE_MOST;
}

static int change_way(const struct changes *c, hn_net *net, int from, int to)
{
    const int *host = c->model->host;
    int a = host ? host[from] : from, b = host ? host[to] : to;
    int64_t factor = factor_of(c, from, to);
    if (a == b || factor == DRIFT_NONE)
        return HN_OK;
    hn_pair_cost cost = hn_net_pair(net, a, b);
    cost.per_byte = times(cost.per_byte, factor);
    cost.first_per_byte = times(cost.first_per_byte, factor);
    return hn_net_set_pair(net, a, b, cost);
}

static int change_port(const struct changes *c, hn_net *net, int rank)
{
    int host = c->model->host ? c->model->host[rank] : rank;
    hn_host_cost cost = *hn_net_host(net, host);
    cost.send_gap = times(cost.send_gap, c->out[rank]);
    cost.recv_gap = times(cost.recv_gap, c->in[rank]);
    return hn_net_set_host(net, host, &cost);
}

int drift_apply(const struct drift *drift, const struct model *model, hn_net *net)
{
    int n = model->ranks, error = HN_OK;
    int64_t *factors = malloc(2 * (size_t)n * sizeof *factors);
    struct changes c = {drift, model, factors, factors + n};
    if (!factors)
        return HN_ENOMEM;
    for (int r = 0; r < n; r++) {
        c.out[r] = of_port(drift, r, true);
        c.in[r] = of_port(drift, r, false);
    }
    for (int from = 0; from < n && !error; from++)
        for (int to = 0; to < n && !error; to++)
            if (stands_for_host(model, from) && stands_for_host(model, to))
                error = change_way(&c, net, from, to);
    for (int r = 0; r < n && !error; r++)
        if (stands_for_host(model, r))
            error = change_port(&c, net, r);
    free(factors);
    return error;
}
