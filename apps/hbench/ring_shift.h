/* ring_shift.h - what load balancing on a ring costs: every task sends to its right neighbour and
 * receives from its left one, with the ring laid along the network or in random order (ECO, section
 * 6.2: Dome's load balancing).
 */
#pragma once

#include "common_clock.h"
#include "samples.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranks in the order of the ring that hn_topology_ring() lays along the network (ECO, Figure 3c).
 * Called by all tasks; ring: room for hn_size().  False: failed, and said why. */
bool ring_along(int32_t *ring);
/* ... in random order; by one task alone. */
bool ring_random(int32_t *ring, uint64_t *seed);

/* Task 0, while all others are in ring_shift_follow(): `count` samples of one shift of so many
 * bytes from an agreed moment until the last task has received. */
bool ring_shift_lead(const int32_t *ring, int64_t bytes, int64_t count, struct common_clock *clock,
                     struct samples *samples);
bool ring_shift_follow(int64_t bytes);
