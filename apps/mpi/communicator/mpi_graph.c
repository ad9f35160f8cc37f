/* mpi_graph.c - graph topologies: known to all members, or distributed.
 *
 * MPI 4.1, 8.5.3 (graphs) and 8.5.4 (distributed graphs). A graph is stored completely in each
 * member; of a distributed graph each one keeps only its own edges. `reorder` is accepted and has
 * no effect, which the standard allows.
 *
 * Errors of arguments are found locally, before the first collective step. The results of
 * queries are copies into arrays of the program. Duplicates of a communicator share its
 * topology, so that queries and neighbourhood collectives only read it.
 */
#include "collective/mpi_coll.h"
#include "object/mpi_info.h"
#include "communicator/mpi_topology.h"

#include <stdlib.h>

/* ---- graphs known to all members ------------------------------------------------------------ */

/* index[i] is the number of edges of nodes 0 to i, so it never decreases, and the last one is the
 * length of `edges`. */
static int check_graph(struct mpi_comm *c, int nnodes, const int *index, const int *edges,
                       const char *call)
{
    int before = 0;

    if (c->remote)
        return error_on(c, MPI_ERR_COMM, call, "not for an intercommunicator");
    if (nnodes < 0 || nnodes > c->size || (nnodes > 0 && !index))
        return error_on(c, MPI_ERR_ARG, call, "a graph of %d nodes for %d tasks", nnodes, c->size);
    /* Afterwards `before` is the number of all edges. */
    for (int i = 0; i < nnodes; before = index[i++])
        if (index[i] < before)
            return error_on(c, MPI_ERR_ARG, call, "index %d is less than the one before it", i);
    if (before > 0 && !edges)
        return error_on(c, MPI_ERR_ARG, call, "no list of %d edges", before);
    for (int i = 0; i < before; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return error_on(c, MPI_ERR_ARG, call, "edge %d leads to %d, which is no node", i,
                            edges[i]);
    return MPI_SUCCESS;
}

/* Makes the caller's topology; NULL: out of memory. */
static struct mpi_topology *own_edges(int kind, int from_count, const int *from,
                                      const int *from_weights, int to_count, const int *to,
                                      const int *to_weights)
{
    struct mpi_topology *t = topology_new(kind);
    size_t in = (size_t)from_count, out = (size_t)to_count;

    if (!t)
        return NULL;
    t->from_count = from_count;
    t->to_count = to_count;
    t->from = topology_list(from, in);
    t->to = topology_list(to, out);
    if (from_weights)
        t->from_weights = topology_list(from_weights, in);
    if (to_weights)
        t->to_weights = topology_list(to_weights, out);
    /* A list of weights must exist exactly if it was given. */
    if (t->from && t->to && (!from_weights || t->from_weights) && (!to_weights || t->to_weights))
        return t;
    topology_drop(t);
    return NULL;
}

/* Edges of a graph are used in both directions by its neighbourhood collectives: a program must
 * list each edge at both of its nodes. */
static struct mpi_topology *graph_new(int nnodes, const int *index, const int *edges, int rank)
{
    /* Only nodes call it, so nnodes is at least 1. */
    int first = rank > 0 ? index[rank - 1] : 0, n = index[rank] - first;
    /* A part of the program's list, which own_edges() copies. */
    const int *own = n > 0 ? edges + first : NULL;
    struct mpi_topology *t = own_edges(MPI_GRAPH, n, own, NULL, n, own, NULL);

    if (!t)
        return NULL;
    t->nnodes = nnodes;
    t->index = topology_list(index, (size_t)nnodes);
    t->edges = topology_list(edges, (size_t)index[nnodes - 1]);
    if (t->index && t->edges)
        return t;
    topology_drop(t);
    return NULL;
}

/* Two errors with one text, as both concern result arguments. */
static int no_place(struct mpi_comm *c, const char *call)
{
    return error_on(c, MPI_ERR_ARG, call, "no place for a result, or of a negative size");
}

/* Tasks beyond the number of nodes get MPI_COMM_NULL. */
MPI_DEFINE(int, Graph_create,
           (MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
            MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(comm), *made;
    int error;
    (void)reorder; /* nodes are not reordered */

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    /* MPI 4.1, 8.5.3. All members pass the same graph; this is not compared. */
    error = check_graph(c, nnodes, index, edges, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    if (!newcomm)
        return no_place(c, MPI_CALL);
    /* With key 0 all keys are equal, so ranks keep their order. */
    int result = comm_split(c, c->rank < nnodes ? 0 : -1, 0, &made);
    if (result != HN_OK)
        return error_hn(c, result, MPI_CALL);
    *newcomm = MPI_COMM_NULL;
    if (!made)
        return MPI_SUCCESS;
    return topology_attach(c, made, graph_new(nnodes, index, edges, made->rank), newcomm, MPI_CALL);
}

/* MPI 4.1, 8.5.8. Ranks stay as they are. */
MPI_DEFINE(int, Graph_map,
           (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank))
{
    struct mpi_comm *c = comm_of(comm);
    int error = c ? check_graph(c, nnodes, index, edges, MPI_CALL) : error_no_comm(comm, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!newrank)
        return no_place(c, MPI_CALL);
    /* Local, unlike MPI_Graph_create(). */
    *newrank = c->rank < nnodes ? c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. */
MPI_DEFINE(int, Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = topology_of(comm, MPI_GRAPH, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (!nnodes || !nedges)
        return no_place(c, MPI_CALL);
    *nnodes = t->nnodes;
    /* The last entry of the index counts all edges. */
    *nedges = t->index[t->nnodes - 1];
    return MPI_SUCCESS;
}

/* Checks the result array of a call. */
static bool is_list(const int *list, int length)
{
    return length == 0 || (length > 0 && list);
}

/* Lists that are too long are cut, as the program has passed its room. `most` may be negative or
 * 0 if the program wants none. */
static void copy_some(int *to, int most, const int *from, int n)
{
    for (int i = 0; i < n && i < most; i++)
        to[i] = from[i];
}

/* MPI 4.1, 8.5.5. The lists are those of MPI_Graph_create(). */
MPI_DEFINE(int, Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = topology_of(comm, MPI_GRAPH, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (!is_list(index, maxindex) || !is_list(edges, maxedges))
        return no_place(c, MPI_CALL);
    copy_some(index, maxindex, t->index, t->nnodes);
    copy_some(edges, maxedges, t->edges, t->index[t->nnodes - 1]);
    return MPI_SUCCESS;
}

/* *list points into the topology, and is valid as long as the communicator. */
static int neighbours_of(MPI_Comm comm, int rank, bool has_place, const int **list, int *n,
                         const char *call)
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = topology_of(comm, MPI_GRAPH, &c, call, &error);

    if (!t)
        return error;
    if (rank < 0 || rank >= t->nnodes)
        return error_on(c, MPI_ERR_RANK, call, "%d is no rank below %d", rank, t->nnodes);
    if (!has_place)
        return no_place(c, call);
    /* O(1): the index gives both ends. */
    *list = t->edges + (rank > 0 ? t->index[rank - 1] : 0);
    *n = t->index[rank] - (int)(*list - t->edges);
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. For any rank, as every member has the whole graph. Local. */
MPI_DEFINE(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int *count))
{
    const int *list;

    return neighbours_of(comm, rank, count, &list, count, MPI_CALL);
}

/* MPI 4.1, 8.5.5. In the order of the list of edges. */
MPI_DEFINE(int, Graph_neighbors, (MPI_Comm comm, int rank, int max, int neighbors[]))
{
    const int *list = NULL;
    int n = 0, error;

    error = neighbours_of(comm, rank, is_list(neighbors, max), &list, &n, MPI_CALL);
    if (error == MPI_SUCCESS)
        copy_some(neighbors, max, list, n);
    return error;
}

/* ---- distributed graphs --------------------------------------------------------------------- */

/* NULL is valid for an empty list only. MPI_WEIGHTS_EMPTY means weights of no edges. */
static bool has_weights(const int *weights, int n)
{
    return weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY && (weights || n == 0);
}

/* Ranks that occur twice are valid: there may be several edges between two members. */
static int check_list(struct mpi_comm *c, int n, const int *ranks, const int *weights,
                      const char *call)
{
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, call, "not for an intercommunicator");
    if (n < 0 || (n > 0 && !ranks))
        return error_on(c, MPI_ERR_ARG, call, "%d neighbours, or no list of them", n);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= c->size)
            return error_on(c, MPI_ERR_ARG, call, "%d is no rank below %d", ranks[i], c->size);
        /* MPI 4.1, 8.5.4 demands weights that are not negative. */
        if (has_weights(weights, n) && weights[i] < 0)
            return error_on(c, MPI_ERR_ARG, call, "the weight %d is negative", weights[i]);
    }
    return MPI_SUCCESS;
}

/* Each member passes its own edges, so they are not exchanged; only contexts are. `none` makes an
 * empty list of weights differ from no weights. */
MPI_DEFINE(int, Dist_graph_create_adjacent,
           (MPI_Comm comm, int indegree, const int sources[], const int sourceweights[],
            int outdegree, const int destinations[], const int destweights[], MPI_Info info,
            int reorder, MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(comm), *made;
    int error;
    (void)reorder;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    error = check_list(c, indegree, sources, sourceweights, MPI_CALL);
    if (error == MPI_SUCCESS)
        error = check_list(c, outdegree, destinations, destweights, MPI_CALL);
    if (error == MPI_SUCCESS)
        error = info_check(c, info, MPI_CALL);
    if (error == MPI_SUCCESS && !newcomm)
        error = no_place(c, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    /* Collective, and the only communication. A member with an error before it leaves the others
     * waiting; the standard calls such programs erroneous. */
    int result = comm_copy(c, &made);
    if (result != HN_OK)
        return error_hn(c, result, MPI_CALL);
    /* Not NULL, so the topology counts as weighted. */
    static const int none[1];
    bool weighted = sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED;
    const int *in = !weighted ? NULL : indegree > 0 ? sourceweights : none;
    const int *out = !weighted ? NULL : outdegree > 0 ? destweights : none;
    return topology_attach(
        c, made, own_edges(MPI_DIST_GRAPH, indegree, sources, in, outdegree, destinations, out),
        newcomm, MPI_CALL);
}

/* An edge in messages between members. */
enum { EDGE_FROM, EDGE_TO, EDGE_WEIGHT, EDGE_INTS };

/* Gathers all members' edges, EDGE_INTS ints each; *total is their number. On failure returns NULL
 * and sets *result. O(all edges) memory in each member, for a short time. Sizes travel as 64 bits,
 * because size_t may differ between machines. */
static int32_t *gather_edges(struct mpi_comm *c, const int32_t *own, size_t n, size_t *total,
                             int *result)
{
    size_t p = (size_t)c->size, *counts = calloc(2 * p, sizeof *counts);
    uint64_t ints = n * EDGE_INTS, *all = calloc(p, sizeof *all);
    int32_t *edges = NULL;

    /* First the lengths, then the edges: two collective operations. */
    *result = counts && all ? hn_allgather(&ints, 1, all, HN_UINT64, c->hn) : HN_ENOMEM;
    *total = 0;
    /* The second half of `counts` holds the displacements. */
    for (size_t i = 0; i < p && *result == HN_OK; i++) {
        counts[i] = (size_t)all[i];
        counts[p + i] = *total;
        *total += counts[i];
    }
    /* One more, since malloc(0) may return NULL. */
    if (*result == HN_OK && !(edges = malloc((*total + 1) * sizeof *edges)))
        *result = HN_ENOMEM;
    if (*result == HN_OK)
        *result = hn_allgatherv(own, edges, counts, counts + p, HN_INT32, c->hn);
    *total /= EDGE_INTS;
    free(counts);
    free(all);
    if (*result == HN_OK)
        return edges;
    free(edges);
    return NULL;
}

/* Makes the caller's topology from its edges among all edges. One block of memory holds four lists,
 * each long enough for all edges. The order of the neighbours is that of the gathered list, thus
 * the same in every run. */
static struct mpi_topology *find_edges(const int32_t *edges, size_t n, int rank, bool weighted)
{
    int *lists = malloc((4 * n + 1) * sizeof *lists), in = 0, out = 0;
    int *from = lists, *from_weights = lists + n, *to = lists + 2 * n, *to_weights = lists + 3 * n;
    struct mpi_topology *t = NULL;

    for (size_t i = 0; lists && i < n; i++) {
        const int32_t *edge = edges + i * EDGE_INTS;
        /* An edge of the member to itself is in both lists. */
        if (edge[EDGE_TO] == rank) {
            from[in] = edge[EDGE_FROM];
            from_weights[in++] = edge[EDGE_WEIGHT];
        }
        if (edge[EDGE_FROM] == rank) {
            to[out] = edge[EDGE_TO];
            to_weights[out++] = edge[EDGE_WEIGHT];
        }
    }
    /* own_edges() copies the used parts. */
    if (lists)
        t = own_edges(MPI_DIST_GRAPH, in, from, weighted ? from_weights : NULL, out, to,
                      weighted ? to_weights : NULL);
    free(lists);
    return t;
}

/* Lists the edges that the caller specifies; NULL: out of memory. Edges without weights get 1,
 * which is never shown. */
static int32_t *list_edges(int n, const int *sources, const int *degrees, const int *destinations,
                           const int *weights, size_t *count)
{
    size_t total = 0, at = 0;

    for (int i = 0; i < n; i++)
        total += (size_t)degrees[i];
    int32_t *edges = malloc((total + 1) * EDGE_INTS * sizeof *edges);
    /* `destinations` and `weights` are consecutive over all sources. */
    for (int i = 0; i < n && edges; i++)
        for (int k = 0; k < degrees[i]; k++, at++) {
            /* Triples, as they travel. */
            edges[at * EDGE_INTS + EDGE_FROM] = sources[i];
            edges[at * EDGE_INTS + EDGE_TO] = destinations[at];
            edges[at * EDGE_INTS + EDGE_WEIGHT] = weights ? weights[at] : 1;
        }
    *count = total;
    return edges;
}

/* Any member may specify any edge, so all edges are gathered by all members. All members must pass
 * weights, or none. */
MPI_DEFINE(int, Dist_graph_create,
           (MPI_Comm comm, int n, const int sources[], const int degrees[],
            const int destinations[], const int weights[], MPI_Info info, int reorder,
            MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(comm), *made;
    size_t count, total;
    int error, result, edges_said = 0;
    (void)reorder;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    error = check_list(c, n, sources, MPI_UNWEIGHTED, MPI_CALL);
    if (error == MPI_SUCCESS && n > 0 && !degrees)
        error = error_on(c, MPI_ERR_ARG, MPI_CALL, "no list of degrees");
    for (int i = 0; i < n && error == MPI_SUCCESS; i++) {
        if (degrees[i] < 0)
            error = error_on(c, MPI_ERR_ARG, MPI_CALL, "the degree %d is negative", degrees[i]);
        edges_said += degrees[i];
    }
    if (error == MPI_SUCCESS)
        /* The length of `destinations` is the sum of the degrees. */
        error = check_list(c, edges_said, destinations, weights, MPI_CALL);
    if (error == MPI_SUCCESS)
        error = info_check(c, info, MPI_CALL);
    if (error == MPI_SUCCESS && !newcomm)
        error = no_place(c, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    /* Weights may be missing at a member without edges. */
    bool weighted = weights != MPI_UNWEIGHTED;
    int32_t *own = list_edges(n, sources, degrees, destinations,
                              has_weights(weights, edges_said) ? weights : NULL, &count);
    int32_t *all = own ? gather_edges(c, own, count, &total, &result) : NULL;
    free(own);
    if (!own || !all)
        return error_hn(c, own ? result : HN_ENOMEM, MPI_CALL);
    /* Local. NULL, without memory, is reported by topology_attach() at the end. */
    struct mpi_topology *t = find_edges(all, total, c->rank, weighted);
    free(all);
    result = comm_copy(c, &made);
    if (result != HN_OK) {
        topology_drop(t);
        return error_hn(c, result, MPI_CALL);
    }
    return topology_attach(c, made, t, newcomm, MPI_CALL);
}

/* MPI 4.1, 8.5.5. The caller's own numbers only. */
MPI_DEFINE(int, Dist_graph_neighbors_count,
           (MPI_Comm comm, int *indegree, int *outdegree, int *weighted))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = topology_of(comm, MPI_DIST_GRAPH, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (!indegree || !outdegree || !weighted)
        return no_place(c, MPI_CALL);
    *indegree = t->from_count;
    *outdegree = t->to_count;
    /* Both lists of weights exist, or neither. */
    *weighted = t->from_weights != NULL;
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. Without weights, the arrays for them are unchanged. */
MPI_DEFINE(int, Dist_graph_neighbors,
           (MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
            int destinations[], int destweights[]))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = topology_of(comm, MPI_DIST_GRAPH, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (!is_list(sources, maxindegree) || !is_list(destinations, maxoutdegree))
        return no_place(c, MPI_CALL);
    /* The order is that of the blocks in neighbourhood collectives. */
    copy_some(sources, maxindegree, t->from, t->from_count);
    copy_some(destinations, maxoutdegree, t->to, t->to_count);
    if (t->from_weights && has_weights(sourceweights, maxindegree))
        copy_some(sourceweights, maxindegree, t->from_weights, t->from_count);
    if (t->to_weights && has_weights(destweights, maxoutdegree))
        copy_some(destweights, maxoutdegree, t->to_weights, t->to_count);
    return MPI_SUCCESS;
}
