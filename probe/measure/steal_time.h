/* steal_time.h - processor time that others take from this machine.
 *
 * A virtual machine shares its processors with others.  While these are busy, it stands still
 * without knowing, and whatever is measured meanwhile is late.  Linux counts that time ("steal").
 */
#pragma once

#include <stdint.h>

/* Of all processors together, since the machine began, in ticks of the system's clock. */
struct steal_time {
    int64_t taken; /* by others */
    int64_t all;   /* 0: the system does not tell */
};

struct steal_time steal_time_now(void);
/* The share of time that others took between the two, in thousandths; 0: none, or unknown. */
int64_t steal_time_part(const struct steal_time *begin, const struct steal_time *end);
