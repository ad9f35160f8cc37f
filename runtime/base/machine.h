/* machine.h - the client side of the persistent machine (docs/hnow.md): where its socket is, and
 * how a program sends it requests.
 *
 * `hnow up` leaves one keeper process on every host.  The keeper on the user's own host listens on
 * a UNIX socket in a directory that only the user can enter, and serves processes of the same user.
 * A request is a list of words, and for "at" also the client's standard streams.  The answer is a
 * line with an exit status, then text up to the end of the connection.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Names another directory, so that a user can have several machines. */
#define MACHINE_DIRECTORY "HNOW_MACHINE_DIR"
/* In jobs: "none" prevents hrun from using the machine. */
#define MACHINE_NONE "none"

/* Files in the directory: the hosts that jobs use; the output of the machine's hrun. */
#define MACHINE_HOSTS "hosts"
#define MACHINE_LOG   "log"

enum { MACHINE_REQUEST_MOST = 1 << 20, MACHINE_PATH = 96 }; /* bytes of a request, of a path */

/* Writes the path of a file in the machine's directory: $HNOW_MACHINE_DIR, $XDG_RUNTIME_DIR/hnow,
 * or /tmp/hnow-UID.  HN_ENAME: there is no such directory, or it belongs to another user.  HN_ESYS:
 * others can enter it.  HN_EARG: its path is too long for a socket. */
int machine_file(char path[MACHINE_PATH], const char *name);
/* Creates the directory. */
int machine_make_directory(void);

/* Connects and sends the words and 3 descriptors (NULL: none).  Returns the connection, which the
 * caller closes, HN_ENAME if no machine is up, or another error with hn_error_text().  Blocks for
 * seconds if the machine is stopped. */
int machine_ask(const char *const *words, int n, const int *descriptors);
/* Sends bytes, with up to 3 descriptors on the first byte. */
int machine_send(int fd, const void *data, size_t size, const int *descriptors, int n);
/* Receives at least one byte, and up to 3 descriptors (close on exec) into the entries that are -1.
 * Returns the number of bytes, or a value <= 0 as recvmsg(). */
ssize_t machine_receive(int fd, void *data, size_t size, int descriptors[3]);
/* Receives `size` bytes, or fewer up to the end of the connection.  Returns their number.  Blocks.
 */
size_t machine_receive_all(int fd, void *data, size_t size);
/* Limits the time in which the answer must begin, and may pause. */
void machine_limit(int connection, int seconds);
/* Reads the answer.  Returns its status, or HN_ESYS if it is truncated or late.  *text (may be
 * NULL) becomes the rest, a string that the caller frees. */
int machine_answer(int connection, char **text);
