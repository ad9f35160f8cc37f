/* way.c - means, choices and trials of the two ways (method: way.h). */
#include "transport/way.h"

int way_class(size_t bytes)
{
    int class = 0;

    for (bytes /= 4; bytes >= WAY_LEAST && class < WAY_CLASSES - 1; bytes /= 4)
        class ++;
    return class;
}

/* One message that was held up by something else shall not decide alone. */
static uint64_t mean_with(uint64_t mean, uint64_t cost)
{
    if (mean == 0)
        return cost;
    cost = cost < 4 * mean ? cost : 4 * mean;
    return (3 * mean + cost) / 4;
}

static void try_other(struct way_class *c)
{
    c->fetch = !c->fetch;
    c->trying = true;
    c->cost[c->fetch] = 0;
}

static void end_trial(struct way_class *c)
{
    bool better = c->cost[c->fetch] < c->cost[!c->fetch];

    c->fetch ^= !better;
    c->trying = false;
    c->period = better || c->period == 0     ? WAY_SOON
                : 2 * c->period < WAY_SELDOM ? 2 * c->period
                                             : WAY_SELDOM;
    c->left = c->period;
}

void way_note(struct way *w, size_t bytes, bool fetched, uint64_t ns)
{
    struct way_class *c = &w->class[way_class(bytes)];
    bool other_known = c->cost[!fetched] != 0;

    c->run = fetched == c->last ? c->run + 1 : 0;
    c->last = fetched;
    if (c->run == 0)
        return;
    c->cost[fetched] = mean_with(c->cost[fetched], 1 + ns * 1000 / bytes);
    if (fetched != c->fetch || c->run < WAY_TRIAL)
        return; /* that one was on its way before; or it is too early to say anything */
    if (c->trying)
        end_trial(c);
    else if (!other_known || c->cost[fetched] > c->cost[!fetched] || --c->left == 0)
        try_other(c);
}

uint32_t way_fetch(const struct way *w)
{
    uint32_t mask = 0;

    for (int i = 0; i < WAY_CLASSES; i++)
        mask |= (uint32_t)w->class[i].fetch << i;
    return mask;
}
