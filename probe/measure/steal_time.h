/* steal_time.h - processor time that other virtual machines take from this one.
 *
 * A virtual machine shares its processors.  While others use them, it is stopped without notice,
 * and measured times are too long.  Linux counts that time as "steal".
 */
#pragma once

#include <stdint.h>

/* Of all processors together since boot, in clock ticks. */
struct steal_time {
    int64_t taken; /* by others */
    int64_t all;   /* 0: not available */
};

/* Reads /proc/stat. */
struct steal_time steal_time_now(void);
/* The fraction of time taken by others between two readings, in thousandths; 0: none, or
 * unknown. */
int64_t steal_time_part(const struct steal_time *begin, const struct steal_time *end);
