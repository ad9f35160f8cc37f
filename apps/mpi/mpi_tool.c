/* mpi_tool.c - the interface for tools (mpi_tool_functions.h), with nothing to be seen by it. */
#include "mpi_call.h"

#include <stdlib.h>

/* How often tools have begun, and not ended. */
static int users;

struct hnow_t_session {
    int unused; /* there are no handles that a session could have */
};

static int begun(void)
{
    return __atomic_load_n(&users, __ATOMIC_RELAXED) > 0;
}

/* For a function that wants something of which there is none. */
static int none(int code)
{
    return begun() ? code : MPI_T_ERR_NOT_INITIALIZED;
}

/* All handles of a session are none, with which there is nothing to do. */
static int all_or(MPI_T_pvar_handle handle, int code)
{
    return handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : code;
}

static int none_of(int *number)
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!number)
        return MPI_T_ERR_INVALID;
    *number = 0;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, T_init_thread, (int required, int *provided))
{
    if (!provided)
        return MPI_T_ERR_INVALID;
    *provided = required < MPI_THREAD_SINGLE     ? MPI_THREAD_SINGLE
                : required > MPI_THREAD_MULTIPLE ? MPI_THREAD_MULTIPLE
                                                 : required;
    __atomic_fetch_add(&users, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

MPI_DEFINE(int, T_finalize, (void))
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    __atomic_fetch_sub(&users, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

MPI_DEFINE(int, T_pvar_session_create, (MPI_T_pvar_session * session))
{
    if (!begun())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!session)
        return MPI_T_ERR_INVALID;
    *session = calloc(1, sizeof **session);
    return *session ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_SESSIONS;
}

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

MPI_DEFINE(int, T_category_changed, (int *update_number))
{
    return none_of(update_number);
}

MPI_DEFINE(int, T_cvar_get_num, (int *num_cvar))
{
    return none_of(num_cvar);
}

MPI_DEFINE(int, T_pvar_get_num, (int *num_pvar))
{
    return none_of(num_pvar);
}

MPI_DEFINE(int, T_category_get_num, (int *num_cat))
{
    return none_of(num_cat);
}

MPI_DEFINE(int, T_source_get_num, (int *num_sources))
{
    return none_of(num_sources);
}

MPI_DEFINE(int, T_event_get_num, (int *num_events))
{
    return none_of(num_events);
}

/* ---- with nothing to name ------------------------------------------------------------------- */

/* These objects do not exist, whatever the other arguments are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define NONE(name, code, args)                                                                     \
    MPI_DEFINE(int, name, args)                                                                    \
    {                                                                                              \
        return none(code);                                                                         \
    }

NONE(T_enum_get_info, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_enum enumtype, int *num, char *name, int *name_len))
NONE(T_enum_get_item, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len))
NONE(T_cvar_get_info, MPI_T_ERR_INVALID_INDEX,
     (int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
      MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope))
NONE(T_cvar_get_index, MPI_T_ERR_INVALID_NAME, (const char *name, int *cvar_index))
NONE(T_cvar_handle_alloc, MPI_T_ERR_INVALID_INDEX,
     (int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count))
NONE(T_cvar_handle_free, MPI_T_ERR_INVALID_HANDLE, (MPI_T_cvar_handle * handle))
NONE(T_cvar_read, MPI_T_ERR_INVALID_HANDLE, (MPI_T_cvar_handle handle, void *buf))
NONE(T_cvar_write, MPI_T_ERR_INVALID_HANDLE, (MPI_T_cvar_handle handle, const void *buf))
NONE(T_pvar_get_info, MPI_T_ERR_INVALID_INDEX,
     (int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
      MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
      int *readonly, int *continuous, int *atomic))
NONE(T_pvar_get_index, MPI_T_ERR_INVALID_NAME, (const char *name, int var_class, int *pvar_index))
NONE(T_pvar_handle_alloc, MPI_T_ERR_INVALID_INDEX,
     (MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
      int *count))
NONE(T_pvar_handle_free, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_pvar_session session, MPI_T_pvar_handle *handle))
NONE(T_pvar_start, all_or(handle, MPI_T_ERR_INVALID_HANDLE),
     (MPI_T_pvar_session session, MPI_T_pvar_handle handle))
NONE(T_pvar_stop, all_or(handle, MPI_T_ERR_INVALID_HANDLE),
     (MPI_T_pvar_session session, MPI_T_pvar_handle handle))
NONE(T_pvar_read, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf))
NONE(T_pvar_write, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf))
NONE(T_pvar_reset, all_or(handle, MPI_T_ERR_INVALID_HANDLE),
     (MPI_T_pvar_session session, MPI_T_pvar_handle handle))
NONE(T_pvar_readreset, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf))
NONE(T_category_get_info, MPI_T_ERR_INVALID_INDEX,
     (int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
      int *num_pvars, int *num_categories))
NONE(T_category_get_index, MPI_T_ERR_INVALID_NAME, (const char *name, int *cat_index))
NONE(T_category_get_num_events, MPI_T_ERR_INVALID_INDEX, (int cat_index, int *num_events))
NONE(T_category_get_cvars, MPI_T_ERR_INVALID_INDEX, (int cat_index, int len, int indices[]))
NONE(T_category_get_pvars, MPI_T_ERR_INVALID_INDEX, (int cat_index, int len, int indices[]))
NONE(T_category_get_events, MPI_T_ERR_INVALID_INDEX, (int cat_index, int len, int indices[]))
NONE(T_category_get_categories, MPI_T_ERR_INVALID_INDEX, (int cat_index, int len, int indices[]))
NONE(T_source_get_info, MPI_T_ERR_INVALID_INDEX,
     (int source_index, char *name, int *name_len, char *desc, int *desc_len,
      MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks,
      MPI_Info *info))
NONE(T_source_get_timestamp, MPI_T_ERR_INVALID_INDEX, (int source_index, MPI_Count *timestamp))
NONE(T_event_get_info, MPI_T_ERR_INVALID_INDEX,
     (int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype array_of_datatypes[],
      MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, MPI_Info *info,
      char *desc, int *desc_len, int *bind))
NONE(T_event_get_index, MPI_T_ERR_INVALID_NAME, (const char *name, int *event_index))
NONE(T_event_handle_alloc, MPI_T_ERR_INVALID_INDEX,
     (int event_index, void *obj_handle, MPI_Info info,
      MPI_T_event_registration *event_registration))
NONE(T_event_handle_set_info, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration, MPI_Info info))
NONE(T_event_handle_get_info, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration, MPI_Info *info_used))
NONE(T_event_handle_free, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration, void *user_data,
      MPI_T_event_free_cb_function free_cb_function))
NONE(T_event_register_callback, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
      void *user_data, MPI_T_event_cb_function event_cb_function))
NONE(T_event_callback_set_info, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info))
NONE(T_event_callback_get_info, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info *info_used))
NONE(T_event_set_dropped_handler, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_registration event_registration,
      MPI_T_event_dropped_cb_function dropped_cb_function))
NONE(T_event_read, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_instance event_instance, int element_index, void *buffer))
NONE(T_event_copy, MPI_T_ERR_INVALID_HANDLE, (MPI_T_event_instance event_instance, void *buffer))
NONE(T_event_get_timestamp, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_instance event_instance, MPI_Count *event_timestamp))
NONE(T_event_get_source, MPI_T_ERR_INVALID_HANDLE,
     (MPI_T_event_instance event_instance, int *source_index))
