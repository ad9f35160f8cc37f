/* clock_pair.h - what hn_clock_compare() and hn_directory_refresh() share. */
#pragma once

#include "hnow_net.h"

/* Contexts separate these messages from the program's, also while it receives with any tag. The two
 * calls never run at once in one task. */
enum { CLOCK_CONTEXT = 0x4851, DIRECTORY_CONTEXT = 0x4852 }; /* below 0x10000: reserved for hnow */

/* Adds one comparison: both clocks at the same moment, known within +-error. All in nanoseconds.
 * *clock becomes the new comparison. Its drift is computed against what it held before, and is 0
 * after the first one. */
void clock_pair_take(hn_clock *clock, int64_t here, int64_t there, int64_t error);
