/* lane_progress.c - how far the message of a lane is (lane.h). */
#include "model/lane_progress.h"

/* Later than any time of messages that cost less than HN_COST_MOST; sums with it still fit. */
#define LATEST (INT64_MAX / 4)

hn_time lane_end(const struct lane *lane)
{
    wide rate = wide_of(lane->rate), up = wide_minus(wide_plus(lane->left, rate), wide_of(1));
    hn_time end = wide_int64(wide_plus(wide_over(up, rate), wide_of(lane->since)));
    return end < LATEST ? end : LATEST;
}

void lane_bring_up(struct lane *lane, hn_time now)
{
    lane->left = wide_minus(lane->left, wide_product(lane->rate, now - lane->since));
    if (wide_less(lane->left, wide_of(0)))
        lane->left = wide_of(0);
    lane->since = now;
}

wide lane_rest_of_window(const struct lane *lane)
{
    wide moved = wide_minus(lane->turn, lane->left), windows = wide_over(moved, lane->window);
    wide begun = wide_minus(moved, wide_times(lane->window, wide_int64(windows)));
    if (wide_equal(begun, wide_of(0)) && !wide_equal(moved, wide_of(0)))
        return begun;
    return wide_minus(lane->window, begun);
}

int64_t lane_rest(const struct lane *lane, hn_time now)
{
    wide left = wide_plus(lane->left, lane->rest);
    left = wide_minus(left, wide_product(lane->rate, now - lane->since));
    return wide_int64(wide_over(left, wide_of(LANE_UNIT)));
}
