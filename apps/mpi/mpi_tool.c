/* mpi_tool.c - MPI's tool interface (mpi_tool_functions.h); hnow provides no variables or
 * events.
 *
 * MPI 4.1, 15.3. The interface may be used before MPI_Init() and after MPI_Finalize(). Its
 * functions return codes of their own and never call an error handler.
 *
 * Numbers of variables, categories and sources are 0, so a tool that iterates over them makes no
 * other call. Those that need an index or a handle fail with the code that the standard names
 * for a wrong one. The state is one counter.
 */
#include "mpi_call.h"

#include <stdlib.h>

/* Number of tools that have initialised and not finalised the interface. */
static int users;

/* Tools compare handles with null, so a session needs an address of its own. */
struct hnow_t_session {
    int unused; /* a session can have no handles */
};

/* Relaxed: the counter guards no other data. */
static int begun(void)
{
    return __atomic_load_n(&users, __ATOMIC_RELAXED) > 0;
}

/* For a function that requires an object, of which there is none. */
static int none(int code)
{
    return begun() ? code : MPI_T_ERR_NOT_INITIALIZED;
}

/* Stores 0 as the number of variables, categories or sources. */
static int none_of(int *number)
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!number)
        return MPI_T_ERR_INVALID;
    *number = 0;
    return MPI_SUCCESS;
}

/* Nested: each call needs its own MPI_T_finalize() (MPI 4.1, 15.3.4). */
MPI_DEFINE(int, T_init_thread, (int required, int *provided))
{
    if (!provided)
        return MPI_T_ERR_INVALID;
    /* Every level is provided; values outside the range are brought into it. */
    *provided = required < MPI_THREAD_SINGLE     ? MPI_THREAD_SINGLE
                : required > MPI_THREAD_MULTIPLE ? MPI_THREAD_MULTIPLE
                                                 : required;
    __atomic_fetch_add(&users, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

/* One more than the number of initialisations is an error. */
MPI_DEFINE(int, T_finalize, (void))
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    __atomic_fetch_sub(&users, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

/* The only object of the interface that can exist here. */
MPI_DEFINE(int, T_pvar_session_create, (MPI_T_pvar_session * session))
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!session)
        return MPI_T_ERR_INVALID;
    *session = calloc(1, sizeof **session);
    return *session ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_SESSIONS;
}

/* The session must be one that was made here: its address is not checked. */
MPI_DEFINE(int, T_pvar_session_free, (MPI_T_pvar_session * session))
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!session || *session == MPI_T_PVAR_SESSION_NULL)
        return MPI_T_ERR_INVALID_SESSION;
    free(*session);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

#define NUMBER(name)                                                                               \
    MPI_DEFINE(int, name, (int *number))                                                           \
    {                                                                                              \
        return none_of(number);                                                                    \
    }
/* The number of changes is 0 as well, since nothing can change. */
NUMBER(T_category_changed)
NUMBER(T_cvar_get_num)
NUMBER(T_pvar_get_num)
NUMBER(T_category_get_num)
NUMBER(T_source_get_num)
NUMBER(T_event_get_num)

/* ---- calls about objects that do not exist -------------------------------------------------- */

/* These objects do not exist, whatever the other arguments are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define MPI_T_NONE(name, error, args)                                                              \
    MPI_DEFINE(int, name, args)                                                                    \
    {                                                                                              \
        return none(MPI_T_ERR_##error);                                                            \
    }
#include "mpi_tool_none.h"

/* "All handles" of a session are none, so there is nothing to do. */
#define ALL_OR_NONE(name)                                                                          \
    MPI_DEFINE(int, name, (MPI_T_pvar_session session, MPI_T_pvar_handle handle))                  \
    {                                                                                              \
        return handle == MPI_T_PVAR_ALL_HANDLES ? none(MPI_SUCCESS)                                \
                                                : none(MPI_T_ERR_INVALID_HANDLE);                  \
    }
/* Reading needs a single handle, so it always fails (mpi_tool_none.h). */
ALL_OR_NONE(T_pvar_start)
ALL_OR_NONE(T_pvar_stop)
ALL_OR_NONE(T_pvar_reset)
