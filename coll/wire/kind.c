/* kind.c - the table of calls and their steps (kind.h). */
#include "wire/kind.h"

/* Kinds that are not single operations: the name and the last step of the call, and whether the
 * call has a root. */
static const struct {
    const char *name;
    enum kind call;
    bool rooted;
} kinds[KINDS] = {
    [KIND_SCATTERV_COUNTS] = {"scatterv", KIND_SCATTERV, true},
    [KIND_SCATTERV] = {"scatterv", KIND_SCATTERV, true},
    [KIND_GATHERV_COUNTS] = {"gatherv", KIND_GATHERV, true},
    [KIND_GATHERV] = {"gatherv", KIND_GATHERV, true},
    [KIND_ALLTOALLV_COUNTS] = {"alltoallv", KIND_ALLTOALLV, false},
    [KIND_ALLTOALLV] = {"alltoallv", KIND_ALLTOALLV, false},
    [KIND_SPLIT] = {"split", KIND_SPLIT, false},
    [KIND_MESH_PLACES] = {"mesh", KIND_MESH, false},
    [KIND_MESH] = {"mesh", KIND_MESH, false},
    [KIND_GRAPH_COUNTS] = {"graph", KIND_GRAPH, false},
    [KIND_GRAPH_EDGES] = {"graph", KIND_GRAPH, false},
    [KIND_GRAPH_WEIGHTS] = {"graph", KIND_GRAPH, false},
    [KIND_GRAPH_PLACES] = {"graph", KIND_GRAPH, false},
    [KIND_GRAPH] = {"graph", KIND_GRAPH, false},
    [KIND_ALLTOALLW] = {"alltoallw", KIND_ALLTOALLW, false},
    [KIND_NEIGHBOUR_ALLGATHER] = {"neighbour_allgather", KIND_NEIGHBOUR_ALLGATHER, false},
    [KIND_NEIGHBOUR_ALLGATHERV] = {"neighbour_allgatherv", KIND_NEIGHBOUR_ALLGATHERV, false},
    [KIND_NEIGHBOUR_ALLTOALL] = {"neighbour_alltoall", KIND_NEIGHBOUR_ALLTOALL, false},
    [KIND_NEIGHBOUR_ALLTOALLV] = {"neighbour_alltoallv", KIND_NEIGHBOUR_ALLTOALLV, false},
    [KIND_NEIGHBOUR_ALLTOALLW] = {"neighbour_alltoallw", KIND_NEIGHBOUR_ALLTOALLW, false},
    [KIND_MULTIMULTICAST_LISTS] = {"multimulticast", KIND_MULTIMULTICAST, false},
    [KIND_MULTIMULTICAST] = {"multimulticast", KIND_MULTIMULTICAST, false},
};

/* The first numbers of kinds are those of the operations. */
static bool is_operation(enum kind kind)
{
    return (int)kind >= 0 && (int)kind < (int)KIND_SCATTERV_COUNTS;
}

/* Only three operations exchange counts first; the ...v forms of others are known everywhere. */
enum kind kind_of(enum operation op, bool vector)
{
    if (vector && op == OP_SCATTER)
        return KIND_SCATTERV;
    if (vector && op == OP_GATHER)
        return KIND_GATHERV;
    if (vector && op == OP_ALLTOALL)
        return KIND_ALLTOALLV;
    return op == OP_MULTIMULTICAST ? KIND_MULTIMULTICAST : (enum kind)op;
}

/* A value that is no kind is its own call: it comes from another member's message. */
enum kind kind_call(enum kind kind)
{
    return is_operation(kind) || (int)kind < 0 || kind >= KINDS ? kind : kinds[kind].call;
}

const char *kind_name(enum kind kind)
{
    if (is_operation(kind))
        return operation_name((enum operation)kind);
    return (int)kind >= 0 && kind < KINDS ? kinds[kind].name : "?";
}

bool kind_rooted(enum kind kind)
{
    if (is_operation(kind))
        return operation_rooted((enum operation)kind);
    return (int)kind >= 0 && kind < KINDS && kinds[kind].rooted;
}
