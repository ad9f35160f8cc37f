/* mpi_coll_forms.h - the calls of collective operations in one of two forms (int or MPI_Count).
 * mpi_coll_calls.c includes this file twice. mpi_arguments.h has the arguments.
 *
 * The macros describe arguments: DATA is a buffer with a count, LISTS one with counts and
 * displacements, TYPES one with a type for each block.
 *
 * The names of arguments (sendbuf, recvcounts, root ...) are those of the standard, on which the
 * macros rely. Designated initialisers set the rest of a description to 0: no operator, no list,
 * root 0.
 */

#define DATA(buf, n, type)                                                                         \
    {                                                                                              \
        .buffer = (buf), .count = (n), .handle = (type)                                            \
    }
#define LISTS(buf, list, places, type)                                                             \
    {                                                                                              \
        .buffer = (buf), .counts = COUNTS(list), .displs = COUNTS(places), .handle = (type)        \
    }
#define TYPES(buf, list, places, types)                                                            \
    {                                                                                              \
        .buffer = (buf), .counts = COUNTS(list), .displs = COUNTS(places), .handles = (types)      \
    }
#define GIVEN               .in = DATA(sendbuf, sendcount, sendtype)
#define GIVEN_LISTS(displs) .in = LISTS(sendbuf, sendcounts, displs, sendtype)
#define GIVEN_TYPES         .in = TYPES(sendbuf, sendcounts, sdispls, sendtypes)
#define GOT                 .out = DATA(recvbuf, recvcount, recvtype)
#define GOT_LISTS(displs)   .out = LISTS(recvbuf, recvcounts, displs, recvtype)
#define GOT_TYPES           .out = TYPES(recvbuf, recvcounts, rdispls, recvtypes)
#define FOLDED(n)           .op = op, .in = DATA(sendbuf, n, datatype), .out = DATA(recvbuf, n, datatype)

COLLECTIVE(Bcast, bcast, (void *buffer, MPI_ARGS_COUNTED, MPI_ARGS_ROOTED), .kind = COLL_BCAST,
           .root = root, .out = DATA(buffer, count, datatype))
COLLECTIVE(Gather, gather, (MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_ARGS_ROOTED), .kind = COLL_GATHER,
           .root = root, GIVEN, GOT)
COLLECTIVE(Gatherv, gatherv, (MPI_ARGS_GIVEN, MPI_ARGS_GOT_LISTS(displs), MPI_ARGS_ROOTED),
           .kind = COLL_GATHERV, .root = root, GIVEN, GOT_LISTS(displs))
COLLECTIVE(Scatter, scatter, (MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_ARGS_ROOTED), .kind = COLL_SCATTER,
           .root = root, GIVEN, GOT)
COLLECTIVE(Scatterv, scatterv, (MPI_ARGS_GIVEN_LISTS(displs), MPI_ARGS_GOT, MPI_ARGS_ROOTED),
           .kind = COLL_SCATTERV, .root = root, GIVEN_LISTS(displs), GOT)
/* From here on there is no root. Every member has both sides. */
COLLECTIVE(Allgather, allgather, (MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm),
           .kind = COLL_ALLGATHER, GIVEN, GOT)
COLLECTIVE(Allgatherv, allgatherv, (MPI_ARGS_GIVEN, MPI_ARGS_GOT_LISTS(displs), MPI_Comm comm),
           .kind = COLL_ALLGATHERV, GIVEN, GOT_LISTS(displs))
COLLECTIVE(Alltoall, alltoall, (MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm), .kind = COLL_ALLTOALL,
           GIVEN, GOT)
COLLECTIVE(Alltoallv, alltoallv,
           (MPI_ARGS_GIVEN_LISTS(sdispls), MPI_ARGS_GOT_LISTS(rdispls), MPI_Comm comm),
           .kind = COLL_ALLTOALLV, GIVEN_LISTS(sdispls), GOT_LISTS(rdispls))
COLLECTIVE(Alltoallw, alltoallw,
           (MPI_ARGS_GIVEN_TYPES(MPI_D), MPI_ARGS_GOT_TYPES(MPI_D), MPI_Comm comm),
           .kind = COLL_ALLTOALLW, GIVEN_TYPES, GOT_TYPES)
/* Reductions: one count for both sides, and an operator. */
COLLECTIVE(Reduce, reduce, (MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_ARGS_ROOTED), .kind = COLL_REDUCE,
           .root = root, FOLDED(count))
COLLECTIVE(Allreduce, allreduce, (MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_Comm comm),
           .kind = COLL_ALLREDUCE, FOLDED(count))
/* The count of the send side follows from the list, so it is 0 here (read_shares()). */
COLLECTIVE(Reduce_scatter, reduce_scatter, (MPI_ARGS_BOTH, MPI_ARGS_FOLDED_LIST, MPI_Comm comm),
           .kind = COLL_REDUCE_SCATTER, .op = op, .in = DATA(sendbuf, 0, datatype),
           .out = {.buffer = recvbuf, .counts = COUNTS(recvcounts), .handle = datatype})
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block,
           (MPI_ARGS_BOTH, MPI_ARGS_FOLDED_BLOCK, MPI_Comm comm), .kind = COLL_REDUCE_SCATTER_BLOCK,
           FOLDED(recvcount))
COLLECTIVE(Scan, scan, (MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_Comm comm), .kind = COLL_SCAN,
           FOLDED(count))
COLLECTIVE(Exscan, exscan, (MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_Comm comm), .kind = COLL_EXSCAN,
           FOLDED(count))

/* MPI 4.1, 8.6. */
COLLECTIVE(Neighbor_allgather, neighbor_allgather, (MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_GATHER, GIVEN, GOT)
COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv,
           (MPI_ARGS_GIVEN, MPI_ARGS_GOT_LISTS(displs), MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_GATHER, GIVEN, GOT_LISTS(displs))
COLLECTIVE(Neighbor_alltoall, neighbor_alltoall, (MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_ALL, GIVEN, GOT)
COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv,
           (MPI_ARGS_GIVEN_LISTS(sdispls), MPI_ARGS_GOT_LISTS(rdispls), MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_ALL, GIVEN_LISTS(sdispls), GOT_LISTS(rdispls))
COLLECTIVE(Neighbor_alltoallw, neighbor_alltoallw,
           (MPI_ARGS_GIVEN_TYPES(MPI_Aint), MPI_ARGS_GOT_TYPES(MPI_Aint), MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_ALL, GIVEN_TYPES, GOT_TYPES)

#undef DATA
#undef LISTS
#undef TYPES
#undef GIVEN
#undef GIVEN_LISTS
#undef GIVEN_TYPES
#undef GOT
#undef GOT_LISTS
#undef GOT_TYPES
#undef FOLDED
