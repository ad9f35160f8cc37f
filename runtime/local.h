/* local.h - the local path: how tasks on one host reach each other without the network.
 *
 * Every task also listens on a UNIX socket in the abstract name space, which leaves nothing behind
 * in any directory.  The name is a keyed hash of the tid, so that a task of the same job can work
 * it out without asking, and nobody else can.  HNOW_LOCAL=tcp in the environment switches the local
 * path off (for measurements and tests).
 */
#ifndef HNOW_LOCAL_H
#define HNOW_LOCAL_H

#include "hnow.h"

#include <stdbool.h>
#include <sys/socket.h>

struct task;

/* Whether tid runs on this host and the local path is on. */
bool local_reaches(const struct task *t, hn_tid tid);
/* Where tid listens; returns the length of the address. */
socklen_t local_address(const struct task *t, hn_tid tid, struct sockaddr_storage *address);

#endif
