/* machine_hosts.h - the machine that stays as hrun uses it: its hosts, and what starts agents
 * there.
 */
#pragma once

#include "hosts.h"
#include "hrun/hosts/launch.h"

/* The launcher of jobs on the machine: hrun asks the machine itself instead of running it. */
#define MACHINE_LAUNCHER "hnow at %h"

/* The hosts of the machine: HN_OK and *hosts, NULL if no machine is up. */
int machine_hosts(struct hosts **hosts);
/* Starts the agent of a host by the machine, without a process here: launched->answer is the
 * connection on which the machine reports its end. HN_OK or an error. */
int machine_launch(const struct launch *launch, const struct host_line *host,
                   struct launched *launched);
