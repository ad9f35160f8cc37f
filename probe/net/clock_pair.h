/* clock_pair.h - what the comparison of two clocks and the directory's refresh have in common. */
#pragma once

#include "hnow_net.h"

enum { CLOCK_CONTEXT = 0x4851, DIRECTORY_CONTEXT = 0x4852 }; /* below 0x10000: hnow's own */

/* One more comparison: the two clocks at one moment, which is known to within error. */
void clock_pair_take(hn_clock *clock, int64_t here, int64_t there, int64_t error);
