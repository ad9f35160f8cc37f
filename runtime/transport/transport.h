/* transport.h - carries the bytes of a link (link.h) to another task and back.
 *
 * The handshake of a connection selects one of four transports:
 *
 *      socket         TCP, or a UNIX socket on one host
 *      sealed socket  the same, with encrypted records (seal.h)
 *      parallel       several sealed sockets (parallel.h)
 *      shared memory  rings and slots that both tasks map (shared.h); their socket is the doorbell
 *
 * A peer without a connection has the plain socket transport, so that callers need no check.
 *
 * Every function is called with the engine's lock, and none blocks.  None closes the connection:
 * they return an error, and peer.c decides what to do.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stddef.h>

struct peer;

/* One row of functions for each carrier.  The rows are constant and shared by all peers.  State of
 * a connection is in struct peer and in what its `seal`, `parallel` or `shared` points to.  A
 * peer's row changes only between two connections, while its link is broken. */
struct transport {
    /* Both tasks read each other's progress in memory.  So no acknowledgements are requested, and
     * another read costs no system call. */
    bool direct;
    /* The connection leaves this host and is encrypted; so datagrams to that task are encrypted,
     * too. */
    bool sealed;

    /* start: the connection is open (p->fd). stop: it is about to be closed. */
    void (*start)(struct peer *p);
    void (*stop)(struct peer *p);
    /* Sends a small message at once, beside the link's queue.  False: the link must queue it. */
    bool (*send)(struct peer *p, const hn_info *info, hn_context context, const void *data,
                 size_t bytes);
    /* Writes as much of the link's output as possible.  Returns 1 if bytes were written that may
     * still be lost, 0 if none were, or HN_ELINK: the connection is broken.  Sets *full if the rest
     * must wait until p->fd is writable. */
    int (*write)(struct peer *p, bool *full);
    /* Reads once, into the link.  Returns the number of bytes, 0: nothing is available, HN_ELINK:
     * the connection is broken, or an error of link_received().  If the result equals *offered,
     * more may be available. */
    ptrdiff_t (*read)(struct peer *p, size_t *offered);
    /* After one or more reads: shows the writer what was received. */
    void (*confirm)(struct peer *p);
    /* Checks for input in every iteration of the loop, until the loop sleeps. */
    void (*wake)(struct peer *p);
    /* p->fd is readable.  False: the other task is gone, but what it wrote can still be read. */
    bool (*notice)(struct peer *p);
};

extern const struct transport transport_socket, transport_sealed, transport_parallel,
    transport_shared;
