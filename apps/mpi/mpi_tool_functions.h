/* mpi_tool_functions.h - MPI's chapter "Tool Support"; part of mpi.h (mpi_functions.h).
 *
 * hnow has no control or performance variables, categories or events.  A call that requires one of
 * them returns an error code of this chapter. */
#ifndef MPI_TOOL_FUNCTIONS_H
#define MPI_TOOL_FUNCTIONS_H

/* Handles are addresses of incomplete types, so a tool cannot mix them up. */
typedef struct hnow_t_enum *MPI_T_enum;
typedef struct hnow_t_cvar *MPI_T_cvar_handle;
typedef struct hnow_t_pvar *MPI_T_pvar_handle;
typedef struct hnow_t_session *MPI_T_pvar_session;
typedef struct hnow_t_registration *MPI_T_event_registration;
typedef struct hnow_t_instance *MPI_T_event_instance;

#define MPI_T_ENUM_NULL         ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL  ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL  ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)

/* Constants of the standard ABI.  Other ABIs' constants are never read or written here. */
typedef enum {
    MPI_T_CB_REQUIRE_NONE = 0x00,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED = 0x03,
    MPI_T_CB_REQUIRE_THREAD_SAFE = 0x0f,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 0x3f
} MPI_T_cb_safety;
typedef enum { MPI_T_SOURCE_ORDERED = 1, MPI_T_SOURCE_UNORDERED = 2 } MPI_T_source_order;
/* For the output of tools only: nothing here has a verbosity. */
enum {
    MPI_T_VERBOSITY_USER_BASIC = 0x09,
    MPI_T_VERBOSITY_USER_DETAIL = 0x0a,
    MPI_T_VERBOSITY_USER_ALL = 0x0c,
    MPI_T_VERBOSITY_TUNER_BASIC = 0x11,
    MPI_T_VERBOSITY_TUNER_DETAIL = 0x12,
    MPI_T_VERBOSITY_TUNER_ALL = 0x14,
    MPI_T_VERBOSITY_MPIDEV_BASIC = 0x21,
    MPI_T_VERBOSITY_MPIDEV_DETAIL = 0x22,
    MPI_T_VERBOSITY_MPIDEV_ALL = 0x24
};
/* Kinds of objects that a variable may be bound to. */
enum {
    MPI_T_BIND_NO_OBJECT = 1,
    MPI_T_BIND_MPI_COMM,
    MPI_T_BIND_MPI_DATATYPE,
    MPI_T_BIND_MPI_ERRHANDLER,
    MPI_T_BIND_MPI_FILE,
    MPI_T_BIND_MPI_GROUP,
    MPI_T_BIND_MPI_OP,
    MPI_T_BIND_MPI_REQUEST,
    MPI_T_BIND_MPI_WIN,
    MPI_T_BIND_MPI_MESSAGE,
    MPI_T_BIND_MPI_INFO,
    MPI_T_BIND_MPI_SESSION
};
/* Where a control variable may be changed. */
enum {
    MPI_T_SCOPE_CONSTANT = 1,
    MPI_T_SCOPE_READONLY,
    MPI_T_SCOPE_LOCAL,
    MPI_T_SCOPE_GROUP,
    MPI_T_SCOPE_GROUP_EQ,
    MPI_T_SCOPE_ALL,
    MPI_T_SCOPE_ALL_EQ
};
/* What a performance variable measures. */
enum {
    MPI_T_PVAR_CLASS_STATE = 1,
    MPI_T_PVAR_CLASS_LEVEL,
    MPI_T_PVAR_CLASS_SIZE,
    MPI_T_PVAR_CLASS_PERCENTAGE,
    MPI_T_PVAR_CLASS_HIGHWATERMARK,
    MPI_T_PVAR_CLASS_LOWWATERMARK,
    MPI_T_PVAR_CLASS_COUNTER,
    MPI_T_PVAR_CLASS_AGGREGATE,
    MPI_T_PVAR_CLASS_TIMER,
    MPI_T_PVAR_CLASS_GENERIC
};

/* Never called, as there are no events. */
typedef void MPI_T_event_cb_function(MPI_T_event_instance, MPI_T_event_registration,
                                     MPI_T_cb_safety, void *);
typedef void MPI_T_event_free_cb_function(MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void MPI_T_event_dropped_cb_function(MPI_Count, MPI_T_event_registration, int,
                                             MPI_T_cb_safety, void *);

/* MPI 4.1, 15.3; mpi_tool.c defines all of them. They may be called outside MPI_Init() and
 * MPI_Finalize(), and return codes instead of calling error handlers. */
MPI_DECLARE(int, T_init_thread, (int required, int *provided));
MPI_DECLARE(int, T_finalize, (void));
/* All numbers are 0. */
MPI_DECLARE(int, T_cvar_get_num, (int *num_cvar));
MPI_DECLARE(int, T_pvar_get_num, (int *num_pvar));
/* Sessions can be made and freed, but have no handles. */
MPI_DECLARE(int, T_pvar_session_create, (MPI_T_pvar_session * session));
MPI_DECLARE(int, T_pvar_session_free, (MPI_T_pvar_session * session));
/* MPI_T_PVAR_ALL_HANDLES is valid: these are no handles at all. */
MPI_DECLARE(int, T_pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle));
MPI_DECLARE(int, T_pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle));
MPI_DECLARE(int, T_pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle));
MPI_DECLARE(int, T_category_get_num, (int *num_cat));
MPI_DECLARE(int, T_category_changed, (int *update_number));
MPI_DECLARE(int, T_source_get_num, (int *num_sources));
MPI_DECLARE(int, T_event_get_num, (int *num_events));

/* The rest always fails: mpi_tool_none.h. */
#define MPI_T_NONE(name, error, args) MPI_DECLARE(int, name, args);
#include "mpi_tool_none.h"
#undef MPI_T_NONE

#endif
