/* mpi.h - the ABI of MPICH 4.0 and of the MPICH ABI compatibility initiative: types, values and
 * names of handles in programs compiled for libmpich.so.12 or libmpi.so.12.
 *
 * The values are those in such programs; hnow's sources are compiled with this header to serve
 * them. New programs should be compiled with the standard ABI's header.
 */
#ifndef MPI_H_MPICH
#define MPI_H_MPICH

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef intptr_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Errhandler;
typedef struct ADIOI_FileD *MPI_File; /* the only handle that is an address */
typedef int MPI_Group;
typedef int MPI_Info;
typedef int MPI_Message;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Session;
typedef int MPI_Win;

/* The count has 32 bits in the low word and 19 in the high one (handles.h). */
typedef struct {
    int count_lo;
    int count_hi_and_cancelled;
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
} MPI_Status;
typedef MPI_Status MPI_F08_status;

#include "mpi_constants_mpich.h"
#include "mpi_functions.h"

/* Data symbols: a predefined attribute function, and addresses with a special meaning. */
extern int MPIR_Dup_fn(MPI_Comm, int, void *, void *, void *, int *);
extern int *const MPI_UNWEIGHTED, *const MPI_WEIGHTS_EMPTY;
extern MPI_T_pvar_handle const MPI_T_PVAR_ALL_HANDLES;

/* In Fortran the keys of predefined attributes are one more than in C. */
#define MPI_F_KEYVAL(keyval) ((keyval) > MPI_TAG_UB ? ((keyval)-1) | 1 : (keyval))

#ifdef __cplusplus
}
#endif
#endif
