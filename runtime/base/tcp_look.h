/* tcp_look.h - reads the kernel's state of ssh's TCP connection (sock_diag(7)), to explain why the
 * other end is silent.
 *
 * At an MTU black hole (RFC 2923) small packets arrive and large ones are lost. ssh connects and
 * hangs in its key exchange, or an agent becomes silent after a large frame.  One end alone cannot
 * be certain: a stopped process there looks nearly the same.  So these texts are hints.
 *
 * Cost: a list of all TCP connections of this network namespace.  No privileges are needed.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { TCP_LOOK_TEXT = 200 }; /* bytes: the longest hint has 135, plus a number and an interface */

/* Each function writes "" if it has no hint.  This one is for an ssh that has not connected yet, by
 * its process group: which packets are lost.  True: sent packets are lost, so waiting longer does
 * not help. */
bool tcp_look_begun(pid_t group, char text[TCP_LOOK_TEXT]);
/* For a connection that has become silent although this end sends every few seconds: of a process
 * group, or of the sshd that started this process ($SSH_CONNECTION).  True: it loses many packets,
 * but others have arrived recently.  Where this host is busy, an acknowledgement is enough: the
 * other end's data may be what is lost, which only its own kernel knows. */
bool tcp_look_silent(pid_t group, bool busy, char text[TCP_LOOK_TEXT]);
bool tcp_look_silent_sshd(const char *connection, bool busy, char text[TCP_LOOK_TEXT]);
