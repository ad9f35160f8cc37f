/* bottleneck.h - what limits a message between two ranks: an end, a medium, the single connection,
 * or latency.
 */
#pragma once

#include "model/model.h"

/* The time for which a message occupies its most occupied resource: one of its ends, or a medium on
 * its route. */
hn_time bottleneck_time(const struct model *model, int from, int to, int64_t bytes);

/* Whether, for some pair of ranks, two connections would carry at least a tenth more than one. Then
 * the connection is slower than the ports and media on its route: the file states no gaps, or the
 * route is long and windows are small. Only neighbouring ranks are compared. In most groups these
 * include a route inside each subnet and one out of it. */
bool bottleneck_is_connection(const struct model *model);

/* Whether bottleneck_time() of a message differs by more than a quarter between pairs of
 * neighbouring ranks. */
bool bottleneck_varies(const struct model *model, int64_t bytes);

/* Whether, for some pair of neighbouring ranks, a message travels for at least as long as it
 * occupies ranks and media. Then a rank that waits for each message before it sends the next one
 * leaves them idle. */
bool bottleneck_is_latency(const struct model *model, int64_t bytes);
