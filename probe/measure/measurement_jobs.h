/* measurement_jobs.h - the two most common jobs, and how many of them may run concurrently.
 */
#pragma once

#include "measure/measurement_state.h"

/* ping: round trips of equal messages. way: messages that are answered by one byte. */
struct job measurement_ping_job(const struct measurement *m, int from, int to, int64_t bytes,
                                int64_t repeats);
struct job measurement_route_job(const struct measurement *m, int from, int to, int64_t bytes,
                                 int64_t repeats);
/* Returns how many of the first `count` pairs at m->list.chosen can be measured concurrently
 * without disturbing each other, 0 < width <= count. Measures some of them alone and together. */
int measurement_width(struct measurement *m, int count,
                      struct job (*make)(const struct measurement *m, int from, int to,
                                         int64_t bytes, int64_t repeats),
                      int64_t bytes);
