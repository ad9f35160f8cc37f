/* parallel.h - transports the bytes of a link through several sealed sockets to one task, its
 * subflows.
 *
 * On a long path that loses packets, TCP's congestion window stays small, whatever the line
 * carries.  With CUBIC, 0.1 % and 100 ms leave some 14 Mb/s (RFC 9438, section 5.1). k connections
 * carry k times as much, until the line is full.
 *
 * The link's output is divided into numbered chunks, each a record (seal.h) of
 *
 *     u64 number | bytes of the link
 *
 * Each chunk is sent on the first subflow with room, so each subflow carries the share that its
 * path allows.  Short messages use the first subflow.  The kernel buffers few unsent bytes
 * (TCP_NOTSENT_LOWAT), because a chunk that waits in one subflow delays those of all others.  The
 * reader processes chunks in the order of their numbers.  It stops reading a subflow whose chunk is
 * early.  So early chunks wait in the kernel, and TCP's flow control bounds them.
 *
 * The handshake of the first socket selects this transport, because the records have another
 * format.  Further sockets join: each has its own handshake, and so its own keys, and sends the
 * token of the connection.  If one socket breaks, the connection is broken, and the stream resumes
 * through the next one.  MPTCP does the same in the kernel (RFC 8684), if both systems are
 * configured for it. route_rate.h decides when to use this, and how many sockets.
 */
#pragma once

#include "transport/seal.h"

struct peer;
struct parallel;

enum { PARALLEL_MOST = 32 /* subflows */ };

/* For a connection whose first subflow has this seal, which it owns from now on.  NULL: no memory,
 * and the seal is freed. */
struct parallel *parallel_new(struct seal *seal, uint64_t token);
/* Whether p's connection has this token, and has room for another subflow. */
bool parallel_takes(const struct peer *p, uint64_t token);
/* Adds a subflow to p's open connection, which owns the socket and the seal from now on. */
void parallel_add(struct peer *p, int fd, struct seal *seal);
/* The token with which another subflow joins p's connection. */
uint64_t parallel_token(const struct peer *p);
/* The i-th socket of p's connection, with any transport; -1: there are fewer. */
int parallel_socket(const struct peer *p, unsigned i);
