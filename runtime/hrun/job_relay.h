/* job_relay.h - how tasks reach each other: their addresses, connections that hrun relays, and
 * failed or refused ones. */
#pragma once

#include "hrun/job.h"

/* ---- addresses of tasks (job_addresses.c) ---- */

/* Another agent is about to get SETUP.  If the hosts are several machines now, tasks listen on the
 * network from now on, not only on loopback. */
void job_widen(struct job_host *come);
/* Stores those of the agent's addresses at which its tasks can be reached, best first.  HN_OK,
 * HN_ENOMEM, or HN_ESYS if -iface leaves none. */
int job_choose_addresses(struct job_host *host, const char *ssh_server, struct unpack *list);
/* Processes ASK: a task requests another one's addresses.  The answer waits until that one has
 * enrolled or ended. */
void job_on_ask(struct job_host *host, struct unpack *in);
/* Answers all requests for this task's addresses. */
void job_answer_all(struct job_task *task);

/* ---- connections of tasks (job_relay.c, job_fault.c, job_strangers.c) ---- */

/* Forwards RELAY_... to the agent of the other end. */
void job_relay(struct job_host *from, struct control_frame *frame);
/* Forwards UNDELIVERED: messages that a task sent before it ended. */
void job_undelivered(struct job_host *from, struct unpack *in);
/* Processes UNREACHED: a task cannot communicate with another one.  Ends the job, unless the
 * connection is relayed. */
void job_fault(struct job_host *host, struct unpack *in);
/* Processes STRANGER: counts refused connections by source. */
void job_stranger(struct job_host *host, struct unpack *in);
/* Prints the counts, with -v. */
void job_strangers_end(struct job *job);
