/* topology_map.c - maps the nodes of a ring, a mesh or any graph to the hosts of a network.
 *
 * First the number of edges between subnets is minimized, then the time of messages on all edges.
 * One distance expresses both: between ranks of different subnets it is larger by CROSSING than any
 * time (times have TIME_BITS bits).
 *
 * The tour (ECO's ring: Lowekamp and Beguelin 1995, section 4.2, always continues with the nearest
 * rank that has not been visited) enters each subnet and each host once. Subnets are in the order
 * of a walk around their minimum spanning tree. So in a network that is a tree the tour uses each
 * edge twice, the minimum for a ring. Then parts of the tour are reversed as long as that shortens
 * it (2-opt; Croes 1958), which never adds an edge between subnets.
 *
 * Other graphs: given orders of the nodes are assigned to the tour. Then pairs of nodes are
 * exchanged as long as that reduces the sum of weight * distance (quadratic assignment by local
 * search).
 *
 * Cost: O(n^2) memory and some passes of O(n^2) for n ranks, degree times that for graphs. More
 * than MAP_MOST ranks are ordered by subnet and host, and not improved.
 */
#include "planners/topology_map.h"

#include "planners/spanning.h"

#include "model/cluster.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAP_MOST = 1024,
    MAP_BYTES = 4096, /* size of the messages whose delivery times are the distances */
    TIME_BITS = 20,
    CROSSING = 1 << 28,
    WORK = 100000000 /* most distances examined in exchanges: some tenths of a second */
};

/* The distances and the tour of one model, during one call. */
struct map {
    const struct model *model;
    struct clusters c;
    int ranks;
    int32_t *distance; /* [i * ranks + j]; NULL: too many ranks */
    int *tour;
    struct arena arena; /* of the arrays */
};

static int64_t between(const struct map *m, int i, int j)
{
    return m->distance[(size_t)i * (size_t)m->ranks + (size_t)j];
}

/* ---- distances -------------------------------------------------------------------------- */

/* Distances are symmetric: the mean of both directions. Each half is divided first, so that the sum
 * cannot overflow. */
static hn_time both_ways(const struct model *model, int i, int j)
{
    return model_deliver(model, i, j, MAP_BYTES) / 2 + model_deliver(model, j, i, MAP_BYTES) / 2;
}

/* Fills the matrix of distances. Times are shifted right until the largest one fits in TIME_BITS.
 * So any difference of subnets outweighs all times of a path of up to 256 edges. */
static int measure(struct map *m)
{
    size_t n = (size_t)m->ranks;
    hn_time most = 0;
    int shift = 0;
    m->distance = arena_array(&m->arena, n * n, sizeof *m->distance);
    if (m->arena.failed)
        return HN_ENOMEM;
    for (int i = 0; i < m->ranks; i++)
        for (int j = i + 1; j < m->ranks; j++) {
            hn_time time = both_ways(m->model, i, j);
            most = time > most ? time : most;
        }
    while (most >> shift >> TIME_BITS)
        shift++;
    for (int i = 0; i < m->ranks; i++)
        for (int j = i + 1; j < m->ranks; j++) {
            int32_t d = (int32_t)(both_ways(m->model, i, j) >> shift);
            d += m->c.of[i] != m->c.of[j] ? CROSSING : 0;
            m->distance[(size_t)i * n + (size_t)j] = m->distance[(size_t)j * n + (size_t)i] = d;
        }
    return HN_OK;
}

/* Too many ranks have no distances: their maps follow the subnets only. */
static int map_begin(struct map *m, const struct model *model)
{
    *m = (struct map){.model = model, .ranks = model->ranks};
    int error = clusters_of_model(&m->c, model);
    m->tour = arena_array(&m->arena, (size_t)m->ranks, sizeof *m->tour);
    if (!error && m->arena.failed)
        error = HN_ENOMEM;
    if (!error && m->ranks <= MAP_MOST)
        error = measure(m);
    return error;
}

static void map_end(struct map *m)
{
    clusters_end(&m->c);
    arena_free(&m->arena);
}

/* ---- the order of subnets --------------------------------------------------------------- */

/* The shortest distance between members of two subnets. All pairs of subnets together examine each
 * pair of ranks twice. */
static int64_t apart(const struct map *m, int a, int b)
{
    int64_t least = INT64_MAX;
    for (int i = m->c.first[a]; i < m->c.first[a + 1]; i++)
        for (int j = m->c.first[b]; j < m->c.first[b + 1]; j++) {
            int64_t d = between(m, m->c.member[i], m->c.member[j]);
            least = d < least ? d : least;
        }
    return least;
}

/* Lists the subnets of a subtree in preorder. */
static void visit(const struct tree *tree, int subnet, int *order, int *count)
{
    order[(*count)++] = subnet;
    for (int i = tree->first[subnet]; i < tree->first[subnet + 1]; i++)
        visit(tree, tree->child[i], order, count);
}

/* Lists the subnets in preorder of their minimum spanning tree. HN_OK or an error. */
static int walk(const int64_t *apart_, int count, int *order)
{
    struct span_edge *edges = malloc((size_t)count * sizeof *edges);
    struct tree *tree = tree_new(count, 0);
    int error = edges && tree ? spanning_edges(count, apart_, edges) : HN_ENOMEM, visited = 0;
    if (!error)
        error = spanning_hang(edges, count - 1, tree);
    if (!error)
        error = tree_finish(tree);
    if (!error)
        visit(tree, 0, order, &visited);
    tree_free(tree);
    free(edges);
    return error;
}

/* Determines the order in which the tour visits subnets. Without distances, or with fewer than four
 * subnets, it is the order of their numbers. */
static int order_subnets(const struct map *m, int *order)
{
    int count = m->c.count;
    for (int i = 0; i < count; i++)
        order[i] = i;
    if (!m->distance || count < 4) /* all closed tours of three nodes are equal */
        return HN_OK;
    int64_t *matrix = calloc((size_t)count * (size_t)count, sizeof *matrix);
    if (!matrix)
        return HN_ENOMEM;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            matrix[a * count + b] = a == b ? 0 : apart(m, a, b);
    int error = walk(matrix, count, order);
    free(matrix);
    return error;
}

/* ---- the tour --------------------------------------------------------------------------- */

/* Without a list of hosts every rank is a host of its own. */
static int host_of(const struct map *m, int rank)
{
    return m->model->host ? m->model->host[rank] : rank;
}

/* Appends the members of a subnet at position `at`; those of one host are adjacent. Returns the
 * position after them. */
static int append_subnet(const struct map *m, int subnet, int at)
{
    int first = m->c.first[subnet], end = m->c.first[subnet + 1], begin = at;
    for (int i = first; i < end; i++) {
        /* Searches backward for the last rank of the same host, within this subnet. */
        int rank = m->c.member[i], to = at;
        while (to > begin && host_of(m, m->tour[to - 1]) != host_of(m, rank))
            to--;
        to = to == begin ? at : to; /* after the last rank of its host, or at the end */
        memmove(&m->tour[to + 1], &m->tour[to], (size_t)(at - to) * sizeof *m->tour);
        m->tour[to] = rank;
        at++;
    }
    return at;
}

static void reverse(int *tour, int first, int last)
{
    for (; first < last; first++, last--) {
        int rank = tour[first];
        tour[first] = tour[last];
        tour[last] = rank;
    }
}

/* 2-opt: replaces edges (a, b) and (c, d) by (a, c) and (b, d) as long as these are shorter. The
 * work is limited by the number of distances, not by time, so all members find the same tour. */
static void shorten(const struct map *m)
{
    int n = m->ranks, *t = m->tour;
    bool better = true;
    for (int64_t work = 0; better && work < WORK; work += (int64_t)n * n) {
        better = false;
        for (int i = 0; i + 2 < n; i++)
            for (int k = i + 2; k < n; k++) {
                int a = t[i], b = t[i + 1], c = t[k], d = t[(k + 1) % n];
                /* a == d: the two edges are adjacent at the closing edge of the tour. */
                if (a == d ||
                    between(m, a, c) + between(m, b, d) >= between(m, a, b) + between(m, c, d))
                    continue;
                /* Reversing b ... c makes the new edges; the tour stays a single cycle. */
                reverse(t, i + 1, k);
                better = true;
            }
    }
}

/* Subnet after subnet; with distances the tour is then improved by exchanges. */
static int make_tour(struct map *m)
{
    int at = 0, *order = malloc((size_t)m->c.count * sizeof *order);
    int error = order ? order_subnets(m, order) : HN_ENOMEM;
    for (int i = 0; i < m->c.count && !error; i++)
        at = append_subnet(m, order[i], at);
    free(order);
    if (!error && m->distance)
        shorten(m);
    return error;
}

/* The array `tour` has room for all ranks of the model. HN_OK or an error; then it is unchanged. */
int topology_tour(const struct model *model, int *tour)
{
    struct map m;
    int error = map_begin(&m, model);
    if (!error)
        error = make_tour(&m);
    if (!error)
        memcpy(tour, m.tour, (size_t)m.ranks * sizeof *tour);
    map_end(&m);
    return error;
}

/* ---- any graph -------------------------------------------------------------------------- */

static int degree(const struct topology_graph *g, int v)
{
    return v < g->nodes ? g->first[v + 1] - g->first[v] : 0;
}

/* Cost of the edges of node v if it were assigned to `rank`, without its edge to node `but` (-1:
 * all). Nodes from g->nodes on are ranks without a node and have no edges. */
static int64_t cost_at(const struct map *m, const struct topology_graph *g, const int *place, int v,
                       int rank, int but)
{
    int64_t sum = 0;
    for (int i = v < g->nodes ? g->first[v] : 0; v < g->nodes && i < g->first[v + 1]; i++)
        if (g->other[i] != but && g->other[i] != v)
            sum += g->weight[i] * between(m, rank, place[g->other[i]]);
    return sum;
}

static int64_t total(const struct map *m, const struct topology_graph *g, const int *place)
{
    int64_t sum = 0;
    for (int v = 0; v < g->nodes; v++)
        sum += cost_at(m, g, place, v, place[v], -1);
    return sum;
}

/* Exchanges the ranks of two nodes as long as that lowers the cost. Ranks without a node take part
 * as v, so a node can also move to an unused rank. */
static void exchange(const struct map *m, const struct topology_graph *g, int *place)
{
    int64_t work = 0;
    bool better = true;
    while (better && work < WORK) {
        better = false;
        for (int u = 0; u < g->nodes && work < WORK; u++)
            for (int v = u + 1; v < m->ranks; v++) {
                work += 4 + 2 * (degree(g, u) + degree(g, v));
                /* The edge between u and v is left out on both sides: its length does not change.
                 */
                int64_t now =
                    cost_at(m, g, place, u, place[u], v) + cost_at(m, g, place, v, place[v], u);
                int64_t then =
                    cost_at(m, g, place, u, place[v], v) + cost_at(m, g, place, v, place[u], u);
                if (then >= now)
                    continue;
                int rank = place[u];
                place[u] = place[v];
                place[v] = rank;
                better = true;
            }
    }
}

/* Assigns the nodes to the tour in the given order; unused ranks come last. Requires nodes <=
 * ranks. */
static void lay(const struct map *m, int nodes, const int *order, int *place)
{
    for (int i = 0; i < m->ranks; i++)
        place[i < nodes ? order[i] : i] = m->tour[i];
}

/* orders[] contains `count` orders of graph->nodes nodes each. The best result of all is stored;
 * without distances (too many ranks) it is the first order along the tour, not improved. */
int topology_map(const struct model *model, const struct topology_graph *graph, const int *orders,
                 int count, int *place)
{
    struct map m;
    int64_t least = INT64_MAX;
    int *tried = malloc((size_t)model->ranks * sizeof *tried);
    int error = map_begin(&m, model);
    if (!error)
        error = tried ? make_tour(&m) : HN_ENOMEM;
    if (!error)
        /* The first order also serves if no improvement is computed. */
        lay(&m, graph->nodes, orders, place);
    for (int i = 0; i < count && !error && m.distance; i++) {
        lay(&m, graph->nodes, orders + i * graph->nodes, tried);
        exchange(&m, graph, tried);
        if (total(&m, graph, tried) >= least)
            continue;
        least = total(&m, graph, tried);
        memcpy(place, tried, (size_t)m.ranks * sizeof *place);
    }
    free(tried);
    map_end(&m);
    return error;
}
