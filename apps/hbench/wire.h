/* wire.h - ways to move bytes between two tasks, all measured by the same loops.
 *
 * hnow's messages are one, plain sockets in two moods the others (raw_tcp.h).  What a benchmark
 * does with a wire it does with all of them in one run, so that only the wire differs.
 */
#pragma once

#include "hnow.h"
#include "peers/p2p.h"

#include <stdbool.h>
#include <stdint.h>

enum { WIRE_HNOW, WIRE_BLOCKING, WIRE_SPINNING, WIRES };

/* Two tasks, their connection, and the memory that they send from and receive into. */
struct pair {
    hn_tid other;
    int raw;    /* plain socket, -1: there is none */
    bool spins; /* its side asks the socket again and again, and does not sleep */
    char *out, *in;
};

/* Each moves `bytes` bytes, or `window` (<= P2P_WINDOW) messages of `bytes` bytes.  False: failed,
 * and said why. */
struct wire {
    const char *peer; /* how results call it; NULL: hnow itself */
    bool (*put)(struct pair *p, size_t bytes);
    bool (*take)(struct pair *p, size_t bytes);
    bool (*burst)(struct pair *p, size_t bytes, int window); /* done when all are received */
    bool (*drain)(struct pair *p, size_t bytes, int window);
};
extern const struct wire wires[WIRES];

/* Makes room for messages of up to `bytes` bytes, filled with noise that no compression shrinks.
 * There is no plain socket yet. */
bool pair_open(struct pair *p, hn_tid other, int64_t bytes);
void pair_close(struct pair *p);
