/* topology.c - rings, meshes and graphs of tasks, laid on the network.
 *
 * Rank 0 of the group knows the network as well as all others; it decides who is which node
 * (topology_map.c) and tells the others, who split the group by that.  Cost: a broadcast of 4 bytes
 * a member and a split; for graphs two allgathers before.
 */
#include "topology.h"

#include "../topology_map.h"
#include "call.h"

#include "error.h"
#include "team.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- places in a mesh --------------------------------------------------------------------------
 */

static void coords_of(const struct hn_topology *t, int rank, int *coords)
{
    for (int d = t->dimensions - 1; d >= 0; d--) {
        coords[d] = rank % t->sizes[d];
        rank /= t->sizes[d];
    }
}

static int rank_of(const struct hn_topology *t, const int *coords)
{
    int rank = 0;
    for (int d = 0; d < t->dimensions; d++) {
        int size = t->sizes[d], at = coords[d];
        if (t->periodic[d])
            at = (at % size + size) % size;
        if (at < 0 || at >= size)
            return HN_NOBODY;
        rank = rank * size + at;
    }
    return rank;
}

/* Who is so many steps away in one dimension. */
static int beside(const struct hn_topology *t, int rank, int dimension, int64_t distance)
{
    int coords[HN_DIMENSIONS_MOST];
    coords_of(t, rank, coords);
    int size = t->sizes[dimension];
    if (distance <= -size || distance >= size) {
        if (!t->periodic[dimension])
            return HN_NOBODY;
        distance %= size;
    }
    coords[dimension] += (int)distance;
    return rank_of(t, coords);
}

/* ---- the mesh as a graph -----------------------------------------------------------------------
 */

static void graph_end(struct topology_graph *g)
{
    free(g->first);
    free(g->other);
    free(g->weight);
}

static int graph_begin(struct topology_graph *g, int nodes, size_t edges)
{
    *g = (struct topology_graph){.nodes = nodes};
    g->first = calloc((size_t)nodes + 2, sizeof *g->first);
    g->other = malloc((edges + 1) * sizeof *g->other);
    g->weight = malloc((edges + 1) * sizeof *g->weight);
    return g->first && g->other && g->weight ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

static int mesh_graph(const struct hn_topology *t, int nodes, struct topology_graph *g)
{
    int error = graph_begin(g, nodes, 2 * (size_t)nodes * (size_t)t->dimensions), count = 0;
    for (int v = 0; v < nodes && !error; v++) {
        for (int i = 0; i < 2 * t->dimensions; i++) {
            int other = beside(t, v, i / 2, i % 2 ? 1 : -1);
            if (other == HN_NOBODY)
                continue;
            g->weight[count] = 1;
            g->other[count++] = other;
        }
        g->first[v + 1] = count;
    }
    return error;
}

/* Goes through the mesh to and fro, the last dimension fastest, those from `turn` on before it. */
static void snake(const struct hn_topology *t, int nodes, int turn, int *order)
{
    int n = t->dimensions, coords[HN_DIMENSIONS_MOST], way[HN_DIMENSIONS_MOST];
    for (int d = 0; d < n; d++) {
        coords[d] = 0;
        way[d] = 1;
    }
    for (int i = 0; i < nodes; i++) {
        order[i] = rank_of(t, coords);
        for (int k = n - 1; k >= 0; k--) {
            int d = (k + turn) % n, next = coords[d] + way[d];
            if (next >= 0 && next < t->sizes[d]) {
                coords[d] = next;
                break;
            }
            way[d] = -way[d];
        }
    }
}

/* Orders for topology_map(): one for each dimension that can be the slowest. */
static int *mesh_orders(const struct hn_topology *t, int nodes)
{
    int *orders = malloc((size_t)nodes * (size_t)t->dimensions * sizeof *orders);
    for (int turn = 0; orders && turn < t->dimensions; turn++)
        snake(t, nodes, turn, orders + turn * nodes);
    return orders;
}

/* ---- any graph ---------------------------------------------------------------------------------
 */

/* What all nodes have said: node v's edges are first[v] ... first[v + 1] - 1. */
struct edges {
    size_t *counts, *first; /* [nodes], [nodes + 1] */
    int *to, *weight;
};

static void edges_end(struct edges *e)
{
    free(e->counts);
    free(e->first);
    free(e->to);
    free(e->weight);
}

/* What a member says instead of a number of edges that no list can have. */
#define NO_NODES   UINT64_MAX
#define NO_WEIGHTS (UINT64_MAX - 1)

static int bad_list(const hn_group *group, int node, uint64_t said)
{
    hn_tid tid = hn_group_tid(group, node);
    const char *host = hn_host_of(tid);
    return error_set(HN_EARG, "graph: the list of task %d on host %s, node %d, %s", tid,
                     host ? host : "?", node,
                     said == NO_WEIGHTS ? "has a weight below 1" : "is not one of nodes");
}

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

static int gather_counts(const hn_group *group, struct place *place, const uint64_t *mine,
                         uint64_t *counts)
{
    struct call call = {.op = OP_ALLGATHER,
                        .kind = KIND_GRAPH_COUNTS,
                        .within = place,
                        .group = group,
                        .in = mine,
                        .out = counts,
                        .count = 1,
                        .type = HN_UINT64};
    return call_run(&call);
}

/* A number for each edge. */
static int gather_list(const hn_group *group, struct place *place, enum kind kind, const int *mine,
                       int *all, const struct edges *e)
{
    struct call call = {.op = OP_ALLGATHERV,
                        .kind = kind,
                        .within = place,
                        .group = group,
                        .in = mine,
                        .out = all,
                        .vector = true,
                        .counts = e->counts,
                        .displs = e->first,
                        .type = HN_INT};
    return call_run(&call);
}

/* Everybody hears of all edges. A member whose list is not good says so by a number that no list
 * can have, so that all give up together. */
static int gather_edges(const hn_group *group, struct place *place, const int *to,
                        const int *weights, int count, struct edges *e)
{
    size_t n = (size_t)hn_group_size(group);
    uint64_t *counts = calloc(n, sizeof *counts), mine = own_edges(n, to, weights, count);
    e->counts = calloc(n, sizeof *e->counts);
    e->first = calloc(n + 1, sizeof *e->first);
    int error = counts && e->counts && e->first ? HN_OK : HN_ENOMEM;
    if (!error)
        error = gather_counts(group, place, &mine, counts);
    for (size_t v = 0; v < n && !error; v++) {
        e->counts[v] = (size_t)counts[v];
        e->first[v + 1] = e->first[v] + e->counts[v];
        if (counts[v] >= INT32_MAX || e->first[v + 1] >= INT32_MAX / 2) /* both ends count */
            error = bad_list(group, (int)v, counts[v]);
    }
    free(counts);
    if (error)
        return error;
    e->to = malloc((e->first[n] + 1) * sizeof *e->to);
    e->weight = calloc(e->first[n] + 1, sizeof *e->weight);
    if (!e->to || !e->weight)
        return error_set(HN_ENOMEM, "out of memory");
    int *own = e->weight + e->first[hn_group_rank(group, hn_mytid())];
    for (int i = 0; i < count; i++)
        own[i] = !weights                            ? 1
                 : weights[i] > TOPOLOGY_WEIGHT_MOST ? TOPOLOGY_WEIGHT_MOST
                                                     : weights[i];
    error = gather_list(group, place, KIND_GRAPH_EDGES, to, e->to, e);
    return error ? error : gather_list(group, place, KIND_GRAPH_WEIGHTS, HN_IN_PLACE, e->weight, e);
}

/* Both ends of every edge, by a counting sort. */
static int edges_graph(const struct edges *e, int nodes, struct topology_graph *g)
{
    size_t edges = e->first[nodes];
    int error = graph_begin(g, nodes, 2 * edges);
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

/* Breadth first from a node, and from those that it does not reach. */
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

enum { GRAPH_ORDERS = 3 };

/* Orders for topology_map(): as they are numbered; from node 0 on, and from the last one found so.
 */
static int *graph_orders(const struct topology_graph *g)
{
    size_t n = (size_t)g->nodes;
    int *orders = malloc(GRAPH_ORDERS * n * sizeof *orders);
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

/* ---- making ------------------------------------------------------------------------------------
 */

/* The call: its last step, before which rank 0 tells the others. */
struct making {
    enum kind kind;
    struct place place;
};

static int tell(const hn_group *group, struct making *making, int *numbers, int count)
{
    struct call call = {.op = OP_BCAST,
                        .kind = making->kind - 1,
                        .within = &making->place,
                        .group = group,
                        .out = numbers,
                        .count = (size_t)count,
                        .type = HN_INT};
    return call_run(&call);
}

/* A number of a mesh's sizes, which others are unlikely to have. */
static int mark_of(const struct hn_topology *t)
{
    uint32_t hash = 2166136261u ^ (uint32_t)t->dimensions;
    for (int d = 0; d < t->dimensions; d++)
        hash = (hash ^ (uint32_t)(2 * t->sizes[d] + t->periodic[d])) * 16777619u;
    return (int)(hash >> 1);
}

static int name_difference(const hn_group *group)
{
    hn_tid tid = hn_group_tid(group, 0);
    const char *host = hn_host_of(tid);
    return error_set(HN_EARG, "mesh: task %d on host %s makes another one", tid, host ? host : "?");
}

/* All members get the node of each rank from rank 0, or its error; and what they make is compared.
 */
static int agree(const struct hn_topology *t, const hn_group *group, struct making *making,
                 const struct topology_graph *graph, const int *orders, int order_count, int *node)
{
    int n = hn_group_size(group), error = HN_OK, mark = mark_of(t);
    struct team *team;
    int *place = malloc(((size_t)n + 2) * sizeof *place);
    if (!place)
        return error_set(HN_ENOMEM, "out of memory");
    if (hn_group_rank(group, hn_mytid()) == 0) {
        error = orders ? team_get(group, &team) : HN_ENOMEM;
        if (!error)
            error = topology_map(team_model(team), graph, orders, order_count, place);
        place[n] = error;
        place[n + 1] = mark;
    }
    error = tell(group, making, place, n + 2);
    if (!error && place[n])
        error = error_set(place[n], "topology: %s", hn_strerror(place[n]));
    else if (!error && place[n + 1] != mark)
        error = name_difference(group);
    for (int v = 0; v < n && !error; v++)
        if (hn_group_tid(group, place[v]) == hn_mytid())
            *node = v;
    free(place);
    return error;
}

/* Splits the group: nodes are the ranks of the new one. Who is none has a topology without group.
 */
static int settle(struct hn_topology *t, const hn_group *group, struct making *making,
                  const struct topology_graph *graph, int *orders, int order_count)
{
    int node = 0;
    int error = agree(t, group, making, graph, orders, order_count, &node);
    free(orders);
    if (!error)
        error = split_as(group, &making->place, making->kind, node < graph->nodes ? 0 : -1, node,
                         &t->group);
    t->rank = node;
    return error;
}

void topology_hold(const hn_topology *t)
{
    if (t)
        atomic_fetch_add(&((hn_topology *)t)->holders, 1);
}

void topology_let_go(const hn_topology *view)
{
    struct hn_topology *t = (struct hn_topology *)view; /* the library's own object */
    if (!t || atomic_fetch_sub(&t->holders, 1) > 1)
        return;
    hn_group_free(t->group);
    free(t->sizes);
    free(t->periodic);
    free(t->from);
    free(t->to);
    free(t->expect);
    free(t);
}

void hn_topology_free(hn_topology *t)
{
    topology_let_go(t);
}

static struct hn_topology *topology_new(int dimensions)
{
    struct hn_topology *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->holders = 1;
    t->dimensions = dimensions;
    t->sizes = calloc((size_t)dimensions + 1, sizeof *t->sizes);
    t->periodic = calloc((size_t)dimensions + 1, sizeof *t->periodic);
    if (t->sizes && t->periodic)
        return t;
    hn_topology_free(t);
    return NULL;
}

/* Room for the lists of neighbours. */
static int neighbours_new(struct hn_topology *t, int from, int to)
{
    t->from = malloc(((size_t)from + 1) * sizeof *t->from);
    t->expect = malloc(((size_t)from + 1) * sizeof *t->expect);
    t->to = malloc(((size_t)to + 1) * sizeof *t->to);
    t->from_count = from;
    t->to_count = to;
    return t->from && t->to && t->expect ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

/* What one sends downwards comes to the other from above, also where both are one neighbour. */
static int mesh_neighbours(struct hn_topology *t)
{
    int error = neighbours_new(t, 2 * t->dimensions, 2 * t->dimensions);
    for (int i = 0; i < t->to_count && !error; i++) {
        t->to[i] = t->from[i] = beside(t, t->rank, i / 2, i % 2 ? 1 : -1);
        t->expect[i] = i ^ 1;
    }
    return error;
}

static int graph_neighbours(struct hn_topology *t, const struct edges *e, int nodes)
{
    int in = 0, out = (int)e->counts[t->rank];
    for (size_t i = 0; i < e->first[nodes]; i++)
        in += e->to[i] == t->rank;
    int error = neighbours_new(t, in, out);
    if (error)
        return error;
    if (out > 0)
        memcpy(t->to, e->to + e->first[t->rank], (size_t)out * sizeof *t->to);
    in = 0;
    for (int v = 0; v < nodes; v++)
        for (size_t i = e->first[v]; i < e->first[v + 1]; i++)
            if (e->to[i] == t->rank) {
                t->expect[in] = in;
                t->from[in++] = v;
            }
    return HN_OK;
}

/* ---- the public ones ---------------------------------------------------------------------------
 */

/* Number of nodes; HN_EARG. */
static int mesh_nodes(const hn_group *group, int dimensions, const int *sizes)
{
    int n = hn_group_size(group), nodes = 1;
    if (n < 0)
        return n;
    if (dimensions < 1 || dimensions > HN_DIMENSIONS_MOST || !sizes)
        return error_set(HN_EARG, "mesh: %d dimensions; 1 to %d are possible", dimensions,
                         HN_DIMENSIONS_MOST);
    for (int d = 0; d < dimensions; d++) {
        if (sizes[d] < 1 || sizes[d] > n / nodes)
            return error_set(HN_EARG, "mesh: the group of %d is too small for it, or a size is 0",
                             n);
        nodes *= sizes[d];
    }
    return nodes;
}

int hn_topology_mesh(const hn_group *group, int dimensions, const int *sizes, const int *periodic,
                     hn_topology **topology)
{
    struct topology_graph graph = {0};
    struct making making = {.kind = KIND_MESH};
    int nodes = topology ? mesh_nodes(group, dimensions, sizes)
                         : error_set(HN_EARG, "mesh: no place for the topology");
    if (topology)
        *topology = NULL;
    if (nodes < 0)
        return call_close(group, &making.place, making.kind, nodes);
    struct hn_topology *t = topology_new(dimensions);
    if (!t)
        return call_close(group, &making.place, making.kind, error_set(HN_ENOMEM, "out of memory"));
    for (int d = 0; d < dimensions; d++) {
        t->sizes[d] = sizes[d];
        t->periodic[d] = periodic && periodic[d];
    }
    int error = mesh_graph(t, nodes, &graph);
    if (!error)
        error = settle(t, group, &making, &graph, mesh_orders(t, nodes), dimensions);
    call_close(group, &making.place, making.kind, error);
    if (!error && t->group)
        error = mesh_neighbours(t);
    graph_end(&graph);
    if (error || !t->group)
        hn_topology_free(t);
    else
        *topology = t;
    return error;
}

int hn_topology_ring(const hn_group *group, hn_topology **topology)
{
    return hn_topology_mesh(group, 1, &(int){hn_group_size(group)}, &(int){1}, topology);
}

int hn_topology_graph(const hn_group *group, const int *to, const int *weights, int count,
                      hn_topology **topology)
{
    int nodes = hn_group_size(group);
    struct topology_graph graph = {0};
    struct edges edges = {0};
    struct making making = {.kind = KIND_GRAPH};
    if (topology)
        *topology = NULL;
    if (nodes < 0)
        return nodes;
    struct hn_topology *t = topology_new(0);
    if (!t)
        return call_close(group, &making.place, making.kind, error_set(HN_ENOMEM, "out of memory"));
    /* Without a place for the topology the list is as wrong as can be. */
    int error = gather_edges(group, &making.place, to, weights, topology ? count : -1, &edges);
    if (!error)
        error = edges_graph(&edges, nodes, &graph);
    if (!error)
        error = settle(t, group, &making, &graph, graph_orders(&graph), GRAPH_ORDERS);
    call_close(group, &making.place, making.kind, error);
    if (!error)
        error = graph_neighbours(t, &edges, nodes);
    graph_end(&graph);
    edges_end(&edges);
    if (error)
        hn_topology_free(t);
    if (!topology)
        error = error_set(HN_EARG, "graph: no place for the topology");
    else if (!error)
        *topology = t;
    return error;
}

const hn_group *hn_topology_group(const hn_topology *t)
{
    return t ? t->group : NULL;
}

int hn_topology_neighbours(const hn_topology *t, const int **from, int *from_count, const int **to,
                           int *to_count)
{
    REFUSE_NULL(from);
    REFUSE_NULL(from_count);
    REFUSE_NULL(to);
    REFUSE_NULL(to_count);
    if (!t)
        return error_set(HN_EARG, "no topology");
    *from = t->from;
    *from_count = t->from_count;
    *to = t->to;
    *to_count = t->to_count;
    return HN_OK;
}

int hn_topology_coords(const hn_topology *t, int rank, int *coords)
{
    REFUSE_NULL(coords);
    if (!t || t->dimensions == 0 || rank < 0 || rank >= hn_group_size(t->group))
        return error_set(HN_EARG, "no mesh, or no rank in it");
    coords_of(t, rank, coords);
    return HN_OK;
}

int hn_topology_rank(const hn_topology *t, const int *coords)
{
    return t && coords && t->dimensions > 0 ? rank_of(t, coords) : HN_NOBODY;
}

int hn_topology_shift(const hn_topology *t, int dimension, int distance, int *from, int *to)
{
    REFUSE_NULL(from);
    REFUSE_NULL(to);
    if (!t || dimension < 0 || dimension >= t->dimensions)
        return error_set(HN_EARG, "no mesh, or no such dimension of it");
    *from = beside(t, t->rank, dimension, -(int64_t)distance);
    *to = beside(t, t->rank, dimension, distance);
    return HN_OK;
}
