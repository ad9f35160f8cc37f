/* mpi_error.h - error reporting of MPI calls.
 *
 * A function that finds an error returns the result of one of the functions error_...().  They
 * print one line with call, communicator, rank and argument, and call the error handler of the
 * object.  With MPI_ERRORS_ARE_FATAL they do not return.
 *
 * Error classes and error codes follow MPI 4.1, 9.4 and 9.5, handlers 9.3. A class is also a code;
 * predefined codes are their own class, so no code is made for single errors. The detailed text
 * belongs to the thread's last error (MPI_Error_string()).
 *
 * Callers return the code that they get. They must expect both: that the handler returns, and
 * that it calls MPI.
 */
#pragma once

#include "mpi_call.h"

struct mpi_comm;

/* Kinds of objects whose handle is passed to an error handler, numbered as in MPICH's C++
 * library. */
enum error_kind { ERROR_OF_COMM, ERROR_OF_FILE, ERROR_OF_WIN };

/* The class for an invalid error handler: MPI 5 defines a separate one. */
#ifdef MPI_ERR_ERRHANDLER
enum { CLASS_ERRHANDLER = MPI_ERR_ERRHANDLER };
#else
enum { CLASS_ERRHANDLER = MPI_ERR_ARG };
#endif

/* The class for an invalid session: MPI 4 defines a separate one. */
#ifdef MPI_ERR_SESSION
enum { CLASS_SESSION = MPI_ERR_SESSION };
#else
enum { CLASS_SESSION = MPI_ERR_ARG };
#endif

/* Calls an error handler for an object of a kind; handle is the address of its handle. MPICH's C++
 * library registers one, which makes a C++ object of the handle. */
typedef void error_caller(enum error_kind kind, void *handle, int *code,
                          MPI_Comm_errhandler_function *function);

/* An error handler: MPI 4.1, 9.3. The predefined ones are `named` and take objects of every kind;
 * those made by a program are called with objects of one kind only. It lives while an object or a
 * handle refers to it. */
struct mpi_errhandler {
    struct object object;
    enum { ERRORS_FATAL, ERRORS_ABORT, ERRORS_RETURN, ERRORS_CALL } does;
    enum object_kind of; /* the kind of objects that take it; OBJECT_NONE: all of them */
    /* Of ERRORS_CALL only. Those of windows and files are cast to this type. */
    MPI_Comm_errhandler_function *function;
    bool fortran;         /* the function takes Fortran's handle */
    error_caller *caller; /* calls the function for another library; NULL: it is called directly */
};

/* Makes the predefined error handlers. Needs object_setup(), and precedes all other set-up that may
 * report an error. */
void error_setup(void);
/* The handler of MPI_COMM_WORLD and MPI_COMM_SELF at first, and of errors outside of MPI_Init() and
 * MPI_Finalize(): MPI_ERRORS_ARE_FATAL, or the one that the variable names. */
extern struct mpi_errhandler *error_initial;
#define ERROR_VARIABLE "HNOW_MPI_ERRHANDLER"
/* Sets the communicators for errors without a communicator; NULL: MPI is not initialised. */
void error_communicators(struct mpi_comm *all, struct mpi_comm *own);
/* Returns the value of the attribute MPI_LASTUSEDCODE. The program reads the value through this
 * address, so it is static. It grows when codes are added and never falls (MPI 4.1, 9.5). */
int *error_last_used(void);
OBJECT_OF(errhandler, MPI_Errhandler, OBJECT_ERRHANDLER)
/* Returns an error handler for objects of a kind.  NULL: invalid, or made for another kind. */
struct mpi_errhandler *errhandler_for(enum object_kind of, MPI_Errhandler handle);

/* Reports an error of a call on a communicator (NULL: on none).  Returns the code. */
int error_on(struct mpi_comm *c, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same, but calls this communicator's own handler. */
int error_call(struct mpi_comm *c, int code, const char *call, const char *what);
/* Reports an error on another object with an error handler.  `place` follows the call's name in the
 * text. */
int error_at(const char *place, struct mpi_errhandler *e, enum object_kind of, mpi_handle handle,
             int code, const char *call, const char *what);
/* Reports an error of hnow with hn_error_text().  Returns MPI's code for it. */
int error_hn(struct mpi_comm *c, int result, const char *call);
/* Reports that the communicator was revoked. */
int error_revoked(struct mpi_comm *c, const char *call);
/* Maps a result of hnow to an error class of MPI. A result that has no class of its own becomes
 * MPI_ERR_OTHER. */
int error_class_hn(int result);
/* MPI_SUCCESS for HN_OK, else the code of error_hn(). */
#define ERROR_HN(c, result, call) ((result) < 0 ? error_hn(c, result, call) : MPI_SUCCESS)

/* Report a call before MPI_Init() or after MPI_Finalize(), or an invalid handle. */
int error_no_comm(MPI_Comm handle, const char *call);
int error_no_session(MPI_Session handle, const char *call);
int error_no_type(struct mpi_comm *c, MPI_Datatype handle, const char *call);
