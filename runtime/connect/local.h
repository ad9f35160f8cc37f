/* local.h - the local path: how tasks on one host connect without the network.
 *
 * Every task also listens on a UNIX socket in the abstract name space, so no file remains.  The
 * name is a keyed hash of the tid, which every task of the job can compute.  Every user of the host
 * can read it in /proc/net/unix.  So both ends check the user of the other end (SO_PEERCRED) before
 * they read anything.  Then they share memory (shared.h).  HNOW_LOCAL in the environment selects
 * another path, for measurements and tests.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct task;

/* The path that HNOW_LOCAL selects.  LOCAL_BEST ("shm") is the default.  On one host: "fetch" sends
 * all large messages by cross-memory reads (cross_read.h), "ring" sends all through rings, "unix"
 * uses UNIX sockets, and "tcp" TCP. "relay" uses only the agents (relay.h), also between hosts. */
enum local_choice { LOCAL_BEST, LOCAL_FETCH, LOCAL_RING, LOCAL_UNIX, LOCAL_TCP, LOCAL_RELAY };
enum local_choice local_choice(void);
/* Whether tid runs on this host and the local path is on. */
bool local_reaches(const struct task *t, hn_tid tid);
/* Whether the other end of a connected UNIX socket belongs to this user, or to root, who can access
 * everything anyway.  For a dialled socket, the other end is the listening process. */
bool local_is_own(int fd);
/* Writes the user of the other end, as "user 1000". */
void local_user(int fd, char *text, size_t size);
/* The address at which tid listens, or the agent of tid's host (serial 0), or hrun (tid 0).
 * Returns the length of the address. */
socklen_t local_name(const uint8_t *secret, hn_tid tid, struct sockaddr_storage *address);
/* A nonblocking socket that listens there; -1: it is impossible. */
int local_listen(const uint8_t *secret, hn_tid tid);
/* The same, connected to it; -1: nobody listens there, or not this user (local_is_own()). */
int local_connect(const uint8_t *secret, hn_tid tid);
