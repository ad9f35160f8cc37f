/* derive_shared.c - what transfers share: buses, links, uplinks, lines.
 *
 * Concurrent transfers that take longer than each alone share something, and their samples name the
 * candidate.  Two hosts that send to each other: the wire of their subnet, a bus.  Two pairs
 * between the same two subnets (or sites): their link.  Transfers out of, or into, one subnet: its
 * uplink.  Two transfers that cross only one common line, according to the distances
 * (bisections.h): that line.  Cases that a bus at either end explains have not been tried
 * (contention_pairs.h).  The capacity is what the transfers carried together, and at least what one
 * has reached alone.
 */
#include "derive/derivation.h"
#include "derive/medium.h"

#include <math.h>
#include <stdlib.h>

/* Concurrent transfers: consecutive samples. */
struct test {
    const struct sample *sample;
    int count;
};

/* True if the sample was measured between two different hosts. */
static bool is_possible(const struct derivation *d, const struct sample *s)
{
    return s->count && s->from < d->n && s->to < d->n && s->from != s->to;
}

/* The test that begins with sample number i. */
static struct test test_at(const struct samples *samples, int i)
{
    struct test test = {&samples->sample[i], 1};
    const struct sample *first = test.sample;
    while (i + test.count < samples->count && first[test.count].kind == SAMPLE_TOGETHER &&
           first[test.count].test == first->test && first[test.count].about == first->about)
        test.count++;
    return test;
}

/* The factor by which a transfer was slower than alone; 0: unknown. */
static double slower(const struct derivation *d, const struct sample *s)
{
    return medium_slower(s, derivation_small_time(d, s->from, s->to));
}

/* The largest slow-down of all transfers; 0: unknown. */
static double slowest(const struct derivation *d, struct test test)
{
    double slowest = 0;
    for (int i = 0; i < test.count; i++)
        slowest = fmax(slowest, slower(d, &test.sample[i]));
    return slowest;
}

int derive_media(struct derivation *d)
{
    const struct samples *samples = d->input.samples;
    derive_previous_media(d);
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind == SAMPLE_TOGETHER && s->about == ABOUT_BUS && is_possible(d, s) &&
            d->subnet_of[s->from] == d->subnet_of[s->to])
            d->medium[d->subnet_of[s->from]] = medium_judge(slower(d, s));
    }
    return HN_OK;
}

/* ---- capacity ----------------------------------------------------------------------------- */

/* The time of the bytes only, of a transfer that took ns.  Latencies do not compete: what passes a
 * shared wire is only the bytes.  So the time of a small message is subtracted, once for each
 * direction: the sample includes the answer. */
static int64_t bytes_time(const struct derivation *d, const struct sample *s, int64_t ns)
{
    return ns - 2 * derivation_small_time(d, s->from, s->to);
}

/* Time per byte: all bytes have passed what they share when the last ones have. */
static hn_per_byte capacity(const struct derivation *d, struct test test)
{
    const struct sample *first = test.sample;
    /* Of a transfer alone the same time is subtracted, so both are comparable. */
    int64_t end = 0, alone = INT64_MAX;
    for (int i = 0; i < test.count; i++) {
        const struct sample *s = &first[i];
        int64_t together = bytes_time(d, s, s->best), single = bytes_time(d, s, s->alone);
        end = together > end ? together : end;
        alone = single < alone ? single : alone;
    }
    /* The wire is at least as fast as the fastest transfer was alone.  Concurrent transfers are
     * often less efficient, and a busy machine delays them. */
    int64_t share = end / test.count;
    return (share < alone ? share : alone) * 1000 / first->bytes * 1000;
}

/* ---- links, uplinks, lines ---------------------------------------------------------------- */

/* The units whose routes may have a line in common: the subnets of one site, all subnets of a
 * network without sites, or the sites. */
struct family {
    bool by_site;
    int site;     /* whose subnets these are; -1: all */
    int *unit_of; /* [rank] */
    bool known;   /* the tree below is theirs */
    struct bisections tree;
};

/* Finds the family of a route between two hosts. */
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

/* Lists the units on one side of a split. */
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

/* The units between which all transfers of a test were; -1: several. */
struct ends {
    int from, to;
};

static struct ends ends_of(const struct derivation *d, struct test test, bool by_site)
{
    struct ends ends = {-1, -1};
    for (int i = 0; i < test.count; i++) {
        int from = derivation_unit(d, by_site, test.sample[i].from);
        int to = derivation_unit(d, by_site, test.sample[i].to);
        ends.from = i == 0 || ends.from == from ? from : -1;
        ends.to = i == 0 || ends.to == to ? to : -1;
    }
    return ends;
}

/* True if all transfers go from one unit to another. */
static bool are_across(const struct derivation *d, struct test test, bool by_site)
{
    for (int i = 0; i < test.count; i++) {
        const struct sample *s = &test.sample[i];
        if (!is_possible(d, s) ||
            derivation_unit(d, by_site, s->from) == derivation_unit(d, by_site, s->to))
            return false;
    }
    return true;
}

static void take_link(struct derivation *d, bool by_site, struct ends ends, hn_per_byte wire)
{
    int units = by_site ? d->sites : d->subnets;
    hn_per_byte *links = by_site ? d->trunk : d->wire;
    if (ends.from >= 0 && ends.to >= 0)
        links[ends.from * units + ends.to] = links[ends.to * units + ends.from] = wire;
}

/* The unit that all transfers have in common: the one they leave, or the one they enter. */
static void take_uplink(struct derivation *d, bool by_site, struct ends ends, hn_per_byte wire)
{
    int unit = ends.from >= 0 ? ends.from : ends.to;
    if (unit >= 0)
        (by_site ? d->site_uplink : d->uplink)[unit] = wire;
}

/* Records the only line that both transfers cross.  If one unit is alone at one of its ends, it is
 * that unit's uplink. */
static int take_line(struct derivation *d, const struct family *family, struct test test,
                     hn_per_byte wire)
{
    const struct bisections *tree = &family->tree;
    int a[2], b[2], which = 0;
    for (int k = 0; k < 2; k++) {
        const struct sample *s = &test.sample[k];
        a[k] = bisections_place(tree, derivation_unit(d, family->by_site, s->from));
        b[k] = bisections_place(tree, derivation_unit(d, family->by_site, s->to));
    }
    if (test.count != 2 || tree->units == 0 || bisections_shared(tree, a, b, &which) != 1)
        return HN_OK;
    int place = bisections_single(tree, &tree->split[which]);
    if (place < 0)
        return add_line(d, family, &tree->split[which], wire);
    take_uplink(d, family->by_site, (struct ends){tree->unit[place], -1}, wire);
    return HN_OK;
}

/* Reads one test: what its transfers share, if they do. HN_OK or HN_ENOMEM. */
static int read_test(struct derivation *d, struct test test, struct family *family)
{
    const struct sample *first = test.sample;
    if (!is_possible(d, first))
        return HN_OK;
    find_family(d, first->from, first->to, family);
    bool by_site = family->by_site;
    struct ends ends = ends_of(d, test, by_site);
    /* Transfers that were as fast as alone share nothing. */
    if (medium_judge(slowest(d, test)) != HN_MEDIUM_BUS || !are_across(d, test, by_site))
        return HN_OK;
    hn_per_byte wire = capacity(d, test);
    if (wire <= 0) /* the small messages were disturbed, and seem to take longer than the large */
        return HN_OK;
    if (first->about == ABOUT_LINE)
        return take_line(d, family, test, wire);
    if (first->about == ABOUT_LINK)
        take_link(d, by_site, ends, wire);
    else
        take_uplink(d, by_site, ends, wire);
    return HN_OK;
}

/* Values of the previous file come first, and are replaced by what was measured now. */
int derive_shared(struct derivation *d)
{
    const struct samples *samples = d->input.samples;
    struct family family = {.unit_of = malloc((size_t)d->n * sizeof *family.unit_of)};
    int code = family.unit_of ? derive_previous_shared(d)
                              : error_set(HN_ENOMEM, "no memory for the lines of %d hosts", d->n);
    for (int i = 0; i < samples->count && code == HN_OK; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind != SAMPLE_TOGETHER || s->about == ABOUT_BUS)
            continue;
        struct test test = test_at(samples, i);
        code = read_test(d, test, &family);
        i += test.count - 1;
    }
    free(family.unit_of);
    return code;
}
