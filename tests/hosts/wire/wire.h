/*
 * The emulated wires of one bed, without any input or output: frames and the time come in by
 * calls, frames go out by a callback. So the whole model runs under a virtual clock in tests.
 *
 * A medium joins ports. A frame that enters at a port pays, in this order,
 *   the sender's own cost   T for a message and so much for each byte, one frame at a time;
 *   the wire's time         (frame + 24 bytes of preamble, checksum and gap) / rate;
 *   the delay, and a random part of the jitter; then it may be lost;
 *   the receiver's own cost like the sender's.
 * The three kinds differ in who waits for whom:
 *   bus     one wire for all ports: one frame at a time, ports take turns (round robin);
 *   switch  each port has a wire of its own in each direction; frames are stored and forwarded;
 *   link    two ports, a wire of its own in each direction.
 * A medium knows its ports by the last two bytes of their addresses (wire_address), so nothing
 * has to be learned; group addresses go to every other port.
 *
 * Times are nanoseconds of one monotonic clock. Everything is computed from the times at which
 * frames were due, not from when the caller came around to ask, so lateness never adds up.
 * Cost: two or three heap operations a frame; memory is what waits (bounded by the queues).
 *
 * Sources: frame times IEEE 802.3; send and receive costs after Banikazemi et al. 1999, section
 * 2.1; waiting for a crowded bus after Metcalfe and Boggs 1976 (see WIRE_SLOT_BITS).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_MAX_PORTS = 4096,  /* of all media together */
    WIRE_MAX_FRAME = 9216,  /* longest frame taken, without checksum */
    WIRE_EXTRA_BYTES = 24,  /* preamble 8, checksum 4, gap 12 */
    WIRE_MIN_FRAME = 60,    /* shorter frames are padded on the wire */
    WIRE_SLOT_BITS = 512,   /* a collision costs one slot: 51.2 us at 10 Mb/s */
    WIRE_ADDRESS_BYTES = 6, /* of a hardware address */
};

#define WIRE_NEVER UINT64_MAX /* wire_next: nothing is under way */

enum wire_kind { WIRE_BUS, WIRE_SWITCH, WIRE_LINK };

struct wire_medium {
    enum wire_kind kind;
    uint64_t rate;      /* bits a second, > 0 */
    uint64_t delay_ns;  /* from sender to receiver, besides the frame's time */
    uint64_t jitter_ns; /* more delay, random up to this; the order is kept */
    uint64_t queue;     /* bytes that may wait at a port before frames are dropped */
    uint32_t loss_ppm;  /* frames lost in a million, 0 to 1000000 */
    bool collisions;    /* bus only: senders that wait at once also collide */
};

/* What a host's own work costs; it occupies the host's sending (receiving) side. */
struct wire_cost {
    uint64_t message_ns; /* each message (see cost.h) */
    uint64_t byte_ps;    /* each byte of data */
};

struct wire;

/* Called for each frame that has arrived at a port. DATA belongs to the wire. */
typedef void wire_give(void *context, int port, const uint8_t *data, size_t length);

/* A bed without media; give is called from wire_run only. NULL: out of memory. */
struct wire *wire_new(wire_give *give, void *context, uint64_t seed);
void wire_free(struct wire *w);

/* Add a medium, then its ports. Both return an index from 0, or -1: out of memory or too many
 * (a link takes two ports). */
int wire_add_medium(struct wire *w, const struct wire_medium *medium);
int wire_add_port(struct wire *w, int medium, struct wire_cost send, struct wire_cost receive);

/* The hardware address that the host at this port must use. */
void wire_address(int port, uint8_t address[WIRE_ADDRESS_BYTES]);

/* A frame leaves the host at this port. Call wire_run(now) first. The frame is copied. False: it
 * was dropped (queue full, malformed, out of memory). */
bool wire_send(struct wire *w, int port, uint64_t now, const uint8_t *data, size_t length);

/* Do everything that is due at this time or before. */
void wire_run(struct wire *w, uint64_t now);

/* When wire_run has something to do next, or WIRE_NEVER. */
uint64_t wire_next(const struct wire *w);
