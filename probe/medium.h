/* medium.h - bus or switch: what two transfers at once say. */
#ifndef HNOW_MEDIUM_H
#define HNOW_MEDIUM_H

#include "sample.h"

/* Two transfers at once take twice as long where they share a wire, and as long as one where they
 * do not.  one: the sample of a WAY alone; two: the same with another transfer at the same time
 * (BOTH, SHARED); small: a small message's time on that way.  Unknown where the message's bytes are
 * not most of its time, or between the two. */
hn_medium medium_judge(const struct sample *one, const struct sample *two, int64_t small);

#endif
