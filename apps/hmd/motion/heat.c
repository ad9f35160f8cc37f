/* heat.c - see heat.h. */
#include "heat.h"

#include <math.h>

/* The temperature reached by heating; `last` at its end. Computed from the step number, so that a
 * restart continues where it was. */
static double heat_risen(const struct heat *h, long step)
{
    double all = h->last - h->first, done = (double)(step / h->rise_every) * h->rise;
    return fabs(done) < fabs(all) ? h->first + done : h->last;
}

/* Once heating has reached `last`, it sets no temperature any more. Equilibration's average begins
 * anew after each due step. */
static double heat_due(struct heat *h, long step)
{
    if (h->rise_every > 0 && step % h->rise_every == 0) {
        int before = step == h->rise_every || heat_risen(h, step - h->rise_every) != h->last;
        if (before)
            return heat_risen(h, step);
    }
    if (h->keep_every <= 0 || step % h->keep_every != 0)
        return -1;
    int within = h->mean >= h->last + h->low && h->mean <= h->last + h->high;
    h->seen[0] = h->seen[1] = 0;
    return h->window && within ? -1 : h->last;
}

/* Below 0: nothing is due. The mean temperature since the last change is in seen[0] / seen[1]. */
double heat_wanted(struct heat *h, long step, double now)
{
    h->seen[0] += now;
    h->seen[1]++;
    h->mean = h->seen[0] / h->seen[1];
    double want = heat_due(h, step);
    if (want >= 0)
        h->seen[0] = h->seen[1] = 0;
    return want;
}
