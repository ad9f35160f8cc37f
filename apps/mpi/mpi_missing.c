/* mpi_missing.c - functions of MPI that hnow does not have yet: tools, and some of MPI 4.1.
 *
 * Programs are linked with all functions that they may call.  These say that they are not there
 * when they are called: MPI_ERR_UNSUPPORTED_OPERATION.  They are weak, and linked last: a function
 * that hnow has takes the place of its name here.
 */
#include "mpi_missing.h"

/* clang-format off */
#define MISSING_TOOLS(X)                                                                           \
    X(T_category_changed) X(T_category_get_categories) X(T_category_get_cvars)                     \
    X(T_category_get_index) X(T_category_get_info) X(T_category_get_num)                           \
    X(T_category_get_pvars) X(T_cvar_get_index) X(T_cvar_get_info) X(T_cvar_get_num)               \
    X(T_cvar_handle_alloc) X(T_cvar_handle_free) X(T_cvar_read) X(T_cvar_write)                    \
    X(T_enum_get_info) X(T_enum_get_item) X(T_finalize) X(T_init_thread) X(T_pvar_get_index)       \
    X(T_pvar_get_info) X(T_pvar_get_num) X(T_pvar_handle_alloc) X(T_pvar_handle_free)              \
    X(T_pvar_read) X(T_pvar_readreset) X(T_pvar_reset) X(T_pvar_session_create)                    \
    X(T_pvar_session_free) X(T_pvar_start) X(T_pvar_stop) X(T_pvar_write)
#define MISSING_MPI41(X)                                                                           \
    X(Abi_get_info) X(Abi_get_version) X(Comm_attach_buffer) X(Comm_attach_buffer_c)               \
    X(Comm_detach_buffer) X(Comm_detach_buffer_c) X(Comm_flush_buffer) X(Comm_iflush_buffer)       \
    X(Get_hw_resource_info) X(Type_get_value_index)
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
MISSING_TOOLS(MISSING)
MISSING_MPI41(MISSING)
