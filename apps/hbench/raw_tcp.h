/* raw_tcp.h - one plain TCP connection between two tasks, to compare with.
 *
 * What hnow costs can only be said against what the same two hosts reach at the same time without
 * it: a socket with TCP_NODELAY, write() and read(), and nothing else.  In blocking mode a task
 * that waits sleeps in the kernel; in spinning mode it asks again and again, which is faster while
 * it has a core for itself.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>

/* Connects this task with another one, which calls it at the same time; one of the two is `first`.
 * Addresses travel in messages.  *fd is the socket, or -1 when there is no direct way between the
 * two (a firewall).  Blocks for at most a few seconds.  False: failed, and said why. */
bool raw_tcp_open(hn_tid other, bool first, int *fd);

/* Moves all the bytes.  False: failed, and said why. */
bool raw_tcp_put(int fd, const char *data, size_t bytes, bool spin);
bool raw_tcp_take(int fd, char *data, size_t bytes, bool spin);
