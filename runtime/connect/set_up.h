/* set_up.h - connection set-up: the handshake over a socket, from connect() or accept() until both
 * tasks have proven who they are.
 *
 * All functions are called with the engine's lock; none blocks.
 */
#pragma once

#include "connect/dial.h"

/* Starts the handshake with p over fd, on which connect() is in progress (p NULL: which accept()
 * has returned).  The set-up owns fd.  In the end it calls peer_adopt(), which takes fd, or it
 * closes fd and, if it was dialled, calls dial_failed().  NULL: out of memory, fd is closed. */
struct set_up *set_up_begin(struct task *t, struct peer *p, int fd);
/* The same for a further socket of p's parallel connection.  A failure is not reported. */
void set_up_join(struct task *t, struct peer *p, int fd);
/* The same over fd, which accept() returned. from: the other end's address; NULL: the local
 * path. */
void set_up_accept(struct task *t, int fd, const struct sockaddr *from);
/* Frees a descriptor: closes the stranger's connection that pending.h selects.  False: there is
 * none. */
bool set_up_give_way(struct task *t);
/* Ends a set-up: closes its socket and frees it. */
void set_up_end(struct set_up *s);
/* A dialled connection to the address with this index has failed; why: a constant string.  The
 * set-up is freed already (dial.c). */
void dial_failed(struct peer *p, unsigned address, const char *why);

/* Whether a connection that we dialled is in a state in which p may already send through it. */
bool set_up_is_proving(const struct peer *p);
