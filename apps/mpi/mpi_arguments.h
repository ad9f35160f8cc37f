/* mpi_arguments.h - argument lists shared by functions with counts; part of mpi.h
 * (mpi_functions.h).
 *
 * MPI_N: a count; MPI_D: a displacement in elements (mpi_counted.h).
 *
 * Declarations (mpi_counted.h) and definitions (the ..._forms.h of each folder) use the same
 * lists, so the compiler finds any difference. Names of arguments are the standard's; the
 * definitions refer to them. MPI_N and MPI_D are expanded where a list is used: once as int,
 * once as MPI_Count or MPI_Aint.
 */
#ifndef MPI_ARGUMENTS_H
#define MPI_ARGUMENTS_H

/* ---- point-to-point ---- */

#define MPI_ARGS_SEND                                                                              \
    const void *buf, MPI_N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm
#define MPI_ARGS_RECV                                                                              \
    void *buf, MPI_N count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm
/* No source, tag and communicator: the message has them. */
#define MPI_ARGS_MATCHED void *buf, MPI_N count, MPI_Datatype datatype, MPI_Message *message
#define MPI_ARGS_SENDRECV                                                                          \
    const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype, int dest, int sendtag,            \
        void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype, int source, int recvtag,            \
        MPI_Comm comm
/* One buffer for both directions (MPI_Sendrecv_replace()). */
#define MPI_ARGS_REPLACE                                                                           \
    void *buf, MPI_N count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, \
        MPI_Comm comm

/* ---- collective operations: send and receive arguments ---- */

#define MPI_ARGS_GIVEN const void *sendbuf, MPI_N sendcount, MPI_Datatype sendtype
/* The displacements have different names in different calls. */
#define MPI_ARGS_GIVEN_LISTS(displs)                                                               \
    const void *sendbuf, const MPI_N sendcounts[], const MPI_D displs[], MPI_Datatype sendtype
/* A type for each block. Displacements are in bytes; neighbourhood calls have MPI_Aint in both
 * forms. */
#define MPI_ARGS_GIVEN_TYPES(Displacement)                                                         \
    const void *sendbuf, const MPI_N sendcounts[], const Displacement sdispls[],                   \
        const MPI_Datatype sendtypes[]
#define MPI_ARGS_GOT void *recvbuf, MPI_N recvcount, MPI_Datatype recvtype
#define MPI_ARGS_GOT_LISTS(displs)                                                                 \
    void *recvbuf, const MPI_N recvcounts[], const MPI_D displs[], MPI_Datatype recvtype
#define MPI_ARGS_GOT_TYPES(Displacement)                                                           \
    void *recvbuf, const MPI_N recvcounts[], const Displacement rdispls[],                         \
        const MPI_Datatype recvtypes[]
/* Reductions: one count, one type, and an operator for both buffers. */
#define MPI_ARGS_BOTH         const void *sendbuf, void *recvbuf
#define MPI_ARGS_COUNTED      MPI_N count, MPI_Datatype datatype
#define MPI_ARGS_FOLDED       MPI_N count, MPI_Datatype datatype, MPI_Op op
#define MPI_ARGS_FOLDED_LIST  const MPI_N recvcounts[], MPI_Datatype datatype, MPI_Op op
#define MPI_ARGS_FOLDED_BLOCK MPI_N recvcount, MPI_Datatype datatype, MPI_Op op
#define MPI_ARGS_ROOTED       int root, MPI_Comm comm

/* ---- one-sided communication ---- */

#define MPI_ARGS_ORIGIN const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype
/* MPI_Get() writes to its origin buffer, hence no const. */
#define MPI_ARGS_RESULT void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype
#define MPI_ARGS_ORIGIN_RESULT                                                                     \
    MPI_ARGS_ORIGIN, void *result_addr, MPI_N result_count, MPI_Datatype result_datatype
#define MPI_ARGS_TARGET                                                                            \
    int target_rank, MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype
#define MPI_ARGS_OP_WIN MPI_Op op, MPI_Win win

/* ---- files: by position, direction and kind of call (mpi_file_counted.h) ---- */

#define MPI_ARGS_AT                MPI_File fh, MPI_Offset offset
#define MPI_ARGS_OWN               MPI_File fh
#define MPI_ARGS_SHARED            MPI_File fh
#define MPI_ARGS_ORDERED           MPI_File fh
#define MPI_ARGS_READ_SPLIT        void *buf, MPI_N count, MPI_Datatype datatype
#define MPI_ARGS_READ_BLOCKING     MPI_ARGS_READ_SPLIT, MPI_Status *status
#define MPI_ARGS_READ_NONBLOCKING  MPI_ARGS_READ_SPLIT, MPI_Request *request
#define MPI_ARGS_WRITE_SPLIT       const void *buf, MPI_N count, MPI_Datatype datatype
#define MPI_ARGS_WRITE_BLOCKING    MPI_ARGS_WRITE_SPLIT, MPI_Status *status
#define MPI_ARGS_WRITE_NONBLOCKING MPI_ARGS_WRITE_SPLIT, MPI_Request *request

#endif
