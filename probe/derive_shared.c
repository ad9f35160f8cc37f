/* derive_shared.c - what transfers share: buses, links, uplinks.
 *
 * Two transfers at once that take longer than each alone share something.  Neighbours of a subnet:
 * its wire, a bus.  Two pairs between the same two subnets (or sites): their link; two from one
 * subnet (site) to two others: its uplink.  What a bus at either end explains is not said again.
 * The capacity is what the two carried together, and not less than one has shown alone.
 */
#include "derivation.h"
#include "medium.h"

#include <math.h>

/* The last sample of one transfer alone before sample number i, of the same pair and size; itself
 * when there is none. */
static const struct sample *last_way(const struct samples *samples, int i)
{
    const struct sample *both = &samples->sample[i];
    for (int k = i - 1; k >= 0; k--) {
        const struct sample *s = &samples->sample[k];
        if (s->kind == SAMPLE_WAY && s->from == both->from && s->to == both->to &&
            s->bytes == both->bytes)
            return s;
    }
    return both;
}

static int64_t small_time(const struct derivation *d, const struct sample *s)
{
    const struct series *series = &d->pair[s->from * d->n + s->to];
    return series->count ? series->point[0].ns : INT64_MAX / 4;
}

static bool is_possible(const struct derivation *d, const struct sample *s)
{
    return s->count && s->from < d->n && s->to < d->n && s->from != s->to;
}

static double slower(const struct derivation *d, const struct samples *samples, int i)
{
    const struct sample *s = &samples->sample[i];
    return medium_slower(last_way(samples, i), s, small_time(d, s));
}

void derive_media(struct derivation *d, const struct samples *samples)
{
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind == SAMPLE_BOTH && is_possible(d, s) &&
            d->subnet_of[s->from] == d->subnet_of[s->to])
            d->medium[d->subnet_of[s->from]] = medium_judge(slower(d, samples, i));
    }
}

/* Time of the bytes alone. */
static int64_t bytes_time(const struct derivation *d, const struct sample *s)
{
    return s->best - 2 * small_time(d, s);
}

/* The least cost a byte of the ways from a host in its subnet; HN_PER_BYTE_MOST: none is known. */
static hn_per_byte near_cost(const struct derivation *d, int host)
{
    hn_per_byte least = HN_PER_BYTE_MOST;
    for (int other = 0; other < d->n; other++)
        if (derivation_is_known(d, host, other) && d->subnet_of[other] == d->subnet_of[host] &&
            d->way[host * d->n + other].per_byte < least)
            least = d->way[host * d->n + other].per_byte;
    return least;
}

/* A bus at either end that is as slow as the whole way is what transfers share on it. */
static bool bus_explains(const struct derivation *d, const struct sample *s)
{
    hn_per_byte cost = d->way[s->from * d->n + s->to].per_byte;
    return (derivation_on_bus(d, s->from) && cost < near_cost(d, s->from) / 2 * 3) ||
           (derivation_on_bus(d, s->to) && cost < near_cost(d, s->to) / 2 * 3);
}

/* Per byte, of the couple from sample number i on. */
static hn_per_byte capacity(const struct derivation *d, const struct samples *samples, int i)
{
    const struct sample *x = &samples->sample[i], *y = x + 1;
    int64_t a = bytes_time(d, x), b = bytes_time(d, y), alone = bytes_time(d, last_way(samples, i));
    int64_t half = (a > b ? a : b) / 2;
    return (half < alone ? half : alone) * 1000 / x->bytes * 1000;
}

static int unit_of(const struct derivation *d, bool by_site, int rank)
{
    return by_site ? d->site_of[d->subnet_of[rank]] : d->subnet_of[rank];
}

static void take_couple(struct derivation *d, const struct samples *samples, int i)
{
    const struct sample *x = &samples->sample[i], *y = &samples->sample[i + 1];
    double slowed = fmax(slower(d, samples, i), slower(d, samples, i + 1));
    if (medium_judge(slowed) != HN_MEDIUM_BUS || bus_explains(d, x) || bus_explains(d, y))
        return;
    hn_per_byte wire = capacity(d, samples, i);
    bool by_site = derivation_by_site(d) &&
                   d->site_of[d->subnet_of[x->from]] != d->site_of[d->subnet_of[x->to]];
    int units = by_site ? d->sites : d->subnets;
    int from = unit_of(d, by_site, x->from), to = unit_of(d, by_site, x->to);
    hn_per_byte *links = by_site ? d->trunk : d->wire;
    if (from == to || from != unit_of(d, by_site, y->from))
        return;
    if (to == unit_of(d, by_site, y->to))
        links[from * units + to] = links[to * units + from] = wire;
    else
        (by_site ? d->site_uplink : d->uplink)[from] = wire;
}

void derive_shared(struct derivation *d, const struct samples *samples)
{
    for (int i = 0; i + 1 < samples->count; i++) {
        const struct sample *x = &samples->sample[i], *y = x + 1;
        if (x->kind != SAMPLE_SHARED || y->kind != SAMPLE_SHARED)
            continue;
        if (is_possible(d, x) && is_possible(d, y))
            take_couple(d, samples, i);
        i++; /* they are a couple, whatever they say */
    }
}
