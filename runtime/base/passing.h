/* passing.h - bytes over a UNIX socket, with descriptors beside them (SCM_RIGHTS).
 *
 * The other side may pass descriptors with every byte, as many as the kernel allows in a message.
 * All that arrive are either taken by the caller or closed here.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { PASSING_MOST = 3 }; /* descriptors beside one message: the standard streams */

/* As send() with these flags, and without SIGPIPE; the receiver gets copies of the descriptors with
 * the first byte. */
ssize_t passing_send(int fd, const void *bytes, size_t n, int flags, const int *passed,
                     unsigned count);
/* As recv() with these flags.  Descriptors that come with the bytes take the entries of passed that
 * are -1, in their order; the caller closes them.  If there are more, all are closed, also those
 * that passed had before, and the result is -1 with errno EBADMSG (or the kernel had no room for
 * them, and has closed the others).  room 0: none is taken. */
ssize_t passing_receive(int fd, void *bytes, size_t n, int flags, int *passed, unsigned room);
