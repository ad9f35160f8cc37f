/* mpi_counted.h - functions whose counts have two sizes. mpi_functions.h includes this file twice
 * through mpi_forms.h, which defines the macros. mpi_arguments.h has shared argument lists.
 *
 * The definitions are in the ..._forms.h headers of the folders, which are included twice in the
 * same way. Only declarations are here, since programs include this file through mpi.h. It has
 * no include guard on purpose.
 */

/* ---- point-to-point ---- */

#define MPI_DECLARE_SENDS(Blocking, Nonblocking, Persistent)                                       \
    MPI_DECLARE(int, MPI_F(Blocking), (MPI_ARGS_SEND));                                            \
    MPI_DECLARE(int, MPI_F(Nonblocking), (MPI_ARGS_SEND, MPI_Request * request));                  \
    MPI_DECLARE(int, MPI_F(Persistent), (MPI_ARGS_SEND, MPI_Request * request))
/* Four modes (MPI 4.1, 3.4). Blocking forms return when the buffer may be used again;
 * synchronous ones also wait for a matching receive. message/mpi_message_forms.h. */
MPI_DECLARE_SENDS(Send, Isend, Send_init);
MPI_DECLARE_SENDS(Bsend, Ibsend, Bsend_init);
MPI_DECLARE_SENDS(Ssend, Issend, Ssend_init);
MPI_DECLARE_SENDS(Rsend, Irsend, Rsend_init);
#undef MPI_DECLARE_SENDS
/* Receives block until a message has arrived; nonblocking forms return a request. */
MPI_DECLARE(int, MPI_F(Recv), (MPI_ARGS_RECV, MPI_Status *status));
MPI_DECLARE(int, MPI_F(Irecv), (MPI_ARGS_RECV, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Recv_init), (MPI_ARGS_RECV, MPI_Request *request));
/* For a message that MPI_Mprobe() has matched: these do not block. */
MPI_DECLARE(int, MPI_F(Mrecv), (MPI_ARGS_MATCHED, MPI_Status *status));
MPI_DECLARE(int, MPI_F(Imrecv), (MPI_ARGS_MATCHED, MPI_Request *request));
/* Both directions at once, so that two tasks that exchange messages cannot block each other. */
MPI_DECLARE(int, MPI_F(Sendrecv), (MPI_ARGS_SENDRECV, MPI_Status *status));
MPI_DECLARE(int, MPI_F(Isendrecv), (MPI_ARGS_SENDRECV, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Sendrecv_replace), (MPI_ARGS_REPLACE, MPI_Status *status));
MPI_DECLARE(int, MPI_F(Isendrecv_replace), (MPI_ARGS_REPLACE, MPI_Request *request));
/* Attached buffers are limits only, and no memory that hnow uses: message/mpi_buffer.c. */
MPI_DECLARE(int, MPI_F(Buffer_attach), (void *buffer, MPI_N size));
MPI_DECLARE(int, MPI_F(Buffer_detach), (void *buffer_addr, MPI_N *size));
MPI_DECLARE(int, MPI_F(Comm_attach_buffer), (MPI_Comm comm, void *buffer, MPI_N size));
MPI_DECLARE(int, MPI_F(Comm_detach_buffer), (MPI_Comm comm, void *buffer_addr, MPI_N *size));
/* Queries of a status, in elements of the datatype that is passed. */
MPI_DECLARE(int, MPI_F(Get_count), (const MPI_Status *status, MPI_Datatype datatype, MPI_N *count));
MPI_DECLARE(int, MPI_F(Get_elements),
            (const MPI_Status *status, MPI_Datatype datatype, MPI_N *count));
MPI_DECLARE(int, MPI_F(Status_set_elements),
            (MPI_Status * status, MPI_Datatype datatype, MPI_N count));

/* ---- datatypes ---- */

/* Constructors (datatype/mpi_type_forms.h) are local. The new type must be committed before it
 * is used in communication, and keeps the old one as long as it needs it. */
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
/* The only constructor that pads its extent, as a C compiler does. */
MPI_DECLARE(int, MPI_F(Type_create_struct),
            (MPI_N count, const MPI_N lengths[], const MPI_H displacements[],
             const MPI_Datatype types[], MPI_Datatype *newtype));
/* Parts of arrays; their extent is that of the whole array. */
MPI_DECLARE(int, MPI_F(Type_create_subarray),
            (int ndims, const MPI_N sizes[], const MPI_N subsizes[], const MPI_N starts[],
             int order, MPI_Datatype oldtype, MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_darray),
            (int size, int rank, int ndims, const MPI_N gsizes[], const int distribs[],
             const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, MPI_F(Type_create_resized),
            (MPI_Datatype oldtype, MPI_H lb, MPI_H extent, MPI_Datatype *newtype));
/* Queries; in the int form, MPI_UNDEFINED if a result does not fit. */
MPI_DECLARE(int, MPI_F(Type_size), (MPI_Datatype datatype, MPI_N *size));
MPI_DECLARE(int, MPI_F(Type_get_extent), (MPI_Datatype datatype, MPI_H *lb, MPI_H *extent));
MPI_DECLARE(int, MPI_F(Type_get_true_extent),
            (MPI_Datatype datatype, MPI_H *true_lb, MPI_H *true_extent));

/* ---- pack ---- */

/* *position is a byte offset, which each call advances (datatype/mpi_pack_calls.c). */
MPI_DECLARE(int, MPI_F(Pack),
            (const void *inbuf, MPI_N incount, MPI_Datatype datatype, void *outbuf, MPI_N outsize,
             MPI_N *position, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Unpack),
            (const void *inbuf, MPI_N insize, MPI_N *position, void *outbuf, MPI_N outcount,
             MPI_Datatype datatype, MPI_Comm comm));
MPI_DECLARE(int, MPI_F(Pack_size),
            (MPI_N incount, MPI_Datatype datatype, MPI_Comm comm, MPI_N *size));
/* external32 only; sizes and positions are addresses in the int form. */
MPI_DECLARE(int, MPI_F(Pack_external),
            (const char datarep[], const void *inbuf, MPI_N incount, MPI_Datatype datatype,
             void *outbuf, MPI_H outsize, MPI_H *position));
MPI_DECLARE(int, MPI_F(Unpack_external),
            (const char datarep[], const void *inbuf, MPI_H insize, MPI_H *position, void *outbuf,
             MPI_N outcount, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(Pack_external_size),
            (const char datarep[], MPI_N incount, MPI_Datatype datatype, MPI_H *size));

/* ---- collective operations ---- */

/* The blocking, nonblocking and persistent form. */
#define MPI_DECLARE_ALL(Name, name, first, second, last)                                           \
    MPI_DECLARE(int, MPI_F(Name), (first, second, last));                                          \
    MPI_DECLARE(int, MPI_F(I##name), (first, second, last, MPI_Request * request));                \
    MPI_DECLARE(int, MPI_F(Name##_init),                                                           \
                (first, second, last, MPI_Info info, MPI_Request * request))

/* All members must call these in the same order (collective/mpi_coll_forms.h). The persistent
 * form is collective, but its starts are local. */
MPI_DECLARE_ALL(Bcast, bcast, void *buffer, MPI_ARGS_COUNTED, MPI_ARGS_ROOTED);
MPI_DECLARE_ALL(Gather, gather, MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_ARGS_ROOTED);
MPI_DECLARE_ALL(Gatherv, gatherv, MPI_ARGS_GIVEN, MPI_ARGS_GOT_LISTS(displs), MPI_ARGS_ROOTED);
MPI_DECLARE_ALL(Scatter, scatter, MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_ARGS_ROOTED);
MPI_DECLARE_ALL(Scatterv, scatterv, MPI_ARGS_GIVEN_LISTS(displs), MPI_ARGS_GOT, MPI_ARGS_ROOTED);
/* Without a root. */
MPI_DECLARE_ALL(Allgather, allgather, MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm);
MPI_DECLARE_ALL(Allgatherv, allgatherv, MPI_ARGS_GIVEN, MPI_ARGS_GOT_LISTS(displs), MPI_Comm comm);
MPI_DECLARE_ALL(Alltoall, alltoall, MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm);
MPI_DECLARE_ALL(Alltoallv, alltoallv, MPI_ARGS_GIVEN_LISTS(sdispls), MPI_ARGS_GOT_LISTS(rdispls),
                MPI_Comm comm);
MPI_DECLARE_ALL(Alltoallw, alltoallw, MPI_ARGS_GIVEN_TYPES(MPI_D), MPI_ARGS_GOT_TYPES(MPI_D),
                MPI_Comm comm);
/* Reductions; operators of the program are called in the thread that progresses the operation. */
MPI_DECLARE_ALL(Reduce, reduce, MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_ARGS_ROOTED);
MPI_DECLARE_ALL(Allreduce, allreduce, MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_Comm comm);
MPI_DECLARE_ALL(Reduce_scatter, reduce_scatter, MPI_ARGS_BOTH, MPI_ARGS_FOLDED_LIST, MPI_Comm comm);
MPI_DECLARE_ALL(Reduce_scatter_block, reduce_scatter_block, MPI_ARGS_BOTH, MPI_ARGS_FOLDED_BLOCK,
                MPI_Comm comm);
MPI_DECLARE_ALL(Scan, scan, MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_Comm comm);
MPI_DECLARE_ALL(Exscan, exscan, MPI_ARGS_BOTH, MPI_ARGS_FOLDED, MPI_Comm comm);
/* Not collective: no communicator at all. */
MPI_DECLARE(int, MPI_F(Reduce_local), (const void *inbuf, void *inoutbuf, MPI_ARGS_FOLDED));

/* ---- neighbours ---- */

/* Messages between neighbours of the communicator's topology (communicator/mpi_topology.c). */
MPI_DECLARE_ALL(Neighbor_allgather, neighbor_allgather, MPI_ARGS_GIVEN, MPI_ARGS_GOT,
                MPI_Comm comm);
MPI_DECLARE_ALL(Neighbor_allgatherv, neighbor_allgatherv, MPI_ARGS_GIVEN,
                MPI_ARGS_GOT_LISTS(displs), MPI_Comm comm);
MPI_DECLARE_ALL(Neighbor_alltoall, neighbor_alltoall, MPI_ARGS_GIVEN, MPI_ARGS_GOT, MPI_Comm comm);
MPI_DECLARE_ALL(Neighbor_alltoallv, neighbor_alltoallv, MPI_ARGS_GIVEN_LISTS(sdispls),
                MPI_ARGS_GOT_LISTS(rdispls), MPI_Comm comm);
MPI_DECLARE_ALL(Neighbor_alltoallw, neighbor_alltoallw, MPI_ARGS_GIVEN_TYPES(MPI_Aint),
                MPI_ARGS_GOT_TYPES(MPI_Aint), MPI_Comm comm);
#undef MPI_DECLARE_ALL

/* ---- files ---- */

#define MPI_DECLARE_ACCESS(name, way, place, data)                                                 \
    MPI_DECLARE(int, MPI_F(File_##name), (MPI_ARGS_##place, MPI_ARGS_##data##_##way));
/* file/mpi_file_forms.h defines them from the same list. */
MPI_FILE_ACCESSES(MPI_DECLARE_ACCESS)
#undef MPI_DECLARE_ACCESS

#include "mpi_rma_counted.h"
