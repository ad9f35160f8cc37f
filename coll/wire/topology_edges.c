/* topology_edges.c - the edges that members have named (topology_edges.h). */
#include "wire/topology_edges.h"

#include "wire/call.h"

#include "runtime/internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Room for a graph.  first[] has two entries more than nodes, see topology_edges_graph(). */
int topology_graph_begin(struct topology_graph *g, int nodes, size_t edges)
{
    *g = (struct topology_graph){.nodes = nodes};
    g->first = arena_array(&g->arena, (size_t)nodes + 2, sizeof *g->first);
    ARENA_ARRAYS(&g->arena, edges, g->other, g->weight);
    return g->arena.failed ? error_set(HN_ENOMEM, "out of memory") : HN_OK;
}

/* Sent instead of a number of edges; no list can have it. */
#define NO_NODES   UINT64_MAX
#define NO_WEIGHTS (UINT64_MAX - 1)

/* Names the member whose list is wrong, at every member. */
static int bad_list(const hn_group *group, int node, uint64_t said)
{
    hn_tid tid = hn_group_tid(group, node);
    return error_set(HN_EARG, "graph: the list of task %d on host %s, node %d, %s", tid,
                     tids_host(tid), node,
                     said == NO_WEIGHTS ? "has a weight below 1" : "is not one of nodes");
}

/* The number of this member's edges, or what is wrong with them. */
static uint64_t own_edges(size_t nodes, const int *to, const int *weights, int count)
{
    if (count < 0 || (!to && count > 0))
        return NO_NODES;
    for (int i = 0; i < count; i++)
        if (to[i] < 0 || (size_t)to[i] >= nodes)
            return NO_NODES;
    for (int i = 0; i < count && weights; i++)
        if (weights[i] < 1)
            return NO_WEIGHTS;
    return (uint64_t)count;
}

/* Gathers a number for each edge. Each member's part has the length that the counts say;
 * HN_IN_PLACE: it is in its place already. */
static int gather_list(const hn_group *group, struct slot *slot, enum kind kind, const int *mine,
                       int *all, const struct topology_edges *e)
{
    struct call call = {.op = OP_ALLGATHERV,
                        .kind = kind,
                        .within = slot,
                        .group = group,
                        .in = mine,
                        .out = all,
                        .lists.vector = true,
                        .lists.counts = e->counts,
                        .lists.displs = e->first,
                        .type = HN_INT};
    return call_run(&call);
}

/* After the counts all members know whether a list is wrong, so none of them waits for its edges.
 */
int topology_edges_gather(const hn_group *group, struct slot *slot, const int *to,
                          const int *weights, int count, struct topology_edges *e)
{
    size_t n = (size_t)hn_group_size(group);
    uint64_t *counts = arena_array(&e->arena, n, sizeof *counts);
    uint64_t mine = own_edges(n, to, weights, count);
    e->counts = arena_array(&e->arena, n, sizeof *e->counts);
    e->first = arena_array(&e->arena, n + 1, sizeof *e->first);
    int error = e->arena.failed ? HN_ENOMEM : HN_OK;
    if (!error)
        error =
            call_step(group, slot, KIND_GRAPH_COUNTS, OP_ALLGATHER, &mine, counts, 1, HN_UINT64);
    for (size_t v = 0; v < n && !error; v++) {
        e->counts[v] = (size_t)counts[v];
        e->first[v + 1] = e->first[v] + e->counts[v];
        /* INT32_MAX / 2: each edge is listed at both ends, by int indices. */
        if (counts[v] >= INT32_MAX || e->first[v + 1] >= INT32_MAX / 2) /* both ends count */
            error = bad_list(group, (int)v, counts[v]);
    }
    if (error)
        return error;
    ARENA_ARRAYS(&e->arena, e->first[n], e->to, e->weight);
    if (e->arena.failed)
        return error_set(HN_ENOMEM, "out of memory");
    /* Weights are limited, so that sums of weight * distance cannot overflow. */
    int *own = e->weight + e->first[hn_group_rank(group, hn_mytid())];
    for (int i = 0; i < count; i++)
        own[i] = !weights                            ? 1
                 : weights[i] > TOPOLOGY_WEIGHT_MOST ? TOPOLOGY_WEIGHT_MOST
                                                     : weights[i];
    error = gather_list(group, slot, KIND_GRAPH_EDGES, to, e->to, e);
    return error ? error : gather_list(group, slot, KIND_GRAPH_WEIGHTS, HN_IN_PLACE, e->weight, e);
}

/* A counting sort: first[v + 2] counts the edges of v, first[v + 1] then is where its next edge
 * goes, and in the end first[v] is where they begin. */
int topology_edges_graph(const struct topology_edges *e, int nodes, struct topology_graph *g)
{
    size_t edges = e->first[nodes];
    int error = topology_graph_begin(g, nodes, 2 * edges);
    if (error)
        return error;
    for (int v = 0; v < nodes; v++)
        for (size_t i = e->first[v]; i < e->first[v + 1]; i++) {
            g->first[v + 2]++;
            g->first[e->to[i] + 2]++;
        }
    for (int v = 0; v < nodes; v++)
        g->first[v + 2] += g->first[v + 1];
    for (int v = 0; v < nodes; v++)
        for (size_t i = e->first[v]; i < e->first[v + 1]; i++) {
            int there = g->first[e->to[i] + 1]++, here = g->first[v + 1]++;
            g->other[here] = e->to[i];
            g->other[there] = v;
            g->weight[here] = g->weight[there] = e->weight[i];
        }
    return HN_OK;
}

/* Breadth first from a node, then from nodes that it does not reach. The last node found is far
 * from the first one, so an order that begins there follows the longest extent of the graph. */
static void spread(const struct topology_graph *g, int from, bool *seen, int *order)
{
    int count = 0, at = 0;
    memset(seen, 0, (size_t)g->nodes * sizeof *seen);
    for (int v = 0; v < g->nodes; v++) {
        int start = (from + v) % g->nodes;
        if (!seen[start]) {
            seen[start] = true;
            order[count++] = start;
        }
        for (; at < count; at++)
            for (int i = g->first[order[at]]; i < g->first[order[at] + 1]; i++)
                if (!seen[g->other[i]]) {
                    seen[g->other[i]] = true;
                    order[count++] = g->other[i];
                }
    }
}

/* Several orders, from which the best is chosen: that of the nodes, one from node 0, and one from
 * the last node of that. */
int *topology_edges_orders(const struct topology_graph *g)
{
    size_t n = (size_t)g->nodes;
    int *orders = malloc(TOPOLOGY_EDGES_ORDERS * n * sizeof *orders);
    bool *seen = malloc(n * sizeof *seen);
    bool ok = orders && seen;
    if (ok) {
        for (int v = 0; v < g->nodes; v++)
            orders[v] = v;
        spread(g, 0, seen, orders + n);
        spread(g, orders[2 * n - 1], seen, orders + 2 * n);
    }
    free(seen);
    if (!ok)
        free(orders);
    return ok ? orders : NULL;
}
