/* medium.h - bus or switch: the evidence of two concurrent transfers. */
#pragma once

#include "derive/sample.h"

/* Returns how many times longer a message's bytes take among concurrent transfers than alone.
 * `together` also has the time alone; small is the time of a small message on that route. 0:
 * unknown, because the sample failed, or the bytes are not most of the message's time. */
double medium_slower(const struct sample *together, int64_t small);

/* Judges the least such factor of several tests; for several transfers, the largest of theirs
 * counts. Twice as long: they share a wire. As long as alone: they do not. Between the two:
 * unknown. */
hn_medium medium_judge(double slower);
