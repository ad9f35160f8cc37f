/* tcp_look.h - what the kernel knows about ssh's TCP connection (sock_diag(7)), asked when the
 * other end is silent, to say more than that.
 *
 * On an MTU black hole (RFC 2923) small packets arrive and large ones are lost: ssh connects and
 * hangs in its key exchange, or an agent falls silent behind a large frame.  Nothing is certain
 * from one end, for a process that is stopped there looks much the same: so these are hints.
 *
 * Cost: a list of all TCP connections of this network namespace.  No rights are needed.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { TCP_LOOK_TEXT = 200 }; /* bytes: the longest hint has 135, a number and an interface */

/* Each writes "" when nothing can be said.
 * Of an ssh that has not come through, by its process group: which packets are lost.  True: packets
 * that were sent are lost, which more patience does not mend. */
bool tcp_look_begun(pid_t group, char text[TCP_LOOK_TEXT]);
/* Of a connection on which nothing is heard any more although this end speaks every few seconds:
 * that of a process group, or of the sshd that started this process ($SSH_CONNECTION).  True: it
 * loses many packets, and others have arrived lately. */
bool tcp_look_silent(pid_t group, char text[TCP_LOOK_TEXT]);
bool tcp_look_silent_sshd(const char *connection, char text[TCP_LOOK_TEXT]);
