/* mpi.h - the ABI of Open MPI 4: types, values and names of handles in programs compiled for
 * libmpi.so.40.
 *
 * Values and sizes are those of such a library (readelf -s); hnow's sources are compiled with this
 * header to serve them.  New programs should be compiled with the standard ABI's header.
 *
 * Three things belong to a binary interface: sizes of structs and data objects, values of
 * constants, and names of symbols. Nothing may change here once programs exist. Constants and
 * macros follow in mpi_constants.h and mpi_predefined.h, functions in mpi_functions.h.
 */
#ifndef MPI_H_OPENMPI
#define MPI_H_OPENMPI

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The width of counts and offsets is fixed by the interface, as is MPI_Fint by gfortran. */
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

/* Names of structs matter to C++ programs, in whose symbols they occur. */
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_errhandler_t *MPI_Errhandler;
typedef struct ompi_file_t *MPI_File;
typedef struct ompi_group_t *MPI_Group;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_message_t *MPI_Message;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
typedef struct hnow_session_t *MPI_Session; /* newer than that interface */
typedef struct ompi_win_t *MPI_Win;

/* The two last fields are private: handles.h stores count, type and flag in them. */
typedef struct ompi_status_public_t {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int _cancelled;
    size_t _ucount;
} MPI_Status;
typedef MPI_Status MPI_F08_status;

/* The objects that predefined handles point to.  Programs may have copies of them (R_X86_64_COPY),
 * so their sizes must not change. */
#define MPI_PREDEFINED(Kind, name) ((MPI_##Kind)(void *)&name)
/* The size is that of the whole object, its first word included. */
#define MPI_PREDEFINED_OBJECT(name, size)                                                          \
    extern struct name##_bytes {                                                                   \
        void *first;                                                                               \
        char rest[(size) - sizeof(void *)];                                                        \
    } name;
#define MPI_PREDEFINED_SYMBOL(Kind, name, size, fortran) MPI_PREDEFINED_OBJECT(name, size)
#include "mpi_predefined.h"
MPI_PREDEFINED_OBJECTS(MPI_PREDEFINED_SYMBOL)
#undef MPI_PREDEFINED_SYMBOL

#include "mpi_constants_openmpi.h"
#include "mpi_functions.h"

/* Predefined attribute functions: without effect, or copying. */
extern MPI_Comm_copy_attr_function OMPI_C_MPI_COMM_DUP_FN;
extern MPI_Comm_copy_attr_function OMPI_C_MPI_COMM_NULL_COPY_FN;
extern MPI_Comm_delete_attr_function OMPI_C_MPI_COMM_NULL_DELETE_FN;
extern MPI_Copy_function OMPI_C_MPI_DUP_FN;
extern MPI_Copy_function OMPI_C_MPI_NULL_COPY_FN;
extern MPI_Delete_function OMPI_C_MPI_NULL_DELETE_FN;
extern MPI_Type_copy_attr_function OMPI_C_MPI_TYPE_DUP_FN;
extern MPI_Type_copy_attr_function OMPI_C_MPI_TYPE_NULL_COPY_FN;
extern MPI_Type_delete_attr_function OMPI_C_MPI_TYPE_NULL_DELETE_FN;
extern MPI_Win_copy_attr_function OMPI_C_MPI_WIN_DUP_FN;
extern MPI_Win_copy_attr_function OMPI_C_MPI_WIN_NULL_COPY_FN;
extern MPI_Win_delete_attr_function OMPI_C_MPI_WIN_NULL_DELETE_FN;

#ifdef __cplusplus
}
#endif
#endif
