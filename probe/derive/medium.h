/* medium.h - bus or switch: what two transfers at once say. */
#pragma once

#include "derive/sample.h"

/* How many times as long as alone a message's bytes take when others are under way: of a sample
 * together, which knows what it took alone; small: a small message's time on that way.  0: unknown,
 * as the bytes are not most of the message's time, or it failed. */
double medium_slower(const struct sample *together, int64_t small);

/* What the least such number of some tests says, for several transfers the largest of theirs:
 * twice as long where they share a wire, as long as one where they do not; unknown between the two.
 */
hn_medium medium_judge(double slower);
