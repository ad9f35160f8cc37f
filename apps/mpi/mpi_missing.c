/* mpi_missing.c - functions of MPI that hnow does not have yet: some of MPI 4.1 and later.
 *
 * Programs are linked with all functions that they may call.  These say that they are not there
 * when they are called: MPI_ERR_UNSUPPORTED_OPERATION.  They are weak, and linked last: a function
 * that hnow has takes the place of its name here.
 */
#include "mpi_missing.h"

/* clang-format off */
#define MISSING_NEWER(X)                                                                           \
    X(Abi_get_info) X(Abi_get_version) X(Comm_attach_buffer) X(Comm_attach_buffer_c)               \
    X(Comm_detach_buffer) X(Comm_detach_buffer_c) X(Comm_flush_buffer) X(Comm_iflush_buffer)       \
    X(Get_hw_resource_info) X(Session_attach_buffer) X(Session_attach_buffer_c)                    \
    X(Session_detach_buffer) X(Session_detach_buffer_c) X(Session_flush_buffer)                    \
    X(Session_iflush_buffer) X(Type_get_value_index)
/* clang-format on */

#define MISSING(name)                                                                              \
    __attribute__((weak, visibility("default"))) int PMPI_##name(void);                            \
    __attribute__((weak, visibility("default"))) int MPI_##name(void);                             \
    int PMPI_##name(void)                                                                          \
    {                                                                                              \
        return missing("MPI_" #name);                                                              \
    }                                                                                              \
    int MPI_##name(void)                                                                           \
    {                                                                                              \
        return missing("MPI_" #name);                                                              \
    }
MISSING_NEWER(MISSING)
