/* mpi_session_functions.h - sessions: part of mpi.h (mpi_functions.h). MPI 4.1, 11.3, and 3.6
 * for buffers; process/mpi_session.c, message/mpi_buffer.c. MPI_Init() is not needed. The
 * process sets are mpi://WORLD and mpi://SELF. */
#ifndef MPI_SESSION_FUNCTIONS_H
#define MPI_SESSION_FUNCTIONS_H

/* The first session enrols the task. Finalizing is local; the job is left at the end of the
 * process. */
MPI_DECLARE(int, Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session));
MPI_DECLARE(int, Session_finalize, (MPI_Session * session));
MPI_DECLARE(int, Session_get_info, (MPI_Session session, MPI_Info *info_used));
/* Local: the sets do not change. */
MPI_DECLARE(int, Session_get_num_psets, (MPI_Session session, MPI_Info info, int *npset_names));
MPI_DECLARE(int, Session_get_nth_pset,
            (MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name));
MPI_DECLARE(int, Session_get_pset_info,
            (MPI_Session session, const char *pset_name, MPI_Info *info));
/* A session's errors go to its own handler, as there need not be a communicator. */
MPI_DECLARE(int, Session_create_errhandler,
            (MPI_Session_errhandler_function * function, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Session_set_errhandler, (MPI_Session session, MPI_Errhandler errhandler));
MPI_DECLARE(int, Session_get_errhandler, (MPI_Session session, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Session_call_errhandler, (MPI_Session session, int errorcode));
/* A limit for buffered sends, as on communicators. */
MPI_DECLARE(int, Session_attach_buffer, (MPI_Session session, void *buffer, int size));
MPI_DECLARE(int, Session_attach_buffer_c, (MPI_Session session, void *buffer, MPI_Count size));
MPI_DECLARE(int, Session_detach_buffer, (MPI_Session session, void *buffer_addr, int *size));
MPI_DECLARE(int, Session_detach_buffer_c,
            (MPI_Session session, void *buffer_addr, MPI_Count *size));
MPI_DECLARE(int, Session_flush_buffer, (MPI_Session session));
MPI_DECLARE(int, Session_iflush_buffer, (MPI_Session session, MPI_Request *request));

/* Local. */
MPI_DECLARE(int, Group_from_session_pset,
            (MPI_Session session, const char *pset_name, MPI_Group *newgroup));
/* Only the members of the groups call these, with the same string tag. They block until the
 * first member has called. */
MPI_DECLARE(int, Comm_create_from_group,
            (MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
             MPI_Comm *newcomm));
MPI_DECLARE(int, Intercomm_create_from_groups,
            (MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
             const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
             MPI_Comm *newintercomm));

#endif
