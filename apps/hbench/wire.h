/* wire.h - several transports between two tasks, measured by the same loops.
 *
 * hnow's messages are one, plain sockets in two modes the others (raw_tcp.h).  A benchmark does the
 * same with each wire in one run, so that only the wire differs.
 */
#pragma once

#include "hnow.h"
#include "peers/p2p.h"

#include <stdbool.h>
#include <stdint.h>

enum { WIRE_HNOW, WIRE_BLOCKING, WIRE_SPINNING, WIRES };

/* Two tasks, their connection, and their send and receive buffers. */
struct pair {
    hn_tid other;
    int raw;    /* plain socket; -1: none */
    bool spins; /* polls the socket instead of sleeping */
    char *out, *in;
};

/* Each transfers `bytes` bytes, or `window` (<= P2P_WINDOW) messages of `bytes` bytes.  They return
 * false after printing an error. */
struct wire {
    const char *peer; /* its name in results; NULL: hnow itself */
    bool (*put)(struct pair *p, size_t bytes);
    bool (*take)(struct pair *p, size_t bytes);
    bool (*burst)(struct pair *p, size_t bytes, int window); /* returns when all were received */
    bool (*drain)(struct pair *p, size_t bytes, int window);
};
extern const struct wire wires[WIRES];

/* Allocates buffers for messages of up to `bytes` bytes, filled with incompressible noise.  There
 * is no plain socket yet. */
bool pair_open(struct pair *p, hn_tid other, int64_t bytes);
void pair_close(struct pair *p);
