/* ports.h - the sockets on which a task listens for others, all on one port.
 *
 * As long as all hosts of the job are one machine, it listens on loopback only.  Once there is
 * another machine (WIDE, control.h), it listens on all addresses, or with hrun's -iface on those
 * that -iface names and nowhere else.  The port is the same before and after: a socket that is
 * bound to all addresses, and on which nobody listens, keeps it.
 */
#pragma once

#include "base/addresses.h"

#include <stdbool.h>
#include <stdint.h>

enum { PORTS_SOCKETS = 16 }; /* addresses that -iface may name on one host */

struct ports {
    int reserve; /* bound to all addresses; -1: fd[0] is, or nothing is open */
    int fd[PORTS_SOCKETS];
    unsigned count;
    uint16_t port;
};

void ports_init(struct ports *p);
/* Opens them on any port, or on a free one of the range "LO:HI".  iface: as hrun's -iface, "" for
 * all.  HN_OK or HN_ESYS. */
int ports_open(struct ports *p, const char *range, const char *iface, bool wide);
/* Opens them to the network, those of loopback close.  False, and errno: some could not be opened;
 * the others are. */
bool ports_widen(struct ports *p, const char *iface);
void ports_close(struct ports *p);
