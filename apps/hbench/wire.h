/* wire.h - the wires between two tasks of hnow: its messages, and plain sockets in two modes
 * (raw_tcp.h).  A benchmark does the same with each of them in one run (pingpong.h).
 *
 * WIRE_HNOW is what is measured; the other two are references on the same hosts at the same
 * time.
 */
#pragma once

#include "hnow.h"
#include "pingpong.h"

enum { WIRE_HNOW, WIRE_BLOCKING, WIRE_SPINNING, WIRES };
enum { WIRE_TAG = 1 /* of hnow's messages */ };

/* Two tasks, their connection, and their send and receive buffers. */
struct pair {
    hn_tid other;
    int raw;    /* plain socket; -1: none */
    bool spins; /* polls the socket instead of sleeping */
    /* Owned; may be NULL after pair_open() has failed. */
    char *out, *in;
};

extern const struct wire wires[WIRES];

/* Allocates buffers for messages of up to `bytes` bytes, filled with incompressible noise.  There
 * is no plain socket yet. */
bool pair_open(struct pair *p, hn_tid other, int64_t bytes);
void pair_close(struct pair *p);
