/* machine_hosts.h - the persistent machine as hrun uses it: its hosts, and how it starts agents.
 *
 * The machine (`hnow up`) keeps a gate on each host, so that starting an agent needs no login.
 */
#pragma once

#include "hosts.h"
#include "hrun/hosts/launch.h"

/* The launcher of jobs on the machine. hrun sends the request itself instead of running this
 * command. */
#define MACHINE_LAUNCHER "hnow at %h"

/* Reads the hosts of the machine: HN_OK and *hosts; *hosts is NULL if no machine is up. Blocks for
 * at most some seconds. */
int machine_hosts(struct hosts **hosts);
/* Lets the machine start the agent of a host, without a local process. launched->answer is the
 * connection on which the machine reports its end.  HN_OK or an error. */
int machine_launch(const struct launch *launch, const struct host_line *host,
                   struct launched *launched);
