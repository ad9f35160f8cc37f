/* derive_uplinks.c - uplinks that only several transfers fill.
 *
 * Samples of one kind that follow each other were taken at the same time: transfers out of a unit
 * (a subnet, or a site) to others.  If they took longer than each alone, and not as much longer as
 * transfers within the subnets did at the same time, they share the unit's uplink.  Its capacity is
 * what they carried together, and not less than one has shown alone.
 */
#include "derive/derive_contention.h"
#include "derive/medium.h"

#include <math.h>

/* Samples of one kind, from number `first` on. */
struct run {
    int first, count;
};

/* Whether a transfer is between sites, where these are a level of their own. */
static bool is_by_site(const struct derivation *d, const struct sample *s)
{
    return derivation_by_site(d) &&
           derivation_unit(d, true, s->from) != derivation_unit(d, true, s->to);
}

/* Transfers out of one unit have another one's behind them. */
static bool belongs(const struct derivation *d, const struct sample *first, const struct sample *s)
{
    bool by_site = is_by_site(d, first);
    return s->kind == first->kind && trial_is_possible(d, s) &&
           (s->kind != SAMPLE_OUTFLOW ||
            derivation_unit(d, by_site, s->from) == derivation_unit(d, by_site, first->from));
}

static struct run run_of(const struct derivation *d, const struct samples *samples, int first,
                         enum sample_kind kind)
{
    const struct sample *s = &samples->sample[first];
    struct run run = {.first = first};
    while (first + run.count < samples->count && s->kind == kind && belongs(d, s, s + run.count))
        run.count++;
    return run;
}

/* How much slower than alone the slowest of them was, at least 1. */
static double slowest(const struct derivation *d, const struct samples *samples, struct run run)
{
    double slowest = 1;
    for (int i = 0; i < run.count; i++)
        slowest = fmax(slowest, trial_slower(d, samples, run.first + i));
    return slowest;
}

/* Per byte. */
static hn_per_byte capacity(const struct derivation *d, const struct samples *samples,
                            struct run run)
{
    int64_t last = 0, alone = 0;
    for (int i = run.first; i < run.first + run.count; i++) {
        int64_t together = trial_bytes_time(d, &samples->sample[i]),
                single = trial_bytes_time(d, trial_last_way(samples, i));
        last = together > last ? together : last;
        alone = single > alone ? single : alone;
    }
    int64_t share = last / run.count;
    return (share < alone ? share : alone) * 1000 / samples->sample[run.first].bytes * 1000;
}

/* Of the unit that they leave, as far as nothing is known of it.  NULL: one stays inside, or it is
 * known. */
static hn_per_byte *uplink_of(struct derivation *d, const struct samples *samples, struct run run)
{
    const struct sample *first = &samples->sample[run.first];
    bool by_site = is_by_site(d, first);
    int unit = derivation_unit(d, by_site, first->from);
    for (int i = 0; i < run.count; i++)
        if (derivation_unit(d, by_site, first[i].to) == unit)
            return NULL;
    hn_per_byte *uplink = by_site ? &d->site_uplink[unit] : &d->uplink[unit];
    return *uplink ? NULL : uplink;
}

/* The transfers within, if there are any: behind each of them alone. */
static struct run within_of(const struct derivation *d, const struct samples *samples, int next)
{
    while (next < samples->count && samples->sample[next].kind == SAMPLE_WAY)
        next++;
    return next < samples->count ? run_of(d, samples, next, SAMPLE_WITHIN) : (struct run){0};
}

void derive_uplinks(struct derivation *d, const struct samples *samples)
{
    for (int i = 0; i < samples->count; i++) {
        struct run out = run_of(d, samples, i, SAMPLE_OUTFLOW);
        if (!out.count)
            continue;
        struct run within = within_of(d, samples, i + out.count);
        hn_per_byte *uplink = uplink_of(d, samples, out);
        double slower = slowest(d, samples, out) / slowest(d, samples, within);
        if (uplink && medium_judge(slower) == HN_MEDIUM_BUS)
            *uplink = capacity(d, samples, out);
        i += out.count - 1;
    }
}
