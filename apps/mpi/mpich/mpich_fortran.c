/* mpich_fortran.c - what MPICH's Fortran library requires of libmpich.so.12 besides MPI's
 * functions.
 *
 * Its module mpi_f08 passes array descriptors, which only that library converts.  So programs that
 * use the module run with the installed libmpichfort.so.12 or libmpifort.so.12 (mpi_front.c), which
 * calls hnow's libmpich.so.12.
 */
#include "fortran/fortran.h"

#include "object/mpi_attribute.h"

/* The type of values that are Fortran's INTEGERs, as in MPI-1; others are addresses. */
enum { VALUE_INTEGER = 3 };

#define ATTRIBUTES(Kind, Handle)                                                                   \
    MPI_API int MPII_##Kind##_get_attr(Handle handle, int keyval, MPI_Aint *value, int *flag);     \
    int MPII_##Kind##_get_attr(Handle handle, int keyval, MPI_Aint *value, int *flag)              \
    {                                                                                              \
        struct attribute_value *found = NULL;                                                      \
        int error = attribute_get_##Kind(handle, fortran_keyval(keyval), &found,                   \
                                         "MPI_" #Kind "_get_attr");                                \
        *flag = found != NULL;                                                                     \
        if (found)                                                                                 \
            *value = attribute_integer(found);                                                     \
        return error;                                                                              \
    }                                                                                              \
    MPI_API int MPII_##Kind##_set_attr(Handle handle, int keyval, MPI_Aint value, int type);       \
    int MPII_##Kind##_set_attr(Handle handle, int keyval, MPI_Aint value, int type)                \
    {                                                                                              \
        struct attribute_value v = {LANGUAGE_FORTRAN, {.address = value}};                         \
        if (type == VALUE_INTEGER)                                                                 \
            v = (struct attribute_value){LANGUAGE_MPI1, {.integer = (MPI_Fint)value}};             \
        return attribute_put_##Kind(handle, keyval, v, "MPI_" #Kind "_set_attr");                  \
    }
/* For all kinds of objects that have attributes. */
ATTRIBUTES(Comm, MPI_Comm)
ATTRIBUTES(Type, MPI_Datatype)
ATTRIBUTES(Win, MPI_Win)

/* Called right after MPI_Grequest_start(), before the request can be completed. */
MPI_API void MPII_Grequest_set_lang_f77(MPI_Request request);
void MPII_Grequest_set_lang_f77(MPI_Request request)
{
    fortran_grequest(request);
}
