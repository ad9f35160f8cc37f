/* mpi_tool_none.h - tool functions that require an object of which hnow has none.
 * mpi_tool_functions.h declares them, mpi_tool.c defines them.  MPI_T_NONE(name, error,
 * arguments). The error is the one that MPI 4.1, 15.3.10 lists for a wrong index, name or
 * handle. Before MPI_T_init_thread() every call returns MPI_T_ERR_NOT_INITIALIZED instead. */

/* Enumerations: none, so no handle of one is valid. */
MPI_T_NONE(T_enum_get_info, INVALID_HANDLE,
           (MPI_T_enum enumtype, int *num, char *name, int *name_len))
MPI_T_NONE(T_enum_get_item, INVALID_HANDLE,
           (MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len))

/* Control variables. */
MPI_T_NONE(T_cvar_get_info, INVALID_INDEX,
           (int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
            MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope))
MPI_T_NONE(T_cvar_get_index, INVALID_NAME, (const char *name, int *cvar_index))
MPI_T_NONE(T_cvar_handle_alloc, INVALID_INDEX,
           (int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count))
MPI_T_NONE(T_cvar_handle_free, INVALID_HANDLE, (MPI_T_cvar_handle * handle))
MPI_T_NONE(T_cvar_read, INVALID_HANDLE, (MPI_T_cvar_handle handle, void *buf))
MPI_T_NONE(T_cvar_write, INVALID_HANDLE, (MPI_T_cvar_handle handle, const void *buf))

/* Performance variables. */
MPI_T_NONE(T_pvar_get_info, INVALID_INDEX,
           (int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
            MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
            int *readonly, int *continuous, int *atomic))
MPI_T_NONE(T_pvar_get_index, INVALID_NAME, (const char *name, int var_class, int *pvar_index))
MPI_T_NONE(T_pvar_handle_alloc, INVALID_INDEX,
           (MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
            int *count))
MPI_T_NONE(T_pvar_handle_free, INVALID_HANDLE,
           (MPI_T_pvar_session session, MPI_T_pvar_handle *handle))
MPI_T_NONE(T_pvar_read, INVALID_HANDLE,
           (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf))
MPI_T_NONE(T_pvar_write, INVALID_HANDLE,
           (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf))
MPI_T_NONE(T_pvar_readreset, INVALID_HANDLE,
           (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf))

/* Categories. */
MPI_T_NONE(T_category_get_info, INVALID_INDEX,
           (int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
            int *num_pvars, int *num_categories))
MPI_T_NONE(T_category_get_index, INVALID_NAME, (const char *name, int *cat_index))
MPI_T_NONE(T_category_get_num_events, INVALID_INDEX, (int cat_index, int *num_events))
MPI_T_NONE(T_category_get_cvars, INVALID_INDEX, (int cat_index, int len, int indices[]))
MPI_T_NONE(T_category_get_pvars, INVALID_INDEX, (int cat_index, int len, int indices[]))
MPI_T_NONE(T_category_get_events, INVALID_INDEX, (int cat_index, int len, int indices[]))
MPI_T_NONE(T_category_get_categories, INVALID_INDEX, (int cat_index, int len, int indices[]))

/* Sources of events, and events: registrations and instances cannot exist. */
MPI_T_NONE(T_source_get_info, INVALID_INDEX,
           (int source_index, char *name, int *name_len, char *desc, int *desc_len,
            MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks,
            MPI_Info *info))
MPI_T_NONE(T_source_get_timestamp, INVALID_INDEX, (int source_index, MPI_Count *timestamp))

MPI_T_NONE(T_event_get_info, INVALID_INDEX,
           (int event_index, char *name, int *name_len, int *verbosity,
            MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[], int *num_elements,
            MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len, int *bind))
MPI_T_NONE(T_event_get_index, INVALID_NAME, (const char *name, int *event_index))
MPI_T_NONE(T_event_handle_alloc, INVALID_INDEX,
           (int event_index, void *obj_handle, MPI_Info info,
            MPI_T_event_registration *event_registration))
MPI_T_NONE(T_event_handle_set_info, INVALID_HANDLE,
           (MPI_T_event_registration event_registration, MPI_Info info))
MPI_T_NONE(T_event_handle_get_info, INVALID_HANDLE,
           (MPI_T_event_registration event_registration, MPI_Info *info_used))
MPI_T_NONE(T_event_handle_free, INVALID_HANDLE,
           (MPI_T_event_registration event_registration, void *user_data,
            MPI_T_event_free_cb_function free_cb_function))
MPI_T_NONE(T_event_register_callback, INVALID_HANDLE,
           (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
            void *user_data, MPI_T_event_cb_function event_cb_function))
MPI_T_NONE(T_event_callback_set_info, INVALID_HANDLE,
           (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info))
MPI_T_NONE(T_event_callback_get_info, INVALID_HANDLE,
           (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
            MPI_Info *info_used))
MPI_T_NONE(T_event_set_dropped_handler, INVALID_HANDLE,
           (MPI_T_event_registration event_registration,
            MPI_T_event_dropped_cb_function dropped_cb_function))
MPI_T_NONE(T_event_read, INVALID_HANDLE,
           (MPI_T_event_instance event_instance, int element_index, void *buffer))
MPI_T_NONE(T_event_copy, INVALID_HANDLE, (MPI_T_event_instance event_instance, void *buffer))
MPI_T_NONE(T_event_get_timestamp, INVALID_HANDLE,
           (MPI_T_event_instance event_instance, MPI_Count *event_timestamp))
MPI_T_NONE(T_event_get_source, INVALID_HANDLE,
           (MPI_T_event_instance event_instance, int *source_index))
