/* growth.h - the least that bytes add to the time that messages spend under way, into however many
 * messages they are cut.
 *
 * A way may have another rate for the first bytes of a message (hn_pair_cost). Where these are
 * dearer, one message is the cheapest; where they are cheaper (a token bucket), many short ones
 * are, each of first bytes only.
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

/* The same for the time that a connection is busy (media.h): the next message need not wait for
 * what dearer first bytes cost more. */
static inline hn_time growth_connection(const struct model *model, int from, int to, int64_t bytes)
{
    hn_time least = growth_least(model, from, to, bytes);
    if (!model_net(model))
        return least;
    hn_time later = wide_ratio(bytes, model_pair(model, from, to).per_byte, 1000);
    return later < least ? later : least;
}
