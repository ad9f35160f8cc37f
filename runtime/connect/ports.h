/* ports.h - the sockets on which a task listens, all on one port.
 *
 * While all hosts of the job are one machine, the task listens on loopback only.  When another
 * machine joins (WIDE, control.h), it listens on all addresses, or only on those of hrun's -iface.
 * The port does not change: a socket bound to all addresses, which never listens, reserves it.
 */
#pragma once

#include "base/addresses.h"

#include <stdbool.h>
#include <stdint.h>

enum { PORTS_SOCKETS = 16 }; /* addresses that -iface may name on one host */

/* Owned by the listener.  The first `count` descriptors are open and listen. */
struct ports {
    int reserve; /* bound to all addresses; -1: fd[0] is, or nothing is open */
    int fd[PORTS_SOCKETS];
    unsigned count;
    uint16_t port;
};

void ports_init(struct ports *p);
/* Opens the sockets on any port, or on a free one in "LO:HI". iface: as hrun's -iface, "" for all.
 * HN_OK or HN_ESYS. */
int ports_open(struct ports *p, const char *range, const char *iface, bool wide);
/* Listens on the network instead of loopback.  False, and errno: some sockets could not be opened;
 * the others are open. */
bool ports_widen(struct ports *p, const char *iface);
void ports_close(struct ports *p);
