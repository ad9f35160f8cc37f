/* pvm_hoster.h - starting PVM's daemons on other hosts, by the ssh of the job's hosts file.
 *
 * PVM asks a task that has registered for it (its "hoster") to start daemons.  Ours runs
 *
 *     SCRIPT HOST hbench-pvmexec -slave ARG...        the path of this program: as on this host
 *
 * for each, all at once, hands back the line that each daemon prints, and keeps the connections:
 * their end is the end of the daemons, and they end with the hoster.
 */
#pragma once

#include <sys/types.h>

/* Starts the hoster; returns when PVM knows it. */
void pvm_hoster_start(const char *script);

/* fork(), the child to be killed when this process ends; not without a child. */
pid_t pvm_hoster_fork(void);
