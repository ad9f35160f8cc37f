/* streams.c - measures whether more connections carry more (rules: streams.h). */
#include "connect/streams.h"

#include "transport/parallel.h"

/* Looks, half a second each: until a new socket has found its rate, and of a measurement. */
enum { SETTLE = 2, MEASURE = 4 };

/* A rate grows or falls by this part of it at least; of two seconds' mean, less may be chance. */
enum { PART = 8 };

static bool counts(const struct flight *f)
{
    return !f->all && f->round_trip_us >= STREAMS_LONG && f->lost > 0;
}

/* Whether the last addition helped, or what was reached then is lost again: the first seconds of a
 * connection are its best ones, before CUBIC has met losses. */
static bool may_grow(const struct streams *s)
{
    bool helped = s->added && s->rate >= s->before + s->before / PART;
    bool falls = s->rate < s->best - s->best / PART;

    return s->wanted < PARALLEL_MOST && (helped || falls);
}

bool streams_look(struct streams *s, uint64_t now, const struct flight *f, bool known)
{
    s->looks = known && counts(f) ? s->looks + 1 : 0;
    if (s->looks <= SETTLE) {
        s->since = now;
        s->confirmed = f->confirmed;
    }
    if (s->looks < SETTLE + MEASURE)
        return false;
    uint64_t bytes = f->confirmed - s->confirmed;
    s->rate = (uint64_t)((double)bytes * 1e9 / (double)(now - s->since));
    bool grows = s->wanted == 0 || may_grow(s);
    if (s->rate > s->best)
        s->best = s->rate;
    if (!grows) {
        s->looks = 0;
        s->added = false;
    }
    return grows;
}

void streams_add(struct streams *s)
{
    s->looks = 0;
    s->wanted = s->wanted ? 2 * s->wanted : STREAMS_FEW;
    s->before = s->rate;
    s->added = true;
}
