/* topology.c - rings, meshes and graphs of tasks, mapped to the network.
 *
 * Rank 0 of the group knows the network as well as all others. It maps ranks to nodes
 * (topology_map.c) and sends the map to the others, who split the group accordingly. Cost: a
 * broadcast of 4 bytes a member plus 136, and a split; for graphs two allgathers before.
 */
#include "wire/topology.h"

#include "wire/call.h"
#include "wire/topology_edges.h"

#include "wire/model_update.h"
#include "wire/group_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- places in a mesh ------------------------------------------------------------------- */

/* Ranks are in row-major order: the last dimension changes fastest. */
static void coords_of(const struct hn_topology *t, int rank, int *coords)
{
    for (int d = t->dimensions - 1; d >= 0; d--) {
        coords[d] = rank % t->sizes[d];
        rank /= t->sizes[d];
    }
}

/* The rank at these coordinates. Periodic dimensions wrap around, also for negative coordinates.
 * HN_NOBODY: outside of the mesh. */
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

/* The rank at this distance in one dimension. The distance may exceed the size; 64 bits, since the
 * negative of any int must fit. */
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

/* ---- the mesh as a graph ---------------------------------------------------------------- */

/* Every node has an edge to each of its neighbours, so each edge is listed at both ends. */
static int mesh_graph(const struct hn_topology *t, int nodes, struct topology_graph *g)
{
    int error = topology_graph_begin(g, nodes, 2 * (size_t)nodes * (size_t)t->dimensions),
        count = 0;
    for (int v = 0; v < nodes && !error; v++) {
        /* Even i: downwards in dimension i / 2; odd i: upwards. */
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

/* Traverses the mesh in a serpentine, the last dimension fastest; dimensions from `first` on come
 * before it. Consecutive nodes are neighbours, so the order is a path that a tour of hosts can
 * follow. */
static void snake(const struct hn_topology *t, int nodes, int first, int *order)
{
    int n = t->dimensions, coords[HN_DIMENSIONS_MOST], direction[HN_DIMENSIONS_MOST];
    for (int d = 0; d < n; d++) {
        coords[d] = 0;
        direction[d] = 1;
    }
    for (int i = 0; i < nodes; i++) {
        order[i] = rank_of(t, coords);
        for (int k = n - 1; k >= 0; k--) {
            int d = (k + first) % n, next = coords[d] + direction[d];
            if (next >= 0 && next < t->sizes[d]) {
                coords[d] = next;
                break;
            }
            /* At the end of this dimension the next slower one advances, and this one runs back. */
            direction[d] = -direction[d];
        }
    }
}

/* Orders for topology_map(): one for each dimension that can be the slowest. NULL: out of memory.
 */
static int *mesh_orders(const struct hn_topology *t, int nodes)
{
    int *orders = malloc((size_t)nodes * (size_t)t->dimensions * sizeof *orders);
    for (int first = 0; orders && first < t->dimensions; first++)
        snake(t, nodes, first, orders + first * nodes);
    return orders;
}

/* ---- making ----------------------------------------------------------------------------- */

/* The call; before its last step rank 0 sends the map. */
struct making {
    enum kind kind;
    struct slot slot;
};

/* A mesh in a fixed number of integers; unused for graphs. One integer for the dimensions, two for
 * each of them: size, and whether it is periodic. */
enum { SHAPE = 1 + 2 * HN_DIMENSIONS_MOST };

static void put_shape(const struct hn_topology *t, int shape[SHAPE])
{
    memset(shape, 0, SHAPE * sizeof *shape);
    shape[0] = t->dimensions;
    for (int d = 0; d < t->dimensions; d++) {
        shape[1 + 2 * d] = t->sizes[d];
        shape[2 + 2 * d] = t->periodic[d];
    }
}

static int name_difference(const hn_group *group)
{
    hn_tid tid = hn_group_tid(group, 0);
    return error_set(HN_EARG, "mesh: task %d on host %s makes another one", tid, tids_host(tid));
}

/* The model is held, since another thread may replace it while the map is computed. */
static int lay_out(struct group_state *state, const struct topology_graph *graph, const int *orders,
                   int order_count, int *slot)
{
    struct held_model held;
    group_state_hold_model(state, &held);
    int error = topology_map(&held.model, graph, orders, order_count, slot);
    held_model_drop(&held);
    return error;
}

/* Rank 0 sends the node of each rank, or its error, to all members, which compare what they make.
 * *node: the node of this member. After the broadcast all members have the same result. */
static int agree(const struct hn_topology *t, const hn_group *group, struct making *making,
                 const struct topology_graph *graph, const int *orders, int order_count, int *node)
{
    int n = hn_group_size(group), error = HN_OK, shape[SHAPE];
    struct group_state *state;
    int *slot = malloc(((size_t)n + 1 + SHAPE) * sizeof *slot);
    if (!slot)
        return error_set(HN_ENOMEM, "out of memory");
    put_shape(t, shape);
    /* Without orders rank 0 is out of memory, and sends that. */
    if (hn_group_rank(group, hn_mytid()) == 0) {
        error = orders ? group_state_get(group, &state) : HN_ENOMEM;
        if (!error)
            error = lay_out(state, graph, orders, order_count, slot);
        slot[n] = error;
        memcpy(slot + n + 1, shape, sizeof shape);
    }
    /* The broadcast belongs to the same call, as the kind before that of the call itself. */
    error = call_step(group, &making->slot, making->kind - 1, OP_BCAST, NULL, slot,
                      (size_t)n + 1 + SHAPE, HN_INT);
    if (!error && slot[n])
        error = error_set(slot[n], "topology: %s", hn_strerror(slot[n]));
    else if (!error && memcmp(slot + n + 1, shape, sizeof shape) != 0)
        error = name_difference(group);
    /* slot[v] is the rank that gets node v. */
    for (int v = 0; v < n && !error; v++)
        if (hn_group_tid(group, slot[v]) == hn_mytid())
            *node = v;
    free(slot);
    return error;
}

/* Splits the group: nodes are the ranks of the new one. A member without a node gets a topology
 * without group. Frees `orders`. */
static int place_nodes(struct hn_topology *t, const hn_group *group, struct making *making,
                       const struct topology_graph *graph, int *orders, int order_count)
{
    int node = 0;
    int error = agree(t, group, making, graph, orders, order_count, &node);
    free(orders);
    if (!error)
        /* -1: the member is in no new group. */
        error = split_as(group, &making->slot, making->kind, node < graph->nodes ? 0 : -1, node,
                         &t->group);
    t->rank = node;
    return error;
}

void topology_hold(const hn_topology *t)
{
    if (t)
        atomic_fetch_add(&((hn_topology *)t)->holders, 1);
}

void topology_release(const hn_topology *view)
{
    /* Views are const for operations; the count of references is the library's own. */
    struct hn_topology *t = (struct hn_topology *)view; /* the library's own object */
    if (!t || atomic_fetch_sub(&t->holders, 1) > 1)
        return;
    hn_group_free(t->group);
    arena_free(&t->arena);
    free(t);
}

void hn_topology_free(hn_topology *t)
{
    topology_release(t);
}

static struct hn_topology *topology_new(int dimensions)
{
    struct hn_topology *t = calloc(1, sizeof *t);
    if (t) {
        t->holders = 1;
        t->dimensions = dimensions;
    }
    return t;
}

/* Allocates the lists of neighbours. HN_OK or HN_ENOMEM; topology_release() frees them in either
 * case. */
static int neighbours_new(struct hn_topology *t, int from, int to)
{
    ARENA_ARRAYS(&t->arena, (size_t)from, t->from, t->expect);
    t->to = arena_array(&t->arena, (size_t)to, sizeof *t->to);
    t->from_count = from;
    t->to_count = to;
    return t->arena.failed ? error_set(HN_ENOMEM, "out of memory") : HN_OK;
}

/* A message sent downwards arrives from above, even if both neighbours are one task. So block i is
 * expected in the order of the opposite direction (i ^ 1). */
static int mesh_neighbours(struct hn_topology *t)
{
    int error = neighbours_new(t, 2 * t->dimensions, 2 * t->dimensions);
    for (int i = 0; i < t->to_count && !error; i++) {
        t->to[i] = t->from[i] = beside(t, t->rank, i / 2, i % 2 ? 1 : -1);
        t->expect[i] = i ^ 1;
    }
    return error;
}

/* Neighbours from which messages arrive are all nodes with an edge to this one, in the order of
 * nodes. Several edges between two nodes are several neighbours. */
static int graph_neighbours(struct hn_topology *t, const struct topology_edges *e, int nodes)
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

/* ---- the public ones -------------------------------------------------------------------- */

/* The number of nodes, or HN_EARG.  Members beyond that number get no node. */
static int mesh_nodes(const hn_group *group, int dimensions, const int *sizes)
{
    int n = hn_group_size(group), nodes = 1;
    if (n < 0)
        return n;
    if (dimensions < 1 || dimensions > HN_DIMENSIONS_MOST || !sizes)
        return error_set(HN_EARG, "mesh: %d dimensions; 1 to %d are possible", dimensions,
                         HN_DIMENSIONS_MOST);
    for (int d = 0; d < dimensions; d++) {
        /* Division instead of a product, which could overflow. */
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
        return call_close(group, &making.slot, making.kind, nodes);
    struct hn_topology *t = topology_new(dimensions);
    if (!t)
        return call_close(group, &making.slot, making.kind, error_set(HN_ENOMEM, "out of memory"));
    for (int d = 0; d < dimensions; d++) {
        t->sizes[d] = sizes[d];
        t->periodic[d] = periodic && periodic[d];
    }
    int error = mesh_graph(t, nodes, &graph);
    if (!error)
        error = place_nodes(t, group, &making, &graph, mesh_orders(t, nodes), dimensions);
    /* The call has ended for the others; what follows is local. */
    call_close(group, &making.slot, making.kind, error);
    if (!error && t->group)
        error = mesh_neighbours(t);
    arena_free(&graph.arena);
    /* A member without a node gets no topology, which is no error. */
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
    struct topology_edges edges = {0};
    struct making making = {.kind = KIND_GRAPH};
    if (topology)
        *topology = NULL;
    if (nodes < 0)
        return nodes;
    struct hn_topology *t = topology_new(0);
    if (!t)
        return call_close(group, &making.slot, making.kind, error_set(HN_ENOMEM, "out of memory"));
    /* A missing pointer for the topology counts as a wrong list. */
    int error =
        topology_edges_gather(group, &making.slot, to, weights, topology ? count : -1, &edges);
    if (!error)
        error = topology_edges_graph(&edges, nodes, &graph);
    if (!error)
        error = place_nodes(t, group, &making, &graph, topology_edges_orders(&graph),
                            TOPOLOGY_EDGES_ORDERS);
    call_close(group, &making.slot, making.kind, error);
    if (!error)
        error = graph_neighbours(t, &edges, nodes);
    arena_free(&graph.arena);
    arena_free(&edges.arena);
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
