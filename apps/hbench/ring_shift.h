/* ring_shift.h - the cost of load balancing on a ring: every task sends to its right neighbour and
 * receives from its left one.
 *
 * The ring follows the network or is random (ECO, section 6.2: Dome's load balancing).
 *
 * A ring is a list of all ranks, each once; neighbours in the list are neighbours on the ring.
 */
#pragma once

#include "common_clock.h"
#include "samples.h"

#include <stdbool.h>
#include <stdint.h>

/* Stores ranks in the order of the ring that hn_topology_ring() maps to the network (ECO, Figure
 * 3c).  Called by all tasks; ring: room for hn_size().  Returns false after printing an error. */
bool ring_along(int32_t *ring);
/* The same in random order; called by one task. */
bool ring_random(int32_t *ring, uint64_t *seed);

/* Task 0 takes `count` samples while all others are in ring_shift_follow().  A sample is one shift
 * of so many bytes, from an agreed time until the last task has received. */
bool ring_shift_lead(int32_t *ring, int64_t bytes, int64_t count, const struct common_clock *clock,
                     struct samples *samples);
bool ring_shift_follow(int64_t bytes);
