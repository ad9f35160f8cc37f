/* heat.c - see heat.h. */
#include "heat.h"

#include <math.h>

/* The temperature reached by heating; `last` at its end. */
static double heat_risen(const struct heat *h, long step)
{
    double all = h->last - h->first, done = (double)(step / h->rise_every) * h->rise;
    return fabs(done) < fabs(all) ? h->first + done : h->last;
}

double heat_wanted(const struct heat *h, long step, double now)
{
    if (h->rise_every > 0 && step % h->rise_every == 0) {
        int before = step == h->rise_every || heat_risen(h, step - h->rise_every) != h->last;
        if (before)
            return heat_risen(h, step);
    }
    if (h->keep_every <= 0 || step % h->keep_every != 0)
        return -1;
    int within = now >= h->last + h->low && now <= h->last + h->high;
    return h->window && within ? -1 : h->last;
}
