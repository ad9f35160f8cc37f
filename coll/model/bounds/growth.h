/* growth.h - the least time that bytes add to the travel time of messages, however they are cut.
 *
 * A route may have another rate for the first bytes of a message (hn_pair_cost). If these are more
 * expensive, one message is the cheapest. If they are cheaper (a token bucket), many short messages
 * of first bytes only are.
 */
#pragma once

#include "model/model.h"

#include "probe/internal.h"

static inline hn_time growth_least(const struct model *model, int from, int to, int64_t bytes)
{
    hn_time whole =
        model_cost(model, from, to, bytes).travel - model_cost(model, from, to, 0).travel;
    if (!model_net(model))
        return whole;
    hn_pair_cost pair = model_pair(model, from, to);
    hn_time cut = wide_ratio(bytes, pair.first_per_byte, 1000);
    return pair.first_bytes > 0 && cut < whole ? cut : whole;
}

/* The same for the time for which a connection is occupied (media.h). The next message need not
 * wait for the extra time of expensive first bytes. */
static inline hn_time growth_connection(const struct model *model, int from, int to, int64_t bytes)
{
    hn_time least = growth_least(model, from, to, bytes);
    if (!model_net(model))
        return least;
    hn_time later = wide_ratio(bytes, model_pair(model, from, to).per_byte, 1000);
    return later < least ? later : least;
}
