/* local.h - the local path: how tasks on one host reach each other without the network.
 *
 * Every task also listens on a UNIX socket in the abstract name space, which leaves nothing behind
 * in any directory.  The name is a keyed hash of the tid, so that a task of the same job can work
 * it out without asking.  Every user of the host can read it in /proc/net/unix, so both ends look
 * whose the other end is (SO_PEERCRED) before they read anything.  When they have met there, they
 * share memory (shared.h).  HNOW_LOCAL in the environment chooses another path (for measurements
 * and tests).
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct task;

/* How messages are to travel, from HNOW_LOCAL: by the best way (also "shm"), on one host all large
 * ones fetched (cross_read.h, "fetch"), or all through rings ("ring") or UNIX sockets ("unix"), by
 * TCP also there ("tcp"), or through the agents (relay.h) only ("relay"). */
enum local_choice { LOCAL_BEST, LOCAL_FETCH, LOCAL_RING, LOCAL_UNIX, LOCAL_TCP, LOCAL_RELAY };
enum local_choice local_choice(void);
/* Whether tid runs on this host and the local path is on. */
bool local_reaches(const struct task *t, hn_tid tid);
/* Whether the other end of a connected UNIX socket belongs to a process of this user, or of root,
 * who can do everything here anyway.  Of a dialled socket, it is the one that listens. */
bool local_is_own(int fd);
/* Whose it is, as "user 1000". */
void local_user(int fd, char *text, size_t size);
/* Where tid, or the agent of tid's host (serial 0), or hrun (0) listens; returns the length of the
 * address. */
socklen_t local_name(const uint8_t *secret, hn_tid tid, struct sockaddr_storage *address);
