/* stream_progress.c - the progress of a stream's first message (stream_progress.h). */
#include "model/stream_progress.h"

/* Later than any time of messages that cost less than HN_COST_MOST. Sums with it do not
 * overflow. */
#define LATEST (INT64_MAX / 4)

/* Rounded up, so that the message is complete at that time. */
hn_time stream_end(const struct stream *stream)
{
    wide rate = wide_of(stream->rate), up = wide_minus(wide_plus(stream->left, rate), wide_of(1));
    hn_time end = wide_int64(wide_plus(wide_over(up, rate), wide_of(stream->since)));
    return end < LATEST ? end : LATEST;
}

void stream_advance(struct stream *stream, hn_time now)
{
    stream->left = wide_minus(stream->left, wide_product(stream->rate, now - stream->since));
    if (wide_less(stream->left, wide_of(0)))
        stream->left = wide_of(0);
    stream->since = now;
}

/* Windows count from the begin of the slice.  At a boundary other than that begin nothing is left.
 */
wide stream_window_rest(const struct stream *stream)
{
    wide moved = wide_minus(stream->slice, stream->left), whole = wide_over(moved, stream->window);
    wide begun = wide_minus(moved, wide_times(stream->window, wide_int64(whole)));
    if (wide_equal(begun, wide_of(0)) && !wide_equal(moved, wide_of(0)))
        return begun;
    return wide_minus(stream->window, begun);
}

int64_t stream_rest(const struct stream *stream, hn_time now)
{
    wide left = wide_plus(stream->left, stream->rest);
    left = wide_minus(left, wide_product(stream->rate, now - stream->since));
    return wide_int64(wide_over(left, wide_of(STREAM_UNIT)));
}
