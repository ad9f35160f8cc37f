/* openmpi_cxx.c - what Open MPI's C++ library wants of libmpi.so.40 besides MPI's functions.
 *
 * Open MPI's mpicxx links every program with libmpi_cxx.so.40, whose classes call MPI's functions.
 * It also refers to these internal names.  Its own classes use the functions for operators, error
 * handlers and attributes of the program that are written in C++: those say that they are not
 * there.  The data are tables of which the library reads only as much as they say they have.
 */
#include "mpi_missing.h"

#include "mpi_call.h"

#define INTERNAL_FUNCTION(name, what)                                                              \
    MPI_API int name(void);                                                                        \
    int name(void)                                                                                 \
    {                                                                                              \
        return missing(what);                                                                      \
    }
INTERNAL_FUNCTION(ompi_op_set_cxx_callback, "MPI::Op::Init")
INTERNAL_FUNCTION(ompi_errhandler_create, "MPI::Comm::Create_errhandler")
INTERNAL_FUNCTION(ompi_errhandler_invoke, "MPI::Comm::Call_errhandler")
INTERNAL_FUNCTION(ompi_attr_create_keyval, "MPI::Comm::Create_keyval")

extern MPI_API int ompi_errcode_intern_lastused;
int ompi_errcode_intern_lastused; /* no entries */
extern MPI_API void *ompi_errcodes_intern[15], *ompi_registered_datareps[8];
void *ompi_errcodes_intern[15], *ompi_registered_datareps[8];
