/* machine_hosts.h - the machine that stays as hrun uses it: its hosts, and what starts agents
 * there.
 */
#ifndef HNOW_MACHINE_HOSTS_H
#define HNOW_MACHINE_HOSTS_H

#include "hosts.h"

/* The hosts of the machine: HN_OK and *hosts (NULL: no machine is up), and *launcher, to be freed:
 * what starts agents there. */
int machine_hosts(struct hosts **hosts, char **launcher);

#endif
