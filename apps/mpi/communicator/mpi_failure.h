/* mpi_failure.h - going on after a process has failed: MPIX_Comm_revoke() and its relatives. */
#pragma once

#include "communicator/mpi_comm.h"

/* From now on the task is notified of communicators that other members revoke. */
void failure_watch(void);
/* Before a blocking receive from any source, in the context of c: waits until a message is there.
 * HN_EDEAD: a member has failed that MPIX_Comm_failure_ack() has not acknowledged.  Waits for
 * nothing if errors end the job. */
int failure_await(struct mpi_comm *c, int tag);
