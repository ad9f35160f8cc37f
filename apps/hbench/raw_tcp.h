/* raw_tcp.h - a plain TCP connection between two tasks, for comparison.
 *
 * The cost of hnow is meaningful only relative to what the same two hosts reach without it at the
 * same time: a socket with TCP_NODELAY, write() and read(), and nothing else.  In blocking mode a
 * waiting task sleeps in the kernel.  In spinning mode it polls, which is faster if it has a core
 * of its own.
 *
 * The connection is made once for a pair of tasks, and serves all cases. Set-up is not measured.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>

/* Connects this task with another one that calls this at the same time; one of the two is `first`.
 * Addresses are exchanged in messages. *fd is the socket, or -1 if there is no direct route between
 * the two (a firewall).  Blocks for at most a few seconds.  Returns false after printing an
 * error. */
bool raw_tcp_open(hn_tid other, bool first, int *fd);

/* Transfer all bytes.  Return false after printing an error. */
bool raw_tcp_put(int fd, const char *data, size_t bytes, bool spin);
bool raw_tcp_take(int fd, char *data, size_t bytes, bool spin);
