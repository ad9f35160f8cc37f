/* greet.h - running the handshake over a socket. */
#ifndef HNOW_GREET_H
#define HNOW_GREET_H

#include "connect/dial.h"

/* Begins to greet p over fd, which is being connected.  Owns fd from now on: it goes to
 * peer_adopt() or is closed.  NULL: out of memory, fd is closed. */
struct greeting *greet_dial(struct task *t, struct peer *p, int fd);
/* The same over fd, which was accepted: from that address, or (NULL) by the local path. */
void greet_accept(struct task *t, int fd, const struct sockaddr *from);
/* Ends a greeting of a stranger, for its descriptor.  False: there is none. */
bool greet_give_way(struct task *t);
/* Ends it, closes its socket and frees it. */
void greet_end(struct greeting *g);
/* Called when a dialled greeting has failed, at that address, for that reason, a constant (dial.c);
 * it is freed. */
void dial_failed(struct peer *p, unsigned address, const char *why);

/* Whether an attempt of ours to reach p is so far that p may have begun to send through it. */
bool greet_is_proving(const struct peer *p);

#endif
