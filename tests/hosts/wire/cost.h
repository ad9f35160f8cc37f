/*
 * How much of a frame is a program's message: what a host's send= and recv= costs are charged for.
 *
 * A TCP segment carries data bytes; the one that ends a write of the program has the PSH flag, so
 * it stands for the message. Acknowledgements, address resolution and connection set-up are free:
 * the costs of Banikazemi's Table 1 are those of messages, not of frames. Datagrams and pings are
 * one message each, also when IP has cut them into fragments: all of these carry data, the last
 * one stands for the message. A write longer than half the window gets a few more PSH flags from
 * Linux, and small writes that TCP merges count once: both are far below the per-byte cost of such
 * traffic.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cost_content {
    size_t bytes;      /* of data, without headers */
    bool ends_message; /* the last frame of a message */
};

/* Look into an Ethernet frame (IPv4 or IPv6). Anything malformed or unknown counts as empty. */
struct cost_content cost_of_frame(const uint8_t *frame, size_t length);
