/* copy_mode.c - measures and selects the copy mode (method: copy_mode.h). */
#include "transport/copy_mode.h"

/* Class 0 begins at COPY_MODE_LEAST, and each further one at 4 times the previous.  The last class
 * has no upper end.  Smaller values count as class 0. */
int copy_mode_class(size_t bytes)
{
    int class = 0;

    for (bytes /= 4; bytes >= COPY_MODE_LEAST && class < COPY_MODE_CLASSES - 1; bytes /= 4)
        class ++;
    return class;
}

/* The new mean.  Its value is capped, so that one message that was delayed by something else does
 * not decide alone. */
static uint64_t mean_with(uint64_t mean, uint64_t cost)
{
    if (mean == 0)
        return cost;
    cost = cost < 4 * mean ? cost : 4 * mean;
    return (3 * mean + cost) / 4;
}

/* Forgets the old mean of the other mode, which may date from another load of the machine. */
static void try_other(struct copy_mode_class *c)
{
    c->fetch = !c->fetch;
    c->trying = true;
    c->cost[c->fetch] = 0;
}

/* Keeps the mode that is being tried if it was better, and returns to the former one otherwise.  A
 * success restarts the short interval, because conditions have changed. */
static void end_measurement(struct copy_mode_class *c)
{
    bool better = c->cost[c->fetch] < c->cost[!c->fetch];

    c->fetch ^= !better;
    c->trying = false;
    c->period = better || c->period == 0           ? COPY_MODE_SOON
                : 2 * c->period < COPY_MODE_SELDOM ? 2 * c->period
                                                   : COPY_MODE_SELDOM;
    c->left = c->period;
}

/* Adds the sample to its class, and decides at the end of a run whether the other mode gets a
 * trial.  The other mode is tried when it has no mean, when its mean is lower, or when the interval
 * is over. */
void copy_mode_note(struct copy_mode *w, size_t bytes, bool fetched, uint64_t ns)
{
    struct copy_mode_class *c = &w->class[copy_mode_class(bytes)];
    bool other_known = c->cost[!fetched] != 0;

    /* The first message after a change of mode has run 0 and does not count (copy_mode.h). */
    c->run = fetched == c->last ? c->run + 1 : 0;
    c->last = fetched;
    if (c->run == 0)
        return;
    c->cost[fetched] = mean_with(c->cost[fetched], 1 + ns * 1000 / bytes);
    if (fetched != c->fetch || c->run < COPY_MODE_MEASURED)
        return; /* it was sent before the change, or overlaps with earlier messages */
    if (c->trying)
        end_measurement(c);
    else if (!other_known || c->cost[fetched] > c->cost[!fetched] || --c->left == 0)
        try_other(c);
}

/* A bit for each class: whether its messages are copied across processes. */
uint32_t copy_mode_fetches(const struct copy_mode *w)
{
    uint32_t mask = 0;

    for (int i = 0; i < COPY_MODE_CLASSES; i++)
        mask |= (uint32_t)w->class[i].fetch << i;
    return mask;
}
