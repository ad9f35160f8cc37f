/* openmpi_fortran.c - symbols that only Open MPI's Fortran modules use: MPI_Sizeof() has a function
 * for each type and rank of its argument. Programs compiled with hnow's own modules do not need
 * them: there one procedure takes any type (fortran_calls.c). The names are formed from type,
 * kind and rank. */
#include "fortran/fortran.h"

#define SIZEOF(type, shape, bytes)                                                                 \
    MPI_API void mpi_sizeof_##type##_##shape##_(void *x, MPI_Fint *size, MPI_Fint *ierror);        \
    void mpi_sizeof_##type##_##shape##_(void *x, MPI_Fint *size, MPI_Fint *ierror)                 \
    {                                                                                              \
        (void)x;                                                                                   \
        *size = bytes;                                                                             \
        fortran_error(ierror, MPI_SUCCESS);                                                        \
    }
/* clang-format off */
#define OF_TYPE(type, bytes)                                                                       \
    SIZEOF(type, scalar, bytes)                                                                    \
    SIZEOF(type, r1, bytes)  SIZEOF(type, r2, bytes)  SIZEOF(type, r3, bytes)                      \
    SIZEOF(type, r4, bytes)  SIZEOF(type, r5, bytes)  SIZEOF(type, r6, bytes)                      \
    SIZEOF(type, r7, bytes)  SIZEOF(type, r8, bytes)  SIZEOF(type, r9, bytes)                      \
    SIZEOF(type, r10, bytes) SIZEOF(type, r11, bytes) SIZEOF(type, r12, bytes)                     \
    SIZEOF(type, r13, bytes) SIZEOF(type, r14, bytes) SIZEOF(type, r15, bytes)
/* Sizes in bytes for gfortran's default kinds. */
OF_TYPE(character, 1)  OF_TYPE(logical, 4)
OF_TYPE(int8, 1)       OF_TYPE(int16, 2)      OF_TYPE(int32, 4)  OF_TYPE(int64, 8)
OF_TYPE(real32, 4)     OF_TYPE(real64, 8)     OF_TYPE(real128, 16)
OF_TYPE(complex32, 8)  OF_TYPE(complex64, 16) OF_TYPE(complex128, 32)
    /* clang-format on */

    /* For C programs that convert statuses of Fortran. */
    extern MPI_API MPI_Fint *MPI_F_STATUS_IGNORE,
    *MPI_F_STATUSES_IGNORE;
MPI_Fint *MPI_F_STATUS_IGNORE = (MPI_Fint *)&mpi_fortran_status_ignore_,
         *MPI_F_STATUSES_IGNORE = (MPI_Fint *)&mpi_fortran_statuses_ignore_;

/* True if buffers may be in GPU memory. */
MPI_API int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void)
{
    return 0;
}
