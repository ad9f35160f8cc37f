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

struct transport {
    /* Both tasks see each other's progress in memory.  So nobody has to ask for acknowledgements,
     * and reading again costs no system call. */
    bool direct;
    /* The connection leaves this host and is encrypted; so datagrams to that task are, too. */
    bool sealed;

    /* The connection is open (p->fd); and is about to be closed. */
    void (*start)(struct peer *p);
    void (*stop)(struct peer *p);
    /* Sends a small message at once, beside what the link has queued.  False: the link must queue
     * it. */
    bool (*send)(struct peer *p, const hn_info *info, hn_context context, const void *data,
                 size_t bytes);
    /* Writes as much of the link's output as is taken now.  Returns 1 when bytes went out that may
     * still be lost on their way, 0 when none did, HN_ELINK: the connection is broken.  *full is
     * set when the rest has to wait until p->fd can be written. */
    int (*write)(struct peer *p, bool *full);
    /* Reads once, into the link.  Returns bytes, 0 when there is nothing now, HN_ELINK: the
     * connection is broken, or what link_received() returns.  Reading again pays when the result
     * equals *offered. */
    ptrdiff_t (*read)(struct peer *p, size_t *offered);
    /* After a turn of reads: shows the writer what has been received. */
    void (*confirm)(struct peer *p);
    /* Looks for input in every turn of the loop, until the loop sleeps. */
    void (*wake)(struct peer *p);
    /* p->fd can be read.  False: the other task is gone, but what it wrote can still be read. */
    bool (*notice)(struct peer *p);
};

extern const struct transport transport_socket, transport_sealed, transport_parallel,
    transport_shared;
