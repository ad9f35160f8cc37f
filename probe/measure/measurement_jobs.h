/* measurement_jobs.h - the two jobs that most parts are made of, and how many of them go at once.
 */
#pragma once

#include "measure/measurement_state.h"

/* Round trips of equal messages; messages that are answered by one byte. */
struct job measurement_ping_job(const struct measurement *m, int from, int to, int64_t bytes,
                                int64_t repeats);
struct job measurement_way_job(const struct measurement *m, int from, int to, int64_t bytes,
                               int64_t repeats);
/* How many of the first `count` pairs at m->chosen can be measured at the same time without
 * disturbing one another: found by measuring some of them alone and together.  0 < width <= count.
 */
int measurement_width(struct measurement *m, int count,
                      struct job (*make)(const struct measurement *m, int from, int to,
                                         int64_t bytes, int64_t repeats),
                      int64_t bytes);
