/* pvm_hoster.h - starts PVM's daemons on other hosts, by the ssh of the job's hosts file.
 *
 * PVM asks a registered task, its "hoster", to start daemons.  For each daemon, all at once, this
 * hoster runs
 *
 *     SCRIPT HOST hbench-pvmexec -slave ARG...        the path of this program: as on this host
 *
 * It returns the line that each daemon prints, and keeps the connections: when they close, the
 * daemons end.  So the daemons end with the hoster.
 */
#pragma once

#include <sys/types.h>

/* Starts the hoster.  Returns when PVM knows it. */
void pvm_hoster_start(const char *script);

/* As fork(), but the child is killed when this process ends.  Does not return if it fails. */
pid_t pvm_hoster_fork(void);
