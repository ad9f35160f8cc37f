/* passing.h - bytes over a UNIX socket, with a descriptor beside them (SCM_RIGHTS).
 *
 * The other side may pass descriptors with every byte, as many as the kernel allows in a message.
 * All that arrive are either taken by the caller or closed here.
 */
#ifndef HNOW_PASSING_H
#define HNOW_PASSING_H

#include <stddef.h>
#include <sys/types.h>

/* As send() without blocking and without SIGPIPE; the receiver gets a copy of `passed` (-1: of
 * none) with the first byte. */
ssize_t passing_send(int fd, const void *bytes, size_t n, int passed);
/* As recv() without blocking.  *passed becomes the descriptor that came with the bytes, which the
 * caller closes, or -1.  passed NULL: none is taken.  Two or more: all are closed, and the
 * result is -1 with errno EBADMSG (or the kernel had room for one, and has closed the others). */
ssize_t passing_receive(int fd, void *bytes, size_t n, int *passed);

#endif
