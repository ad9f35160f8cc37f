/* mpi_counted.h - the functions whose counts have two sizes; mpi_functions.h includes this twice.
 *
 * MPI_N: a count; MPI_D: a displacement in elements; MPI_H: one in bytes, where the small form has
 * an address; MPI_F(name): the name of this form.
 */

/* ---- point-to-point ---- */

MPI_DECLARE(int, MPI_F(Send),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Isend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Send_init),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Bsend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ibsend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Bsend_init),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Ssend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Issend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Ssend_init),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Rsend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Irsend),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Rsend_init),
            (const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Recv),
            (void *buf, MPI_N count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status));
MPI_DECLARE(int, MPI_F(Irecv),
            (void *buf, MPI_N count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Recv_init),
            (void *buf, MPI_N count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Mrecv),
            (void *buf, MPI_N count, MPI_Datatype datatype, MPI_Message *message,
             MPI_Status *status));
MPI_DECLARE(int, MPI_F(Imrecv),
            (void *buf, MPI_N count, MPI_Datatype datatype, MPI_Message *message,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Sendrecv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status *status));
MPI_DECLARE(int, MPI_F(Isendrecv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Sendrecv_replace),
            (void *buf, MPI_N count, MPI_Datatype datatype, int dest, int sendtag, int source,
             int recvtag, MPI_Comm comm, MPI_Status *status));
MPI_DECLARE(int, MPI_F(Isendrecv_replace),
            (void *buf, MPI_N count, MPI_Datatype datatype, int dest, int sendtag, int source,
             int recvtag, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Buffer_attach), (void *buffer, MPI_N size));
MPI_DECLARE(int, MPI_F(Buffer_detach), (void *buffer, MPI_N *size));
MPI_DECLARE(int, MPI_F(Comm_attach_buffer), (MPI_Comm comm, void *buffer, MPI_N size));
MPI_DECLARE(int, MPI_F(Comm_detach_buffer), (MPI_Comm comm, void *buffer, MPI_N *size));
MPI_DECLARE(int, MPI_F(Get_count), (const MPI_Status *status, MPI_Datatype datatype, MPI_N *count));
MPI_DECLARE(int, MPI_F(Get_elements),
            (const MPI_Status *status, MPI_Datatype datatype, MPI_N *count));
MPI_DECLARE(int, MPI_F(Status_set_elements),
            (MPI_Status * status, MPI_Datatype datatype, MPI_N count));

/* ---- datatypes ---- */

MPI_DECLARE(int, MPI_F(Type_contiguous),
            (MPI_N count, MPI_Datatype oldtype, MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_vector),
            (MPI_N count, MPI_N blocklength, MPI_N stride, MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_hvector),
            (MPI_N count, MPI_N blocklength, MPI_H stride, MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_indexed),
            (MPI_N count, const MPI_N lengths[], const MPI_N displacements[], MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_hindexed),
            (MPI_N count, const MPI_N lengths[], const MPI_H displacements[], MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_indexed_block),
            (MPI_N count, MPI_N blocklength, const MPI_N displacements[], MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_hindexed_block),
            (MPI_N count, MPI_N blocklength, const MPI_H displacements[], MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_struct),
            (MPI_N count, const MPI_N lengths[], const MPI_H displacements[],
             const MPI_Datatype types[], MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_subarray),
            (int ndims, const MPI_N sizes[], const MPI_N subsizes[], const MPI_N starts[],
             int order, MPI_Datatype oldtype, MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_darray),
            (int size, int rank, int ndims, const MPI_N gsizes[], const int distribs[],
             const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_resized),
            (MPI_Datatype oldtype, MPI_H lb, MPI_H extent, MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_size), (MPI_Datatype datatype, MPI_N *size));
MPI_DECLARE(int, MPI_F(Type_get_extent), (MPI_Datatype datatype, MPI_H *lb, MPI_H *extent));
MPI_DECLARE(int, MPI_F(Type_get_true_extent), (MPI_Datatype datatype, MPI_H *lb, MPI_H *extent));

/* ---- pack ---- */

MPI_DECLARE(int, MPI_F(Pack),
            (const void *inbuf, MPI_N incount, MPI_Datatype datatype, void *outbuf, MPI_N outsize,
             MPI_N *position, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Unpack),
            (const void *inbuf, MPI_N insize, MPI_N *position, void *outbuf, MPI_N outcount,
             MPI_Datatype datatype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Pack_size),
            (MPI_N incount, MPI_Datatype datatype, MPI_Comm comm, MPI_N *size));
MPI_DECLARE(int, MPI_F(Pack_external),
            (const char datarep[], const void *inbuf, MPI_N incount, MPI_Datatype datatype,
             void *outbuf, MPI_H outsize, MPI_H *position));
MPI_DECLARE(int, MPI_F(Unpack_external),
            (const char datarep[], const void *inbuf, MPI_H insize, MPI_H *position, void *outbuf,
             MPI_N outcount, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(Pack_external_size),
            (const char datarep[], MPI_N incount, MPI_Datatype datatype, MPI_H *size));

/* ---- collective operations ---- */

MPI_DECLARE(int, MPI_F(Bcast),
            (void *buffer, MPI_N count, MPI_Datatype datatype, int root, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ibcast),
            (void *buffer, MPI_N count, MPI_Datatype datatype, int root, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Bcast_init),
            (void *buffer, MPI_N count, MPI_Datatype datatype, int root, MPI_Comm comm,
             MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Gather),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Igather),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Gather_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Gatherv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, int root,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Igatherv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, int root,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Gatherv_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, int root,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Scatter),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iscatter),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Scatter_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Scatterv),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D displs[],
             MPI_Datatype sendtype, void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int root,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iscatterv),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D displs[],
             MPI_Datatype sendtype, void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int root,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Scatterv_init),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D displs[],
             MPI_Datatype sendtype, void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int root,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Allgather),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iallgather),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Allgather_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Allgatherv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iallgatherv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Allgatherv_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm,
             MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Alltoall),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ialltoall),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Alltoall_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Alltoallv),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
             MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ialltoallv),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Alltoallv_init),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Alltoallw),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
             const MPI_D rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ialltoallw),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
             const MPI_D rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Alltoallw_init),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
             const MPI_D rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ireduce),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce_init),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Allreduce),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iallreduce),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Allreduce_init),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce_scatter),
            (const void *sendbuf, void *recvbuf, const MPI_N recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ireduce_scatter),
            (const void *sendbuf, void *recvbuf, const MPI_N recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce_scatter_init),
            (const void *sendbuf, void *recvbuf, const MPI_N recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce_scatter_block),
            (const void *sendbuf, void *recvbuf, MPI_N recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ireduce_scatter_block),
            (const void *sendbuf, void *recvbuf, MPI_N recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce_scatter_block_init),
            (const void *sendbuf, void *recvbuf, MPI_N recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Scan),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iscan),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Scan_init),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Exscan),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Iexscan),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Exscan_init),
            (const void *sendbuf, void *recvbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Reduce_local),
            (const void *inbuf, void *inoutbuf, MPI_N count, MPI_Datatype datatype, MPI_Op op));

/* ---- neighbours ---- */

MPI_DECLARE(int, MPI_F(Neighbor_allgather),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ineighbor_allgather),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_allgather_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_allgatherv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ineighbor_allgatherv),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_allgatherv_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype, MPI_Comm comm,
             MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_alltoall),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ineighbor_alltoall),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_alltoall_init),
            (const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, void *recvbuf,
             MPI_N recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_alltoallv),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
             MPI_Datatype recvtype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ineighbor_alltoallv),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_alltoallv_init),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_D sdispls[],
             MPI_Datatype sendtype, void *recvbuf, const MPI_N recvcounts[], const MPI_D rdispls[],
             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_alltoallw),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_Aint sdispls[],
             const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Ineighbor_alltoallw),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_Aint sdispls[],
             const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Neighbor_alltoallw_init),
            (const void *sendbuf, const MPI_N sendcounts[], const MPI_Aint sdispls[],
             const MPI_Datatype sendtypes[], void *recvbuf, const MPI_N recvcounts[],
             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
             MPI_Request *request));

#include "mpi_file_counted.h"
#include "mpi_rma_counted.h"
