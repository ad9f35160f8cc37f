/* holder.h - finds the process that holds the ports that a task needs. */
#pragma once

#include <stddef.h>

/* Writes which process listens on a port from low to high on this machine, as " (7001 is held by
 * pid 812, ring)".  Writes "" if it is invisible: another user's process, another container's.
 * Reads /proc, for error messages. */
void holder_of_ports(unsigned low, unsigned high, char *text, size_t size);
