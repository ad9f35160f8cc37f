/* mpi_failure.h - continuing after a process failure: MPIX_Comm_revoke() and related calls. */
#pragma once

#include "communicator/mpi_comm.h"

/* Starts to receive revocations of communicators from other members. */
void failure_watch(void);
/* Waits until a message is available, before a blocking receive from any source in the context of
 * c.  Returns HN_EDEAD if a member has failed that MPIX_Comm_failure_ack() has not acknowledged.
 * Returns at once if errors end the job. */
int failure_await(struct mpi_comm *c, int tag);
