/* job_relay.h - how tasks reach each other: their addresses, connections that hrun relays, and
 * those that failed or were refused.
 */
#pragma once

#include "hrun/job.h"

/* ---- addresses of tasks (job_addresses.c) ---- */

/* Another agent gets its SETUP.  If the hosts are several machines now, tasks listen on the network
 * from now on, not on loopback only. */
void job_widen(struct job_host *come);
/* Keeps those of the agent's addresses at which its tasks can be reached, best first.  HN_OK, or
 * HN_ENOMEM, or HN_ESYS if -iface leaves none. */
int job_choose_addresses(struct job_host *host, const char *ssh_server, struct unpack *list);
/* ASK: a task asks where another one is.  The answer waits until that one has enrolled or ended. */
void job_on_ask(struct job_host *host, struct unpack *in);
/* Answers all who wait for this task's addresses. */
void job_answer_all(struct job_task *task);

/* ---- connections of tasks (job_relay.c, job_fault.c, job_strangers.c) ---- */

/* RELAY_...: passes it to the agent of the other end. */
void job_relay(struct job_host *from, struct control_frame *frame);
/* UNDELIVERED: what a task had sent before it ended. */
void job_undelivered(struct job_host *from, struct unpack *in);
/* UNREACHED: a task cannot talk to another one; that ends the job, unless it is relayed. */
void job_fault(struct job_host *host, struct unpack *in);
/* STRANGER: a refused connection, counted by source. */
void job_stranger(struct job_host *host, struct unpack *in);
/* Prints the counts, with -v. */
void job_strangers_end(struct job *job);
