/* mpi_coll_forms.h - the calls of collective operations in one of their two forms: mpi_coll_calls.c
 * includes this twice.  MPI_N: a count; MPI_D: a displacement; MPI_F(name): the name of this form.
 */

#define DATA(buf, n, type)                                                                         \
    {                                                                                              \
        .buffer = (buf), .count = (n), .handle = (type)                                            \
    }
#define LISTS(buf, list, places, type)                                                             \
    {                                                                                              \
        .buffer = (buf), .counts = CALL_LIST(list), .displs = CALL_LIST(places), .handle = (type)  \
    }
#define TYPES(buf, list, places, types)                                                            \
    {                                                                                              \
        .buffer = (buf), .counts = CALL_LIST(list), .displs = CALL_LIST(places),                   \
        .handles = (types)                                                                         \
    }

COLLECTIVE(Bcast, bcast,
           (void *buffer, MPI_N count, MPI_Datatype datatype, int root, MPI_Comm comm),
           .kind = COLL_BCAST, .root = root, .out = DATA(buffer, count, datatype))

COLLECTIVE(Gather, gather,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
           .kind = COLL_GATHER, .root = root, .in = DATA(sendbuf, sendcount, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Gatherv, gatherv,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, int root,
            MPI_Comm comm),
           .kind = COLL_GATHERV, .root = root, .in = DATA(sendbuf, sendcount, sendtype),
           .out = LISTS(recvbuf, recvcounts, displs, recvtype))

COLLECTIVE(Scatter, scatter,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
           .kind = COLL_SCATTER, .root = root, .in = DATA(sendbuf, sendcount, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Scatterv, scatterv,
           (const void *sendbuf, const MPI_N sendcounts[], const MPI_D displs[],
            MPI_Datatype sendtype, void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int root,
            MPI_Comm comm),
           .kind = COLL_SCATTERV, .root = root, .in = LISTS(sendbuf, sendcounts, displs, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Allgather, allgather,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_ALLGATHER, .in = DATA(sendbuf, sendcount, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Allgatherv, allgatherv,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_ALLGATHERV, .in = DATA(sendbuf, sendcount, sendtype),
           .out = LISTS(recvbuf, recvcounts, displs, recvtype))

COLLECTIVE(Alltoall, alltoall,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_ALLTOALL, .in = DATA(sendbuf, sendcount, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Alltoallv, alltoallv,
           (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
            MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
            MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_ALLTOALLV, .in = LISTS(sendbuf, sendcounts, sdispls, sendtype),
           .out = LISTS(recvbuf, recvcounts, rdispls, recvtype))

COLLECTIVE(Alltoallw, alltoallw,
           (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
            const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
            const MPI_D rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
           .kind = COLL_ALLTOALLW, .in = TYPES(sendbuf, sendcounts, sdispls, sendtypes),
           .out = TYPES(recvbuf, recvcounts, rdispls, recvtypes))

COLLECTIVE(Reduce, reduce,
           (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
            int root, MPI_Comm comm),
           .kind = COLL_REDUCE, .root = root, .op = op, .in = DATA(sendbuf, count, datatype),
           .out = DATA(recvbuf, count, datatype))

COLLECTIVE(Allreduce, allreduce,
           (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm),
           .kind = COLL_ALLREDUCE, .op = op, .in = DATA(sendbuf, count, datatype),
           .out = DATA(recvbuf, count, datatype))

COLLECTIVE(Reduce_scatter, reduce_scatter,
           (const void *sendbuf, void *recvbuf, const MPI_N recvcounts[], MPI_Datatype datatype,
            MPI_Op op, MPI_Comm comm),
           .kind = COLL_REDUCE_SCATTER, .op = op, .in = DATA(sendbuf, 0, datatype),
           .out = {.buffer = recvbuf, .counts = CALL_LIST(recvcounts), .handle = datatype})

COLLECTIVE(Reduce_scatter_block, reduce_scatter_block,
           (const void *sendbuf, void *recvbuf, MPI_N recvcount, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm),
           .kind = COLL_REDUCE_SCATTER_BLOCK, .op = op, .in = DATA(sendbuf, recvcount, datatype),
           .out = DATA(recvbuf, recvcount, datatype))

COLLECTIVE(Scan, scan,
           (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm),
           .kind = COLL_SCAN, .op = op, .in = DATA(sendbuf, count, datatype),
           .out = DATA(recvbuf, count, datatype))

COLLECTIVE(Exscan, exscan,
           (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm),
           .kind = COLL_EXSCAN, .op = op, .in = DATA(sendbuf, count, datatype),
           .out = DATA(recvbuf, count, datatype))

COLLECTIVE(Neighbor_allgather, neighbor_allgather,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_GATHER, .in = DATA(sendbuf, sendcount, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_GATHER, .in = DATA(sendbuf, sendcount, sendtype),
           .out = LISTS(recvbuf, recvcounts, displs, recvtype))

COLLECTIVE(Neighbor_alltoall, neighbor_alltoall,
           (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_ALL, .in = DATA(sendbuf, sendcount, sendtype),
           .out = DATA(recvbuf, recvcount, recvtype))

COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv,
           (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
            MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
            MPI_Datatype recvtype, MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_ALL, .in = LISTS(sendbuf, sendcounts, sdispls, sendtype),
           .out = LISTS(recvbuf, recvcounts, rdispls, recvtype))

COLLECTIVE(Neighbor_alltoallw, neighbor_alltoallw,
           (const void *sendbuf, const MPI_N sendcounts[], const MPI_Aint sdispls[],
            const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
           .kind = COLL_NEIGHBOUR_ALL, .in = TYPES(sendbuf, sendcounts, sdispls, sendtypes),
           .out = TYPES(recvbuf, recvcounts, rdispls, recvtypes))

#undef DATA
#undef LISTS
#undef TYPES
