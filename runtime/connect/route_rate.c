/* route_rate.c - evaluates the rate of a connection (rules: route_rate.h).
 *
 * All state is in struct route_rate, and time is an argument, so tests play schedules against it.
 * Floating point is used for one quotient only, whose product might exceed 64 bits.
 */
#include "connect/route_rate.h"

#include "transport/parallel.h"

/* PART: differences of less than 1/PART of a rate, in the mean of two seconds, may be chance; and a
 * route is slow below 1/PART of the best one.  The others are checks in a row, half a second each,
 * before a decision: on a slow route, on an unproven route, and before the other route is tried
 * once. */
enum { PART = 8, SLOW_LOOKS = 6, UNPROVEN_LOOKS = 2, COMPARE_LOOKS = 10 };

/* Checks until a new socket has reached its rate; checks of a measurement. */
enum { SETTLE = 2, MEASURE = 4 };

/* Measures the rate since the last check.  Returns whether the network limited it. */
static bool measure(struct route_rate *t, uint64_t now, const struct flight *f, bool known)
{
    uint64_t span = now - t->at, bytes = f->confirmed - t->confirmed;
    uint64_t limited = (f->limited_us - t->limited) * 1000;

    t->at = now;
    t->confirmed = f->confirmed;
    t->limited = f->limited_us;
    if (!known || f->all || span == 0 || limited >= span / 10)
        return false;
    t->rate = (uint64_t)((double)bytes * 1e9 / (double)span);
    return true;
}

/* Checks that do not count reset both counters: a decision needs an uninterrupted row. */
static bool is_route_slow(struct route_rate *t, bool counts)
{
    bool slow = counts && t->rate < t->best / PART;

    if (counts) {
        t->best = t->rate > t->best ? t->rate : t->best;
        t->unproven = t->unproven && slow;
    }
    t->slow = slow ? t->slow + 1 : 0;
    t->busy = counts ? t->busy + 1 : 0;
    return (!t->compared && t->busy >= COMPARE_LOOKS) ||
           t->slow >= (t->unproven ? UNPROVEN_LOOKS : SLOW_LOOKS);
}

/* Whether more sockets are worthwhile: the last addition helped, or the rate that it reached is
 * lost again.  The first seconds of a connection are its best, before CUBIC has met losses. */
static bool may_grow(const struct route_rate *t, uint64_t mean)
{
    bool helped = t->sockets.added && mean >= t->sockets.half + t->sockets.half / PART;
    bool falls = mean < t->sockets.top - t->sockets.top / PART;

    return t->sockets.wanted == 0 || (t->sockets.wanted < PARALLEL_MOST && (helped || falls));
}

/* After SETTLE checks that are ignored, the mean of the next MEASURE checks is compared.  If it
 * does not justify more sockets, the measurement continues with a longer mean. */
static bool needs_sockets(struct route_rate *t, bool counts)
{
    t->sockets.looks = counts ? t->sockets.looks + 1 : 0;
    t->sockets.sum = t->sockets.looks > SETTLE ? t->sockets.sum + t->rate : 0;
    if (t->sockets.looks < SETTLE + MEASURE)
        return false;
    uint64_t mean = t->sockets.sum / (t->sockets.looks - SETTLE);
    bool grows = may_grow(t, mean);
    t->sockets.mean = mean;
    if (mean > t->sockets.top)
        t->sockets.top = mean;
    t->sockets.looks = grows ? t->sockets.looks : 0;
    t->sockets.added &= grows;
    return grows;
}

/* More sockets are considered only on long paths with losses, where one connection cannot fill the
 * network. */
unsigned route_rate_look(struct route_rate *t, uint64_t now, const struct flight *f, bool known)
{
    bool counts = measure(t, now, f, known);
    bool lossy = f->round_trip_us >= ROUTE_RATE_LONG && f->lost > 0;

    return (is_route_slow(t, counts) ? ROUTE_RATE_LEAVE : 0) |
           (needs_sockets(t, counts && lossy) ? ROUTE_RATE_WIDEN : 0);
}

/* Called when the route is about to be left: the next one must carry more than this one did. */
void route_rate_leave(struct route_rate *t)
{
    t->best = t->rate * PART; /* from now on a route is slow if it carries less than this one */
    t->slow = 0;
    t->compared = true;
    t->unproven = !t->unproven;
}

/* The number of sockets doubles, and the present mean is what the addition is judged by. */
void route_rate_widen(struct route_rate *t)
{
    t->sockets.looks = 0;
    t->sockets.wanted = t->sockets.wanted ? 2 * t->sockets.wanted : ROUTE_RATE_FEW;
    t->sockets.half = t->sockets.mean;
    t->sockets.added = true;
}
