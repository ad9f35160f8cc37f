/* mpi_session.h - sessions: MPI without MPI_Init() and MPI_COMM_WORLD.
 *
 * MPI 4.1, 11.3.
 *
 * Sessions and the World Model may be used together, in any order (MPI 4.1, 11.4).
 */
#pragma once

#include "message/mpi_buffer.h"
#include "object/mpi_error.h"

/* Owned by its handle. Communicators made from it do not refer to it. */
struct mpi_session {
    struct object object;
    struct mpi_errhandler *errhandler;
    struct mpi_info *info;
    struct send_buffer buffer; /* MPI_Session_attach_buffer() */
};

static inline struct mpi_session *session_of(MPI_Session handle)
{
    return handle_object(OBJECT_SESSION, handle);
}

/* The first caller enrols the task and initialises MPI. Returns HN_OK or an error. */
int environment_start(void);
/* Number of open sessions. */
extern int environment_sessions;
