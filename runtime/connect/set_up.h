/* set_up.h - connection set-up: the handshake over a socket, from connect() or accept() until both
 * tasks have proven who they are.
 *
 * All functions are called with the engine's lock; none blocks. */
#pragma once

#include "connect/dial.h"

/* Begins the handshake with p over fd, on which connect() is under way.  The set-up owns fd: in the
 * end peer_adopt() gets it, or it is closed and dial_failed() is called.  NULL: out of memory, fd
 * is closed. */
struct set_up *set_up_dial(struct task *t, struct peer *p, int fd);
/* The same for a further socket of p's parallel connection; when it fails, there is none. */
void set_up_join(struct task *t, struct peer *p, int fd);
/* The same over fd, which accept() returned, from this address; NULL: over the local path. */
void set_up_accept(struct task *t, int fd, const struct sockaddr *from);
/* When descriptors are needed: closes the accepted connection of a stranger that has to give way
 * first (pending.h).  False: there is none. */
bool set_up_give_way(struct task *t);
/* Ends it, closes its socket and frees it. */
void set_up_end(struct set_up *s);
/* A dialled connection has failed, at the address of this index, for this reason, a constant text.
 * The set-up is freed already (dial.c). */
void dial_failed(struct peer *p, unsigned address, const char *why);

/* Whether an attempt of ours to reach p is so far that p may have begun to send through it. */
bool set_up_is_proving(const struct peer *p);
