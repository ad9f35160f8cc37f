/* holder.h - who holds the ports that a task may not have. */
#pragma once

#include <stddef.h>

/* Writes who listens on a port of low to high on this machine, as " (7001 is held by pid 812,
 * ring)";
 * "" when that cannot be seen: another user's process, another container's.  Reads /proc: for error
 * messages. */
void holder_of_ports(unsigned low, unsigned high, char *text, size_t size);
