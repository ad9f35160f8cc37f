/* slow_route.c - judges how fast a connection is (rules: slow_route.h). */
#include "connect/slow_route.h"

/* A rate is slow below this part of the best; so many looks in a row, half a second each, or in a
 * trial, decide.  After COMPARE_LOOKS, the other route is tried once. */
enum { SLOW_PART = 8, SLOW_LOOKS = 6, TRIAL_LOOKS = 2, COMPARE_LOOKS = 10 };

void slow_route_leave(struct slow_route *s)
{
    s->best = s->rate * SLOW_PART; /* slow is then what carries less than this one */
    s->slow = 0;
    s->compared = true;
    s->trial = !s->trial;
}

static bool is_slow(struct slow_route *s)
{
    if (s->rate > s->best)
        s->best = s->rate;
    return s->rate < s->best / SLOW_PART;
}

bool slow_route_look(struct slow_route *s, uint64_t now, const struct flight *f, bool known)
{
    uint64_t span = now - s->at, bytes = f->confirmed - s->confirmed;
    uint64_t limited = (f->limited_us - s->limited) * 1000;
    bool counts = known && !f->all && span > 0 && limited < span / 10;
    bool slow = false;

    s->at = now;
    s->confirmed = f->confirmed;
    s->limited = f->limited_us;
    if (counts) {
        s->rate = (uint64_t)((double)bytes * 1e9 / (double)span);
        slow = is_slow(s);
        s->trial = s->trial && slow;
    }
    s->slow = slow ? s->slow + 1 : 0;
    s->busy = counts ? s->busy + 1 : 0;
    return (!s->compared && s->busy >= COMPARE_LOOKS) ||
           s->slow >= (s->trial ? TRIAL_LOOKS : SLOW_LOOKS);
}
