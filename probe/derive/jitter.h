/* jitter.h - ways whose messages take now longer, now shorter (radio, busy lines: jitter). */
#ifndef HNOW_JITTER_H
#define HNOW_JITTER_H

#include <stdint.h>

/* What a message usually takes, of the least and the median of its times, in nanoseconds.
 *
 * ECO keeps the least, because what schedulers and other programs do to a message says nothing of
 * the network; so does this, as long as the median is longer by no more than these may do (50 us),
 * or by an eighth.  Beyond that the network itself varies: its least time is luck, and what
 * programs will meet is the median, less the hosts' part of it.  (With that part pairs of one
 * subnet, some of which are a little above the limit, would seem farther apart than they are.) */
int64_t varied_usual(int64_t least, int64_t median);

#endif
