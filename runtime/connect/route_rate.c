/* route_rate.c - judges how fast a connection is (rules: route_rate.h). */
#include "connect/route_rate.h"

#include "transport/parallel.h"

/* Less than this part of a rate, in two seconds' mean, may be chance. A route is slow below this
 * part of the best one; so many looks in a row, half a second each, or on an unproven route,
 * decide.  After COMPARE_LOOKS, the other route is tried once. */
enum { PART = 8, SLOW_LOOKS = 6, UNPROVEN_LOOKS = 2, COMPARE_LOOKS = 10 };

/* Looks until a new socket has found its rate, and of a measurement. */
enum { SETTLE = 2, MEASURE = 4 };

/* Measures the rate since the last look; whether the network was what limited it. */
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

/* Whether the last addition helped, or what was reached then is lost again: the first seconds of a
 * connection are its best ones, before CUBIC has met losses. */
static bool may_grow(const struct route_rate *t, uint64_t mean)
{
    bool helped = t->sockets.added && mean >= t->sockets.half + t->sockets.half / PART;
    bool falls = mean < t->sockets.top - t->sockets.top / PART;

    return t->sockets.wanted == 0 || (t->sockets.wanted < PARALLEL_MOST && (helped || falls));
}

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

unsigned route_rate_look(struct route_rate *t, uint64_t now, const struct flight *f, bool known)
{
    bool counts = measure(t, now, f, known);
    bool lossy = f->round_trip_us >= ROUTE_RATE_LONG && f->lost > 0;

    return (is_route_slow(t, counts) ? ROUTE_RATE_LEAVE : 0) |
           (needs_sockets(t, counts && lossy) ? ROUTE_RATE_WIDEN : 0);
}

void route_rate_leave(struct route_rate *t)
{
    t->best = t->rate * PART; /* slow is then what carries less than this one */
    t->slow = 0;
    t->compared = true;
    t->unproven = !t->unproven;
}

void route_rate_widen(struct route_rate *t)
{
    t->sockets.looks = 0;
    t->sockets.wanted = t->sockets.wanted ? 2 * t->sockets.wanted : ROUTE_RATE_FEW;
    t->sockets.half = t->sockets.mean;
    t->sockets.added = true;
}
