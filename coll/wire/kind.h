/* kind.h - which public call an operation belongs to, and which step of it it is: what the members
 * of a group must do alike, and what the tags of their messages say (open_table.h).
 *
 * Most calls are one operation.  Some send something round first: their steps follow each other
 * here, the last one stands for the call.
 */
#pragma once

#include "plan/operation.h"

#include <stdbool.h>

enum kind {
    /* Those before are enum operation, each of one step. */
    KIND_SCATTERV_COUNTS = OP_MULTIMULTICAST, /* which has two steps, see below */
    KIND_SCATTERV,
    KIND_GATHERV_COUNTS,
    KIND_GATHERV,
    KIND_ALLTOALLV_COUNTS,
    KIND_ALLTOALLV,
    KIND_SPLIT,
    KIND_MESH_PLACES,
    KIND_MESH, /* a split, as the last step of the next */
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

/* Of an operation whose counts differ from member to member (`vector`), or do not. */
enum kind kind_of(enum operation op, bool vector);
/* Its call, as the last step of it. */
enum kind kind_call(enum kind kind);
/* That one's name; "?" where there is none, since another member has said something strange. */
const char *kind_name(enum kind kind);
bool kind_rooted(enum kind kind);
