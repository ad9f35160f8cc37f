/* parallel.h - the bytes of a link through several sealed sockets to one task, its subflows.
 *
 * Where packets get lost on a long path, TCP's congestion window stays small, whatever the line
 * carries: with CUBIC, 0.1 % and 100 ms leave some 14 Mb/s (RFC 9438, section 5.1). k connections
 * carry k times as much, until the line is full.
 *
 * The link's output is cut into numbered chunks, each a record (seal.h) of
 *
 *     u64 number | bytes of the link
 *
 * A chunk goes by the first subflow that has room, so each carries the share that its path takes,
 * and what is short goes by the first one. The kernel keeps little that is not sent yet
 * (TCP_NOTSENT_LOWAT): a chunk that waits in one subflow would keep those of all others waiting.
 * The reader takes the chunks in the order of their numbers. A subflow whose chunk is early is not
 * read until that is next, so the early ones wait in the kernel, and TCP bounds them.
 *
 * The handshake of the first socket agrees on this transport, since what comes behind it has
 * another form. Further ones join it: each with a handshake, and so keys, of its own, and the token
 * of the connection that it belongs to. If one of them breaks, the connection is broken, and the
 * stream resumes through the next. MPTCP does the same in the kernel (RFC 8684), where both systems
 * have been configured for it. route_rate.h says when, and how many.
 */
#pragma once

#include "transport/seal.h"

struct peer;
struct parallel;

enum { PARALLEL_MOST = 32 /* subflows */ };

/* For a connection whose first subflow has that seal; NULL: no memory, and the seal is freed. */
struct parallel *parallel_new(struct seal *seal, uint64_t token);
/* Whether p's connection is that one, and has room for a further subflow. */
bool parallel_takes(const struct peer *p, uint64_t token);
/* p's open connection has one more. The socket and its seal are p's from now on. */
void parallel_add(struct peer *p, int fd, struct seal *seal);
/* The token by which a further subflow names p's connection. */
uint64_t parallel_token(const struct peer *p);
/* The i-th socket of p's connection, whatever carries it; -1: it has no more. */
int parallel_socket(const struct peer *p, unsigned i);
