/* socket.h - functions that the two socket transports share (socket.c, sealed.c). */
#pragma once

#include "transport/transport.h"

#include <sys/types.h>
#include <sys/uio.h>

/* Where a socket has nothing to do. */
void socket_ignore(struct peer *p);
/* Sends nothing: only memory has a place beside the stream. */
bool socket_send(struct peer *p, const hn_info *info, hn_context context, const void *data,
                 size_t bytes);
/* The end of a stream is found by reading it. */
bool socket_notice(struct peer *p);
/* Writes the link's output through `send_some`, which is as sendmsg(2), until the link has no more
 * and `holds` says that it keeps none back either.  Returns as struct transport's write(). */
int socket_drain(struct peer *p, bool *full,
                 ssize_t (*send_some)(struct peer *p, const struct iovec *iov, int n),
                 bool (*holds)(const struct peer *p));
