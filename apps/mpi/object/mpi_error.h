/* mpi_error.h - errors of MPI: what a call does when something is wrong.
 *
 * A function that finds a fault returns what one of the functions error_...() returns: they say it
 * in one line that names call, communicator, rank and argument, and call the error handler of the
 * object.  With MPI_ERRORS_ARE_FATAL they do not return.
 */
#pragma once

#include "mpi_call.h"

struct mpi_comm;

/* Kinds of objects whose handle an error handler gets, numbered as in MPICH's C++ library. */
enum error_kind { ERROR_OF_COMM, ERROR_OF_FILE, ERROR_OF_WIN };

/* The class of a wrong error handler: MPI 5 has one of its own. */
#ifdef MPI_ERR_ERRHANDLER
enum { CLASS_ERRHANDLER = MPI_ERR_ERRHANDLER };
#else
enum { CLASS_ERRHANDLER = MPI_ERR_ARG };
#endif

/* The class of a wrong session: MPI 4 has one of its own. */
#ifdef MPI_ERR_SESSION
enum { CLASS_SESSION = MPI_ERR_SESSION };
#else
enum { CLASS_SESSION = MPI_ERR_ARG };
#endif

/* Calls an error handler of objects of a kind, whose handle is at that address. */
typedef void error_caller(enum error_kind kind, void *handle, int *code,
                          MPI_Comm_errhandler_function *function);

struct mpi_errhandler {
    struct object object;
    enum { ERRORS_FATAL, ERRORS_ABORT, ERRORS_RETURN, ERRORS_CALL } does;
    MPI_Comm_errhandler_function *function;
    bool fortran;         /* the function takes its handle as Fortran has it */
    error_caller *caller; /* calls it for another library; NULL: it is called directly */
};

void error_setup(void);
/* The communicators that errors of no communicator belong to; NULL: MPI is not initialized. */
void error_communicators(struct mpi_comm *all, struct mpi_comm *own);
/* The value of the attribute MPI_LASTUSEDCODE. */
int *error_last_used(void);
OBJECT_OF(errhandler, MPI_Errhandler, OBJECT_ERRHANDLER)

/* An error of a call on a communicator (NULL: on none).  Returns the code. */
int error_on(struct mpi_comm *c, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with this communicator's own handler. */
int error_call(struct mpi_comm *c, int code, const char *call, const char *what);
/* An error of another object with an error handler: `place` follows the call's name in the text. */
int error_at(const char *place, struct mpi_errhandler *e, enum object_kind of, mpi_handle handle,
             int code, const char *call, const char *what);
/* The code of MPI for an error of hnow, with hn_error_text(). */
int error_hn(struct mpi_comm *c, int result, const char *call);
/* The communicator has been revoked. */
int error_revoked(struct mpi_comm *c, const char *call);
/* The class of MPI of a result of hnow. */
int error_class_hn(int result);
/* HN_OK, or what error_hn() returns. */
#define ERROR_HN(c, result, call) ((result) < 0 ? error_hn(c, result, call) : MPI_SUCCESS)

/* The fault of a call before MPI_Init() or after MPI_Finalize(), or with an object that is none. */
int error_no_comm(MPI_Comm handle, const char *call);
int error_no_session(MPI_Session handle, const char *call);
int error_no_type(struct mpi_comm *c, MPI_Datatype handle, const char *call);
