/* mpi_failure.h - continuing after a process failure: MPIX_Comm_revoke() and related calls.
 *
 * The calls follow the proposal "User Level Failure Mitigation" (ULFM) for MPI, which is not part
 * of MPI 4.1. Only communicators whose errors are not fatal use it.
 *
 * Acknowledging a failure makes receives from any source possible again. Collective operations
 * need a new communicator without the failed members: MPIX_Comm_shrink() in mpi_agree.c.
 */
#pragma once

#include "communicator/mpi_comm.h"

/* Starts to receive revocations of communicators from other members. Idempotent. Needed before this
 * task can be notified; messages that arrived earlier are delivered to the handler. */
void failure_watch(void);
/* Waits until a message is available, before a blocking receive from any source in the context of
 * c.  Returns HN_EDEAD if a member has failed that MPIX_Comm_failure_ack() has not acknowledged.
 * Returns at once if errors end the job. */
int failure_await(struct mpi_comm *c, int tag);
