/* pingpong.c - the loops of two tasks (pingpong.h).  The first one takes all times, so no clocks
 * are compared. */
#include "pingpong.h"

#include "clock.h"

/* Adding a sample allocates nothing: the caller has reserved room for `count`. */
bool pingpong_lead(const struct wire *w, struct pair *p, const struct pingpong *c,
                   struct samples *samples)
{
    double messages = c->latency ? 2 : c->window;

    /* The first `warm` samples open the connection and fill the caches; they are taken, but
     * dropped. */
    for (int64_t i = 0; i < c->warm + c->count; i++) {
        int64_t start = clock_now();
        if (!(c->latency ? w->put(p, c->bytes) && w->take(p, c->bytes)
                         : w->burst(p, c->bytes, c->window)))
            return false;
        if (i >= c->warm)
            samples_add(samples, clock_since(start) / messages);
    }
    return true;
}

/* The same number of turns, with the two directions exchanged. No time is taken here. */
bool pingpong_follow(const struct wire *w, struct pair *p, const struct pingpong *c)
{
    for (int64_t i = 0; i < c->warm + c->count; i++)
        if (!(c->latency ? w->take(p, c->bytes) && w->put(p, c->bytes)
                         : w->drain(p, c->bytes, c->window)))
            return false;
    return true;
}
