/* mpi_topology.h - virtual topologies of communicators.
 *
 * Chapter 8 of MPI 4.1. A topology only describes neighbours; messages go through the communicator
 * as always. Reordering uses hnow's network model for meshes only.
 *
 * A topology has no connection to its communicator: it can be made before, and be shared
 * afterwards. What it costs is memory only, O(neighbours), or O(all edges) for a graph of
 * MPI_Graph_create().
 */
#pragma once

#include "mpi.h"

#include <stdbool.h>
#include <stddef.h>

struct mpi_comm;

/* A Cartesian mesh, a graph that every member knows, or a distributed graph. The arrays are owned.
 * `from` and `to` are what neighbourhood collectives use (MPI 4.1, 8.6); the other fields answer
 * queries. */
struct mpi_topology {
    int references;
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    /* The ranks that the caller receives from and sends to, in block order; MPI_PROC_NULL outside a
     * mesh. */
    int from_count, to_count;
    int *from, *to;
    int *from_weights, *to_weights; /* of MPI_DIST_GRAPH; NULL: unweighted */
    int ndims;                      /* of a mesh */
    /* One entry for each dimension; coords are the caller's. */
    int *dims, *periods, *coords;
    int nnodes; /* of a graph */
    /* As passed to MPI_Graph_create(): ends of the lists of neighbours, and all neighbours. */
    int *index, *edges;
};

/* A topology is immutable and reference counted: duplicates of a communicator share it.  NULL is
 * allowed. */
struct mpi_topology *topology_share(struct mpi_topology *t);
void topology_drop(struct mpi_topology *t);

/* Makes an empty topology; NULL: out of memory. */
struct mpi_topology *topology_new(int kind);
/* Copies a list, which may be empty; NULL: out of memory. */
int *topology_list(const int *list, size_t n);
/* Returns the topology of a call's communicator *c.  If there is none of this kind, returns NULL,
 * and *error is the code of error_on(). */
struct mpi_topology *topology_of(MPI_Comm comm, int kind, struct mpi_comm **c, const char *call,
                                 int *error);
/* Attaches a topology (NULL: out of memory) to a communicator made from c, and stores its handle.
 * Returns MPI_SUCCESS or the code of error_on(). Takes the reference to t; on failure `made` is
 * freed. */
int topology_attach(struct mpi_comm *c, struct mpi_comm *made, struct mpi_topology *t,
                    MPI_Comm *newcomm, const char *call);
