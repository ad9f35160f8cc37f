/* kind.h - the kind of an operation: the public call and the step of it. All members of a group
 * must make calls of the same kinds in the same order. The tags of messages contain the kind
 * (open_table.h).
 *
 * Most calls are one operation. Others exchange data first: their steps are consecutive kinds here,
 * and the last one represents the call.
 */
#pragma once

#include "plan/operation.h"

#include <stdbool.h>

/* One value for each step of each public call. The order matters: steps of a call are consecutive
 * and end with the step that represents it (kind_call()). */
enum kind {
    /* Lower values are those of enum operation; these calls have one step. */
    KIND_SCATTERV_COUNTS = OP_MULTIMULTICAST, /* multimulticast has two steps, see below */
    KIND_SCATTERV,
    KIND_GATHERV_COUNTS,
    KIND_GATHERV,
    KIND_ALLTOALLV_COUNTS,
    KIND_ALLTOALLV,
    KIND_SPLIT,
    KIND_MESH_PLACES,
    KIND_MESH, /* the last step of hn_topology_mesh(), a split */
    KIND_GRAPH_COUNTS,
    KIND_GRAPH_EDGES,
    KIND_GRAPH_WEIGHTS,
    KIND_GRAPH_PLACES,
    KIND_GRAPH,
    KIND_ALLTOALLW,
    KIND_NEIGHBOUR_ALLGATHER,
    KIND_NEIGHBOUR_ALLGATHERV,
    KIND_NEIGHBOUR_ALLTOALL,
    KIND_NEIGHBOUR_ALLTOALLV,
    KIND_NEIGHBOUR_ALLTOALLW,
    KIND_MULTIMULTICAST_LISTS,
    KIND_MULTIMULTICAST,
    KINDS
};

/* The kind of an operation; vector: its counts differ from member to member. */
enum kind kind_of(enum operation op, bool vector);
/* The kind that represents its call: the last step. */
enum kind kind_call(enum kind kind);
/* The name of that call. Another member may have sent any value: "?" if it is not a kind. */
const char *kind_name(enum kind kind);
bool kind_rooted(enum kind kind);
