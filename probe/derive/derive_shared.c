/* derive_shared.c - what transfers share: buses, links, uplinks, lines.
 *
 * Two transfers at once that take longer than each alone share something.  Neighbours of a subnet:
 * its wire, a bus.  Two pairs between the same two subnets (or sites): their link; two others: the
 * line that both cross, as the distances tell (bisections.h), or, where they do not, the uplink of
 * the subnet (site) from which both come.  What a bus at either end explains is not said again. The
 * capacity is what the two carried together, and not less than one has shown alone.
 */
#include "derive_trial.h"
#include "base/error.h"
#include "medium.h"
#include "derive/derive_contention.h"

#include <math.h>
#include <stdlib.h>

void derive_media(struct derivation *d, const struct samples *samples)
{
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind == SAMPLE_BOTH && trial_is_possible(d, s) &&
            d->subnet_of[s->from] == d->subnet_of[s->to])
            d->medium[d->subnet_of[s->from]] = medium_judge(trial_slower(d, samples, i));
    }
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

/* A bus that is as slow as the whole way is what transfers share on it, if both begin, or end,
 * there. */
static bool bus_explains(const struct derivation *d, const struct sample *s, bool same_from,
                         bool same_to)
{
    hn_per_byte cost = d->way[s->from * d->n + s->to].per_byte;
    return (same_from && derivation_on_bus(d, s->from) && cost < near_cost(d, s->from) / 2 * 3) ||
           (same_to && derivation_on_bus(d, s->to) && cost < near_cost(d, s->to) / 2 * 3);
}

/* How much later the second way's bytes come to what both share; negative: earlier. */
static int64_t later(const struct derivation *d, const struct sample *x, const struct sample *y)
{
    int64_t there = y->from == x->to ? INT64_MAX : derivation_small_time(d, y->from, x->to);
    return there < INT64_MAX / 4 ? there - trial_small_time(d, x) : 0;
}

/* Per byte, of the couple from sample number i on: its bytes pass what both share from when the
 * first way's begin to come until the last of the other one's has. */
static hn_per_byte capacity(const struct derivation *d, const struct samples *samples, int i)
{
    const struct sample *x = &samples->sample[i], *y = x + 1;
    int64_t a = trial_bytes_time(d, x), b = trial_bytes_time(d, y),
            alone = trial_bytes_time(d, trial_last_way(samples, i));
    int64_t after = later(d, x, y);
    int64_t half = ((a > b + after ? a : b + after) - (after < 0 ? after : 0)) / 2;
    return (half < alone ? half : alone) * 1000 / x->bytes * 1000;
}

/* ---- couples ------------------------------------------------------------------------------ */

/* The units that ways may have a line in common, as their distances tell: the subnets of one site,
 * or of a network without sites, or its sites. */
struct family {
    bool by_site;
    int site;     /* whose subnets; -1: all */
    int *unit_of; /* [rank] */
    bool known;   /* the tree is theirs */
    struct bisections tree;
};

/* The family of a way between two hosts. */
static void find_family(const struct derivation *d, int from, int to, struct family *family)
{
    int site = derivation_by_site(d) ? d->site_of[d->subnet_of[from]] : -1;
    bool by_site = site >= 0 && site != d->site_of[d->subnet_of[to]];
    site = by_site ? -1 : site;
    if (family->known && family->by_site == by_site && family->site == site)
        return;
    family->by_site = by_site;
    family->site = site;
    family->known = true;
    for (int i = 0; i < d->n; i++)
        family->unit_of[i] =
            site < 0 || d->site_of[d->subnet_of[i]] == site ? derivation_unit(d, by_site, i) : -1;
    bisections_of_hosts(&family->tree, d->n, d->matrix, family->unit_of);
}

/* The units on one side of a split. */
static int list_units(const struct bisections *tree, const struct bisection *split, bool far,
                      int *unit)
{
    int count = 0;
    for (int i = 0; i < tree->units; i++)
        if ((split->far >> i & 1) == far)
            unit[count++] = tree->unit[i];
    return count;
}

static int add_line(struct derivation *d, const struct family *family,
                    const struct bisection *split, hn_per_byte wire)
{
    struct derivation_line line = {.by_site = family->by_site, .wire = wire};
    for (int far = 0; far < 2; far++)
        line.count[far] = list_units(&family->tree, split, far, line.unit[far]);
    return derivation_add_line(d, &line);
}

/* Two ways of which one is not between the same units as the other share a line: the only one that
 * both cross, if the distances tell of one.  If they tell of none, and the ways begin in one unit,
 * that is its uplink. */
static int take_line(struct derivation *d, const struct family *family, const int from[2],
                     const int to[2], hn_per_byte wire)
{
    const struct bisections *tree = &family->tree;
    hn_per_byte *uplink = family->by_site ? d->site_uplink : d->uplink;
    int a[2], b[2], which = 0, shared = 0, single = from[0] == from[1] ? from[0] : -1;
    for (int k = 0; k < 2; k++) {
        a[k] = bisections_place(tree, from[k]);
        b[k] = bisections_place(tree, to[k]);
    }
    if (tree->units > 0)
        shared = bisections_shared(tree, a, b, &which);
    if (shared == 1) {
        int place = bisections_single(tree, &tree->split[which]);
        if (place < 0)
            return add_line(d, family, &tree->split[which], wire);
        single = tree->unit[place];
    }
    if (single >= 0)
        uplink[single] = wire;
    return HN_OK;
}

static int take_couple(struct derivation *d, const struct samples *samples, int i,
                       struct family *family)
{
    const struct sample *x = &samples->sample[i], *y = &samples->sample[i + 1];
    double slowed = fmax(trial_slower(d, samples, i), trial_slower(d, samples, i + 1));
    if (medium_judge(slowed) != HN_MEDIUM_BUS)
        return HN_OK;
    find_family(d, x->from, x->to, family);
    hn_per_byte wire = capacity(d, samples, i);
    bool by_site = family->by_site;
    int units = by_site ? d->sites : d->subnets;
    int from[2] = {derivation_unit(d, by_site, x->from), derivation_unit(d, by_site, y->from)};
    int to[2] = {derivation_unit(d, by_site, x->to), derivation_unit(d, by_site, y->to)};
    hn_per_byte *links = by_site ? d->trunk : d->wire;
    bool same_from = from[0] == from[1], same_to = to[0] == to[1];
    if (from[0] == to[0] || from[1] == to[1] || bus_explains(d, x, same_from, same_to) ||
        bus_explains(d, y, same_from, same_to))
        return HN_OK;
    if (!same_from || !same_to)
        return take_line(d, family, from, to, wire);
    links[from[0] * units + to[0]] = links[to[0] * units + from[0]] = wire;
    return HN_OK;
}

int derive_shared(struct derivation *d, const struct samples *samples)
{
    struct family family = {.unit_of = malloc((size_t)d->n * sizeof *family.unit_of)};
    int code = HN_OK;
    if (!family.unit_of)
        return error_set(HN_ENOMEM, "no memory for the lines of %d hosts", d->n);
    for (int i = 0; i + 1 < samples->count && code == HN_OK; i++) {
        const struct sample *x = &samples->sample[i], *y = x + 1;
        if (x->kind != SAMPLE_SHARED || y->kind != SAMPLE_SHARED)
            continue;
        if (trial_is_possible(d, x) && trial_is_possible(d, y))
            code = take_couple(d, samples, i, &family);
        i++; /* they are a couple, whatever they say */
    }
    free(family.unit_of);
    return code;
}
