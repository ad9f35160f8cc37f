/* mpi_error.c - error classes, codes and texts; error handlers (mpi_error.h). Three steps make
 * an error: a text is composed into memory of the thread; the object's handler is found; it is
 * called, or ends the job. Each step has variants, as some errors have no communicator, and some
 * concern windows or files.
 * Error texts cost nothing unless an error happens. No path that succeeds enters this file,
 * apart from error_class_hn(). */
#include "object/mpi_error.h"

#include "hnow.h"
#include "communicator/mpi_comm.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- classes -------------------------------------------------------------------------------- */

/* A linear search is enough, because it happens only when an error is reported or queried. Classes
 * that an ABI's header lacks are left out by the preprocessor. */
static const struct class_text {
    int class;
    const char *name, *text;
} classes[] = {
#define CLASS(name, text)                                                                          \
    {                                                                                              \
        name, #name, text                                                                          \
    }
    /* Those of MPI 4.1, 9.4, and of MPIX; at the end those that only newer ABIs have. */
    CLASS(MPI_SUCCESS, "no error"),
    CLASS(MPI_ERR_BUFFER, "the buffer is not valid"),
    CLASS(MPI_ERR_COUNT, "the count is not valid"),
    CLASS(MPI_ERR_TYPE, "the datatype is not valid"),
    CLASS(MPI_ERR_TAG, "the tag is not valid"),
    CLASS(MPI_ERR_COMM, "the communicator is not valid"),
    CLASS(MPI_ERR_RANK, "the rank is not valid"),
    CLASS(MPI_ERR_REQUEST, "the request is not valid"),
    CLASS(MPI_ERR_ROOT, "the root is not valid"),
    CLASS(MPI_ERR_GROUP, "the group is not valid"),
    CLASS(MPI_ERR_OP, "the operator is not valid"),
    CLASS(MPI_ERR_TOPOLOGY, "the topology is not valid"),
    CLASS(MPI_ERR_DIMS, "a dimension is not valid"),
    CLASS(MPI_ERR_ARG, "an argument is not valid"),
    CLASS(MPI_ERR_UNKNOWN, "unknown error"),
    CLASS(MPI_ERR_TRUNCATE, "the message is longer than the buffer"),
    CLASS(MPI_ERR_OTHER, "the call is not possible now"),
    CLASS(MPI_ERR_INTERN, "internal error"),
    CLASS(MPI_ERR_PENDING, "the request is not complete"),
    CLASS(MPI_ERR_IN_STATUS, "the error is in the status"),
    CLASS(MPI_ERR_ACCESS, "permission denied"),
    CLASS(MPI_ERR_AMODE, "the access mode is not valid"),
    CLASS(MPI_ERR_ASSERT, "the assertion is not valid"),
    CLASS(MPI_ERR_BAD_FILE, "the file name is not valid"),
    CLASS(MPI_ERR_BASE, "the base address is not valid"),
    CLASS(MPI_ERR_CONVERSION, "data cannot be converted"),
    CLASS(MPI_ERR_DISP, "the displacement is not valid"),
    CLASS(MPI_ERR_DUP_DATAREP, "the data representation exists"),
    CLASS(MPI_ERR_FILE_EXISTS, "the file exists"),
    CLASS(MPI_ERR_FILE_IN_USE, "the file is in use"),
    CLASS(MPI_ERR_FILE, "the file handle is not valid"),
    CLASS(MPI_ERR_INFO_KEY, "the info key is too long"),
    CLASS(MPI_ERR_INFO_NOKEY, "the info object has no such key"),
    CLASS(MPI_ERR_INFO_VALUE, "the info value is too long"),
    CLASS(MPI_ERR_INFO, "the info object is not valid"),
    CLASS(MPI_ERR_IO, "input or output failed"),
    CLASS(MPI_ERR_KEYVAL, "the attribute key is not valid"),
    CLASS(MPI_ERR_LOCKTYPE, "the lock type is not valid"),
    CLASS(MPI_ERR_NAME, "the service name is not known"),
    CLASS(MPI_ERR_NO_MEM, "out of memory"),
    CLASS(MPI_ERR_NOT_SAME, "an argument differs between members"),
    CLASS(MPI_ERR_NO_SPACE, "no space is left on the device"),
    CLASS(MPI_ERR_NO_SUCH_FILE, "the file does not exist"),
    CLASS(MPI_ERR_PORT, "the port name is not valid"),
    CLASS(MPI_ERR_QUOTA, "the quota is exceeded"),
    CLASS(MPI_ERR_READ_ONLY, "the file is read-only"),
    CLASS(MPI_ERR_RMA_ATTACH, "the memory cannot be attached"),
    CLASS(MPI_ERR_RMA_CONFLICT, "conflicting accesses to the window"),
    CLASS(MPI_ERR_RMA_RANGE, "the memory is not in the window"),
    CLASS(MPI_ERR_RMA_SHARED, "the memory cannot be shared"),
    CLASS(MPI_ERR_RMA_SYNC, "the window is not synchronized for this call"),
    CLASS(MPI_ERR_SERVICE, "the service name cannot be published"),
    CLASS(MPI_ERR_SIZE, "the size is not valid"),
    CLASS(MPI_ERR_SPAWN, "the processes cannot be started"),
    CLASS(MPI_ERR_UNSUPPORTED_DATAREP, "the data representation is not supported"),
    CLASS(MPI_ERR_UNSUPPORTED_OPERATION, "the operation is not supported"),
    CLASS(MPI_ERR_WIN, "the window is not valid"),
    CLASS(MPI_ERR_RMA_FLAVOR, "the window is of another flavor"),
    CLASS(MPIX_ERR_PROC_FAILED, "another process has ended"),
    CLASS(MPIX_ERR_PROC_FAILED_PENDING, "a process that may be the sender has ended"),
    CLASS(MPIX_ERR_REVOKED, "the communicator has been revoked"),
#ifdef MPI_ERR_PROC_ABORTED
    CLASS(MPI_ERR_PROC_ABORTED, "another process has ended"),
#endif
#ifdef MPI_ERR_VALUE_TOO_LARGE
    CLASS(MPI_ERR_VALUE_TOO_LARGE, "the value is too large for the argument"),
#endif
#ifdef MPI_ERR_SESSION
    CLASS(MPI_ERR_SESSION, "the session is not valid"),
#endif
#ifdef MPI_ERR_ERRHANDLER
    CLASS(MPI_ERR_ERRHANDLER, "the error handler is not valid"),
#endif
#ifdef MPI_ERR_ABI
    CLASS(MPI_ERR_ABI, "the ABI is not supported"),
#endif
#undef CLASS
};

/* NULL: not a class of the library. Names of MPIX classes are found as well. */
static const struct class_text *class_find(int class)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].class == class)
            return &classes[i];
    return NULL;
}

/* A lost peer, a broken link and an unknown task are the same to a program: the process is
 * unreachable, which is the condition for MPIX_ERR_PROC_FAILED. */
int error_class_hn(int result)
{
    switch (result) {
    case HN_OK:
        return MPI_SUCCESS;
    case HN_EARG:
        return MPI_ERR_ARG;
    case HN_ENOMEM:
        return MPI_ERR_NO_MEM;
    case HN_ETYPE:
        return MPI_ERR_TYPE;
    case HN_ETRUNC:
        return MPI_ERR_TRUNCATE;
    case HN_EDEAD:
    case HN_ELINK:
    case HN_ENOTASK:
        return MPIX_ERR_PROC_FAILED;
    case HN_ENAME:
        return MPI_ERR_NAME;
    /* Only the calls of process/ start tasks. */
    case HN_ESTART:
    case HN_EHOST:
        return MPI_ERR_SPAWN;
    default:
        return MPI_ERR_OTHER;
    }
}

/* ---- classes and codes added by the program ------------------------------------------------- */

/* Codes above MPI_ERR_LASTCODE, in the order in which they were added. The table is allocated at
 * full size at the first use and never moves, so that readers need no lock. */
enum { ADDED_MOST = 1 << 16 };
/* Classes and codes of the program, by number. NULL until the first one is added. */
static struct added {
    int class; /* of the code; its own number if it is a class */
    bool removed;
    char text[MPI_MAX_ERROR_STRING];
} * added;
static int added_count;
static int last_used = MPI_ERR_LASTCODE; /* the value of the attribute MPI_LASTUSEDCODE */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int *error_last_used(void)
{
    return &last_used;
}

/* Numbers of the program follow MPI_ERR_LASTCODE. */
static struct added *added_find(int code)
{
    int i = code - MPI_ERR_LASTCODE - 1;

    /* A program that adds codes in one thread while another queries them must order the two
     * itself. */
    return i >= 0 && i < added_count && !added[i].removed ? &added[i] : NULL;
}

/* Returns the index of a removed code, or a new one. */
static int free_place(void)
{
    /* Called with the lock held. O(added), which is rarely more than a few. */
    for (int i = 0; i < added_count; i++)
        if (added[i].removed)
            return i;
    return added_count < ADDED_MOST ? added_count++ : -1;
}

/* Adds a class (class < 0) or a code of a class, with an empty text. The number of a removed one is
 * used again. MPI_LASTUSEDCODE is only raised, since a program may have read it before. */
static int add(int class, int *code)
{
    int result = MPI_SUCCESS, place;

    pthread_mutex_lock(&lock);
    /* Most programs add none. */
    if (!added)
        added = calloc(ADDED_MOST, sizeof *added);
    place = added ? free_place() : -1;
    if (place < 0) {
        result = MPI_ERR_NO_MEM;
    } else {
        *code = MPI_ERR_LASTCODE + 1 + place;
        /* Not below: a lower number is the place of a removed code. */
        if (*code > last_used)
            last_used = *code;
        added[place] = (struct added){.class = class >= 0 ? class : *code};
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* Of the library or of the program. */
static bool is_code(int code)
{
    return class_find(code) || added_find(code);
}

/* MPI 4.1, 9.5. Local: other processes may have other classes with this number. */
MPI_DEFINE(int, Add_error_class, (int *errorclass))
{
    return errorclass ? add(-1, errorclass) : error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no result");
}

/* MPI 4.1, 9.5 demands a class; this also accepts a code, whose number then is returned as the
 * class. */
MPI_DEFINE(int, Add_error_code, (int errorclass, int *errorcode))
{
    if (!errorcode || !is_code(errorclass))
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "%d is not an error class", errorclass);
    return add(errorclass, errorcode);
}

/* Only codes that a program has added may get a text; those below MPI_ERR_LASTCODE belong to MPI
 * (MPI 4.1, 9.5). A longer text is truncated. */
MPI_DEFINE(int, Add_error_string, (int errorcode, const char *string))
{
    struct added *a = added_find(errorcode);

    if (!a || !string)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "code %d was not added by the program",
                        errorcode);
    snprintf(a->text, sizeof a->text, "%s", string);
    return MPI_SUCCESS;
}

/* The slot is only marked, because the numbers of the others must stay valid. */
static int take_out(int code, const char *call)
{
    struct added *a = added_find(code);

    if (!a)
        return error_on(NULL, MPI_ERR_ARG, call, "code %d was not added by the program", code);
    a->removed = true;
    return MPI_SUCCESS;
}

/* Any class that the program has added. A later one may get its number. */
MPI_DEFINE(int, Remove_error_class, (int errorclass))
{
    return take_out(errorclass, MPI_CALL);
}

MPI_DEFINE(int, Remove_error_code, (int errorcode))
{
    return take_out(errorcode, MPI_CALL);
}

/* An added code without a text has the empty string (MPI 4.1, 9.5). */
MPI_DEFINE(int, Remove_error_string, (int errorcode))
{
    return PMPI_Add_error_string(errorcode, "");
}

/* MPI 4.1, 9.4: a predefined code is its own class. */
MPI_DEFINE(int, Error_class, (int errorcode, int *errorclass))
{
    const struct added *a = added_find(errorcode);

    if (!errorclass || !is_code(errorcode))
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "%d is not an error code", errorcode);
    /* A code that was added to a class of the program keeps that class even if it is removed. */
    *errorclass = a ? a->class : errorcode;
    return MPI_SUCCESS;
}

/* The calling thread's last error, for the text of its code. Kept in each thread, so that reporting
 * needs no lock and a text is never that of another thread. */
static _Thread_local int last_code = MPI_SUCCESS;
/* Of TEXT_ROOM bytes, allocated at a thread's first error, or NULL.  No array: all thread-local
 * data of this library is in the loader's reserve for static TLS (mpi_object.c), which others need.
 */
static _Thread_local char *last_text;
static pthread_key_t text_key; /* the same, for the end of the thread */
static pthread_once_t text_once = PTHREAD_ONCE_INIT;

enum { TEXT_ROOM = 1024 }; /* bytes: the call, the communicator's name, and libhnow's text */

static void free_text(void *text)
{
    last_text = NULL;
    free(text);
}

static void make_text_key(void)
{
    pthread_key_create(&text_key, free_text);
}

/* NULL: out of memory. */
static char *text_room(void)
{
    if (!last_text && (last_text = malloc(TEXT_ROOM))) {
        pthread_once(&text_once, make_text_key);
        pthread_setspecific(text_key, last_text);
    }
    return last_text;
}

/* Right after an error the text of that very error is returned, with call, communicator and rank.
 * Any other predefined code gives the fixed text of its class. An added code always gives the
 * program's own text. */
MPI_DEFINE(int, Error_string, (int errorcode, char *string, int *length))
{
    const struct added *a = added_find(errorcode);
    const struct class_text *c = class_find(errorcode);

    if (!string || !length || !is_code(errorcode))
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "%d is not an error code", errorcode);
    if (a)
        snprintf(string, MPI_MAX_ERROR_STRING, "%s", a->text);
    /* The last error of this thread, with its details. */
    else if (errorcode != MPI_SUCCESS && errorcode == last_code && last_text)
        snprintf(string, MPI_MAX_ERROR_STRING, "%.*s", MPI_MAX_ERROR_STRING - 1, last_text);
    else
        snprintf(string, MPI_MAX_ERROR_STRING, "%s: %s", c->name, c->text);
    /* Without the null character, as in all results of MPI with a length. */
    *length = (int)strlen(string);
    return MPI_SUCCESS;
}

/* ---- reporting errors ----------------------------------------------------------------------- */

struct mpi_errhandler *error_initial;

/* MPI_COMM_WORLD and MPI_COMM_SELF between MPI_Init() and MPI_Finalize(), else NULL. */
static struct mpi_comm *world, *self;

/* The objects are not referenced: they live until this is called again with NULL. */
void error_communicators(struct mpi_comm *all, struct mpi_comm *own)
{
    world = all;
    self = own;
}

/* An error without a communicator belongs to MPI_COMM_SELF (MPI 4) or, if the program has not set
 * its handler, to MPI_COMM_WORLD (MPI 3). NULL: MPI is not initialised; the caller then uses
 * MPI_ERRORS_ARE_FATAL. */
static struct mpi_comm *comm_for_errors(struct mpi_comm *c)
{
    if (c)
        return c;
    return self && self->errhandler != error_initial ? self : world;
}

/* Composes the text of the thread's last error. It is printed only if the handler ends the job. */
static void describe_at(const char *place, int code, const char *call, const char *what)
{
    const struct class_text *text = class_find(code);
    const struct added *a = added_find(code);

    last_code = code;
    if (text_room())
        snprintf(last_text, TEXT_ROOM, "%s%s: %s: %s", call, place,
                 text              ? text->name
                 : a && a->text[0] ? a->text
                                   : "error",
                 what);
}

/* A communicator without a name is called "a communicator"; the rank is always the one in it. */
static void describe(struct mpi_comm *c, int code, const char *call, const char *what)
{
    char place[MPI_MAX_OBJECT_NAME + 40] = "";

    if (c)
        snprintf(place, sizeof place, " on %s, rank %d", c->name[0] ? c->name : "a communicator",
                 c->rank);
    else if (world)
        snprintf(place, sizeof place, ", rank %d of MPI_COMM_WORLD", world->rank);
    describe_at(place, code, call, what);
}

/* Calls the handler of an object, with its handle. Returns the code, which a handler may have
 * changed through its pointer. The handler gets a pointer to a local copy of the handle, so it
 * cannot change the caller's variable. MPI_ERRORS_ABORT and MPI_ERRORS_ARE_FATAL both end the whole
 * job: hn_abort() does not return. An exit status has 8 bits; a code that does not fit becomes
 * 1. */
static int call_handler_of(struct mpi_errhandler *e, enum object_kind of, mpi_handle handle,
                           int code)
{
    /* The text stays in the thread, for MPI_Error_string(). */
    if (e->does == ERRORS_RETURN)
        return code;
    if (e->does == ERRORS_CALL) {
        /* Fortran's functions get a number, C's a handle; file handles are wider than others in
         * some ABIs. */
        MPI_Fint number = e->fortran ? handle_number(of, handle) : 0;
        MPI_File file = HANDLE_AS(MPI_File, handle);
        void *at = e->fortran          ? (void *)&number
                   : of == OBJECT_FILE ? (void *)&file
                                       : (void *)&handle;
        if (e->caller)
            e->caller(of == OBJECT_FILE  ? ERROR_OF_FILE
                      : of == OBJECT_WIN ? ERROR_OF_WIN
                                         : ERROR_OF_COMM,
                      at, &code, e->function);
        else
            e->function(at, &code);
        return code;
    }
    hn_abort(code > 0 && code < 256 ? code : 1, last_text ? last_text : "MPI: out of memory");
}

/* For communicators, and for errors without any object (c NULL). */
static int call_handler(struct mpi_comm *c, int code)
{
    return call_handler_of(c ? c->errhandler : error_initial, OBJECT_COMM,
                           c ? c->object.handle : (mpi_handle)0, code);
}

/* For objects that are no communicator. Returns the code, if the handler returns. */
int error_at(const char *place, struct mpi_errhandler *e, enum object_kind of, mpi_handle handle,
             int code, const char *call, const char *what)
{
    describe_at(place, code, call, what);
    return call_handler_of(e, of, handle, code);
}

/* NULL: no communicator is known. Returns the code, if the handler returns. */
int error_on(struct mpi_comm *c, int code, const char *call, const char *format, ...)
{
    char what[512];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    /* The text names c as given, even if the handler is that of another communicator. */
    describe(c, code, call, what);
    return call_handler(comm_for_errors(c), code);
}

/* Revocation closes the group of hnow, whose operations then fail with HN_EDEAD like those of a
 * lost member; the flag of the communicator distinguishes the two. */
int error_hn(struct mpi_comm *c, int result, const char *call)
{
    if (c && comm_is_revoked(c) && result == HN_EDEAD)
        return error_revoked(c, call);
    return error_on(c, error_class_hn(result), call, "%s", hn_error_text());
}

/* The text does not say who has revoked it: the notice does not contain that. */
int error_revoked(struct mpi_comm *c, const char *call)
{
    return error_on(c, MPIX_ERR_REVOKED, call, "a member has called MPIX_Comm_revoke");
}

/* As error_on(), but never chooses another communicator's handler. */
int error_call(struct mpi_comm *c, int code, const char *call, const char *what)
{
    describe(c, code, call, what);
    return call_handler(c, code);
}

/* Without MPI_COMM_WORLD the call is outside MPI_Init() and MPI_Finalize(), and every handle is
 * invalid; so this is tested first. */
int error_no_comm(MPI_Comm handle, const char *call)
{
    if (!world)
        return error_on(NULL, MPI_ERR_OTHER, call, "called before MPI_Init or after MPI_Finalize");
    if (handle == MPI_COMM_NULL)
        return error_on(NULL, MPI_ERR_COMM, call, "the communicator is MPI_COMM_NULL");
    return error_on(NULL, MPI_ERR_COMM, call, "%p is not a communicator, or it has been freed",
                    handle_shown(handle));
}

/* Sessions exist without MPI_COMM_WORLD, so a missing one is no reason here. */
int error_no_session(MPI_Session handle, const char *call)
{
    return error_on(NULL, CLASS_SESSION, call, "%p is not a session, or it has been finalized",
                    handle_shown(handle));
}

/* Null and unknown handles have different texts: the first is often a forgotten initialisation. */
int error_no_type(struct mpi_comm *c, MPI_Datatype handle, const char *call)
{
    if (handle == MPI_DATATYPE_NULL)
        return error_on(c, MPI_ERR_TYPE, call, "the datatype is MPI_DATATYPE_NULL");
    return error_on(c, MPI_ERR_TYPE, call, "%p is not a datatype, or it has been freed",
                    handle_shown(handle));
}

/* ---- error handlers ------------------------------------------------------------------------- */

/* Makes a predefined handler, which is never freed. The result of object_new() is not tested: the
 * first objects of the process fail only without any memory. */
static struct mpi_errhandler *own(MPI_Errhandler handle, int does)
{
    struct mpi_errhandler *e = object_new(OBJECT_ERRHANDLER);

    e->object.named = true;
    e->does = does;
    handle_bind(e, handle);
    return e;
}

/* Makes one of MPI's own, which is the initial one if the environment has its name. */
static void offer(const char *name, MPI_Errhandler handle, int does)
{
    const char *wanted = getenv(ERROR_VARIABLE);
    struct mpi_errhandler *e = own(handle, does);

    /* The first one offered is the default; an unknown name in the variable changes nothing. */
    if (!error_initial || (wanted && strcmp(wanted, name) == 0))
        error_initial = e;
}

/* An ABI may lack MPI_ERRORS_ABORT (new in MPI 4.0). */
void error_setup(void)
{
    offer("mpi_errors_are_fatal", MPI_ERRORS_ARE_FATAL, ERRORS_FATAL);
    offer("mpi_errors_return", MPI_ERRORS_RETURN, ERRORS_RETURN);
#ifdef MPIR_ERRORS_THROW_EXCEPTIONS /* the C++ bindings throw when a function returns an error */
    own(MPIR_ERRORS_THROW_EXCEPTIONS, ERRORS_RETURN);
#endif
#ifdef MPI_ERRORS_ABORT
    offer("mpi_errors_abort", MPI_ERRORS_ABORT, ERRORS_ABORT);
#endif
}

/* NULL: it is for another kind of object. Predefined ones are for all. */
struct mpi_errhandler *errhandler_for(enum object_kind of, MPI_Errhandler handle)
{
    struct mpi_errhandler *e = errhandler_of(handle);

    return e && (e->of == of || e->of == OBJECT_NONE) ? e : NULL;
}
