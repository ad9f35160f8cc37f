/* socket.h - functions that the two socket transports share (socket.c, sealed.c). */
#pragma once

#include "transport/transport.h"

#include <sys/types.h>
#include <sys/uio.h>

/* Does nothing: for functions that sockets do not need. */
void socket_ignore(struct peer *p);
/* Returns false: a socket has no second path for small messages. */
bool socket_send(struct peer *p, const hn_info *info, hn_context context, const void *data,
                 size_t bytes);
/* Returns true: the end of the stream is found by reading. */
bool socket_notice(struct peer *p);
/* A read has brought `got` bytes; so many of the frame or record are missing (0: none is known to
 * come).  If packets arrive one by one, the socket counts as readable when the missing bytes have
 * arrived, or some packets' worth of them.  Each packet would otherwise wake the reader. */
void socket_await(struct peer *p, size_t got, size_t missing);
/* Writes the link's output with `send_some`, which works as sendmsg(2), until the link has no more
 * and `holds` returns that nothing is buffered.  Returns as struct transport's write().
 * `send_some` returns the number of the link's bytes that it has taken, or -1 with errno.  It may
 * take bytes into a buffer of its own, which `holds` then reports. */
int socket_drain(struct peer *p, bool *full,
                 ssize_t (*send_some)(struct peer *p, const struct iovec *iov, int n),
                 bool (*holds)(const struct peer *p));
