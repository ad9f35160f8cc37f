/* bottleneck.h - whether single connections leave ports and wires idle, for their rates or their
 * latencies, and whether they are alike; what keeps them busy. */
#pragma once

#include "model/model.h"

/* How long a message of so many bytes keeps busy what it keeps busy for longest: one of its ends,
 * or a medium under way. */
hn_time bottleneck_time(const struct model *model, int from, int to, int64_t bytes);

/* Whether somewhere two connections of a rank carry a tenth more than one, because
 * each is slower than the ports and wires on its way: where a file states no gaps, or far away,
 * where windows are small. Looked at from each rank to the next, which shows a way inside of most
 * groups, and one out of each. */
bool bottleneck_is_connection(const struct model *model);

/* Whether what a message of so many bytes keeps busy for longest, at its ends or under way, differs
 * by more than a quarter; looked at likewise. */
bool bottleneck_varies(const struct model *model, int64_t bytes);

/* Whether somewhere a message of so many bytes is under way for as long as it keeps ranks and wires
 * busy, or longer: who waits for each message before the next one leaves them idle. Looked at from
 * each rank to the next. */
bool bottleneck_is_latency(const struct model *model, int64_t bytes);
