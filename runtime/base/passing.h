/* passing.h - sends bytes over a UNIX socket, with descriptors (SCM_RIGHTS).
 *
 * The other side may pass descriptors with every byte, as many as the kernel allows in a message.
 * All that arrive are either given to the caller or closed here.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { PASSING_MOST = 3 }; /* descriptors in a message: the standard streams */

/* As send() with these flags, and without SIGPIPE.  The receiver gets copies of the descriptors
 * with the first byte. */
ssize_t passing_send(int fd, const void *bytes, size_t n, int flags, const int *passed,
                     unsigned count);
/* As recv() with these flags.  Received descriptors are stored in the entries of `passed` that are
 * -1, in order; the caller closes them.  If there are too many, or the kernel had no room for all,
 * all of them are closed, including earlier ones in `passed`.  Then the result is -1 with errno
 * EBADMSG. room 0: accepts none. */
ssize_t passing_receive(int fd, void *bytes, size_t n, int flags, int *passed, unsigned room);
