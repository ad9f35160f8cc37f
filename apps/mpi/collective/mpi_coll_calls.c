/* mpi_coll_calls.c - the calls of MPI's chapter on collective communication, including
 * neighbourhood collectives. Each fills in a description (mpi_coll.h). Arguments are stored as
 * they are. Whether a member needs a side at all is decided later, since the standard allows
 * undefined values in arguments that are not significant (MPI 4.1, 6.2).
 * Each name exists three times and, except for barriers, in two forms. */
#include "collective/mpi_coll.h"
#include "object/mpi_info.h"

#define ARGUMENTS(...) __VA_ARGS__
#define DESCRIBE(...)  (&(struct collective){.comm = comm, .call = MPI_CALL, __VA_ARGS__})

/* Defines the blocking, nonblocking and persistent call of an operation. The persistent forms also
 * exist under MPIX names, as Open MPI 4 has them. `info` is checked only: no key influences an
 * operation. */
#define COLLECTIVE(Name, name, arguments, ...)                                                     \
    MPI_DEFINE(int, MPI_F(Name), (ARGUMENTS arguments))                                            \
    {                                                                                              \
        return coll_call(DESCRIBE(__VA_ARGS__));                                                   \
    }                                                                                              \
    MPI_DEFINE(int, MPI_F(I##name), (ARGUMENTS arguments, MPI_Request * request))                  \
    {                                                                                              \
        return coll_start(DESCRIBE(__VA_ARGS__), request);                                         \
    }                                                                                              \
    MPIX_ALSO(int, MPI_F(Name##_init),                                                             \
              (ARGUMENTS arguments, MPI_Info info, MPI_Request * request));                        \
    MPI_DEFINE(int, MPI_F(Name##_init),                                                            \
               (ARGUMENTS arguments, MPI_Info info, MPI_Request * request))                        \
    {                                                                                              \
        int error = info_check(comm_of(comm), info, MPI_CALL);                                     \
        return error == MPI_SUCCESS ? coll_prepare(DESCRIBE(__VA_ARGS__), request) : error;        \
    }

#define MPI_F(name) name
COLLECTIVE(Barrier, barrier, (MPI_Comm comm), .kind = COLL_BARRIER)
#undef MPI_F

#define MPI_FORMS "collective/mpi_coll_forms.h"
#include "mpi_forms.h"
