/* mpi_topology.h - virtual topologies of communicators. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct mpi_comm;

/* A mesh, a graph that every member knows, or one of which a member knows its own edges. */
struct mpi_topology {
    int references;
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    /* The ranks that the caller receives from and sends to, in the order of blocks; MPI_PROC_NULL
     * beyond an edge of a mesh. */
    int from_count, to_count;
    int *from, *to;
    int *from_weights, *to_weights; /* of MPI_DIST_GRAPH; NULL: it has none */
    int ndims;                      /* of a mesh ... */
    int *dims, *periods, *coords;
    int nnodes; /* ... of a graph */
    int *index, *edges;
};

/* A topology never changes: duplicates of a communicator share it.  NULL is allowed. */
struct mpi_topology *topology_share(struct mpi_topology *t);
void topology_drop(struct mpi_topology *t);

/* One with all zero and lists of so many ints each: NULL: out of memory. */
struct mpi_topology *topology_new(int kind);
/* A copy of a list, also of an empty one; NULL: out of memory. */
int *topology_list(const int *list, size_t n);
/* The topology of a call's communicator: NULL, and *error what error_on() has said, if it is of
 * another kind. */
struct mpi_topology *topology_of(struct mpi_comm *c, int kind, const char *call, int *error);
