/* derive_lines.c - T of every pair, as a line with at most one bend.
 *
 * Only a few pairs exchange larger messages: a ring and a hub in each subnet, and two pairs between
 * subnets, or between sites.  The others keep the time of their own small message and take the cost
 * per byte from similar pairs.  That is the larger of the sender's known send cost and the
 * receiver's known receive cost, because a transfer is as fast as its slowest part.  Otherwise it
 * is the median of the routes between the same two subnets or sites.
 */
#include "derive/derivation.h"

#include <math.h>
#include <stdlib.h>

/* Ports: the least cost per byte of all near routes from and to a host; 0: unknown. */
struct ports {
    hn_per_byte *out, *in;
};

/* 0 is unknown, so it must not win. The smaller of two values, of which 0 means that it is not
 * known. */
static int64_t smaller_known(int64_t a, int64_t b)
{
    return a && a < b ? a : b;
}

/* Lines of routes whose rate is known.  A file's line of two known hosts is kept as it is: it was
 * fitted to more samples than the few that are measured when a host is added. */
static void fit_large(struct derivation *d)
{
    for (int i = 0; i < d->n * d->n; i++) {
        d->route[i].residual = -1;
        if (previous_states(d->previous, i / d->n, i % d->n))
            d->route[i] = previous_route(d->previous, i / d->n, i % d->n);
        else if (i / d->n != i % d->n && derivation_has_large(&d->pair[i]))
            d->route[i] = fit_bent(d->pair[i].point, d->pair[i].count);
    }
}

/* Routes are compared at the size that is typical for both latency and rate. */
static int by_time(const void *a, const void *b)
{
    double x = fit_time(a, TYPICAL_BYTES), y = fit_time(b, TYPICAL_BYTES);
    return (x > y) - (x < y);
}

/* Finds the median of the routes with large messages, and at least `points` sizes, between the
 * subnets (or sites) of two hosts.  Of two routes the faster one counts, because a slow port at an
 * end of the other is not typical.  Returns false if there is none. store has room for n * n
 * lines. */
static bool find_like(const struct derivation *d, int from, int to, bool by_site, int points,
                      struct fit_line *store, struct fit_line *like)
{
    int count = 0;
    for (int i = 0; i < d->n * d->n; i++) {
        int a = d->subnet_of[i / d->n], b = d->subnet_of[i % d->n];
        bool same = by_site ? d->site_of[a] == d->site_of[d->subnet_of[from]] &&
                                  d->site_of[b] == d->site_of[d->subnet_of[to]]
                            : a == d->subnet_of[from] && b == d->subnet_of[to];
        if (same && i / d->n != i % d->n && derivation_is_rated(d, i / d->n, i % d->n) &&
            (d->pair[i].count >= points || previous_states(d->previous, i / d->n, i % d->n)))
            store[count++] = d->route[i];
    }
    if (count == 0)
        return false;
    /* The median; of two the first, which is the faster one. */
    qsort(store, (size_t)count, sizeof *store, by_time);
    *like = store[(count - 1) / 2];
    return true;
}

/* The typical routes of all pairs of subnets: like[a * subnets + b]; residual < 0: none. In this
 * order of preference: routes of the same two subnets before those of the same sites, but both with
 * enough sizes for a bend before any without. A line without its bend predicts small messages
 * wrongly, and that is a larger error than that of a neighbouring subnet.
 *
 * -2 marks pairs that were searched in vain, so that the search is made once. */
static void find_likes(const struct derivation *d, struct fit_line *store, struct fit_line *like)
{
    for (int i = 0; i < d->subnets * d->subnets; i++)
        like[i].residual = -1;
    for (int from = 0; from < d->n; from++)
        for (int to = 0; to < d->n; to++) {
            /* Searched once for each pair of subnets: the result depends on the subnets only. */
            struct fit_line *place = &like[d->subnet_of[from] * d->subnets + d->subnet_of[to]];
            if (from == to || place->residual >= 0 || place->residual == -2)
                continue;
            if (!find_like(d, from, to, false, BEND_POINTS, store, place) &&
                !find_like(d, from, to, true, BEND_POINTS, store, place) &&
                !find_like(d, from, to, false, 0, store, place) &&
                !find_like(d, from, to, true, 0, store, place))
                place->residual = -2;
        }
}

/* True if a route's messages were large enough to show its rate.  Sizes grow until one takes too
 * long, and on a busy machine a delayed one ends the series early.  If all sizes are below the bend
 * of similar routes, nothing is known about the rate beyond it. */
static bool shows_rate(const struct derivation *d, int from, int to, const struct fit_line *like)
{
    const struct series *series = &d->pair[from * d->n + to];
    const struct fit_line *known = &like[d->subnet_of[from] * d->subnets + d->subnet_of[to]];
    if (previous_states(d->previous, from, to))
        return true;
    return derivation_has_large(series) &&
           (known->residual < 0 || series->point[series->count - 1].bytes > known->first_bytes);
}

/* Only routes inside a subnet show ports: on the others a link may be slower than both ends.  The
 * cost is increased by one, so that a port of no cost is not taken for an unknown one. */
static void find_ports(const struct derivation *d, const struct fit_line *like, struct ports *ports)
{
    for (int i = 0; i < d->n * d->n; i++) {
        int from = i / d->n, to = i % d->n;
        if (from == to || d->subnet_of[from] != d->subnet_of[to] || !shows_rate(d, from, to, like))
            continue;
        hn_per_byte cost = d->route[i].per_byte + 1;
        ports->out[from] = smaller_known(ports->out[from], cost);
        ports->in[to] = smaller_known(ports->in[to], cost);
    }
}

/* The cost between 1 B and 1 KiB is the pair's own, if it differs from that of similar routes.  If
 * their first bytes exceed a packet, 1 KiB does not show the cost of all first bytes: then the line
 * passes between the two points. */
static void keep_page(struct fit_line *line, const struct series *series)
{
    const struct fit_point *small = &series->point[0], *page = small;
    for (int i = 1; i < series->count && series->point[i].bytes <= PAGE_BYTES; i++)
        page = &series->point[i];
    double expected = fit_time(line, page->bytes), measured = (double)page->ns;
    if (page == small || fabs(expected - measured) < measured / PAGE_NOISE_PART + PAGE_NOISE_NS)
        return;
    if (line->first_bytes > 2 * PAGE_BYTES) {
        double constant = (double)line->constant + (measured - expected) * 1e3 / 2;
        line->constant = constant > 0 ? (hn_time)constant : 0;
        return;
    }
    double slope = (measured - (double)small->ns) / (double)(page->bytes - small->bytes);
    if (!line->first_bytes)
        line->first_bytes = PACKET_BYTES;
    line->first_per_byte = slope > 0 ? (hn_per_byte)(slope * 1e6) : 0;
}

/* The own small message gives the constant, similar routes the rest.  Where the ports at both ends
 * are known, the slower one is the rate.  The bend moves with it: bytes before the bend pass one
 * wire after the other, so a slower port adds the same to each of them. */
static void fit_like(const struct derivation *d, const struct ports *ports, int from, int to,
                     const struct fit_line *like, struct fit_line *line)
{
    const struct series *series = &d->pair[from * d->n + to];
    hn_per_byte out = ports->out[from], in = ports->in[to];
    hn_per_byte per_byte = like->per_byte;
    if (d->subnet_of[from] == d->subnet_of[to] && out && in)
        per_byte = out > in ? out : in;
    *line = *like;
    line->per_byte = per_byte;
    if (like->first_bytes && like->first_per_byte > like->per_byte)
        line->first_per_byte += per_byte - like->per_byte;
    if (line->first_per_byte < 0)
        line->first_per_byte = 0;
    line->constant = series->point[0].ns * 1000;
    keep_page(line, series);
}

/* Routes that have no line of their own yet: without large messages, or with too few sizes. */
static void fit_small(struct derivation *d, const struct ports *ports, const struct fit_line *like)
{
    for (int i = 0; i < d->n * d->n; i++) {
        const struct series *series = &d->pair[i];
        int from = i / d->n, to = i % d->n;
        const struct fit_line *known = &like[d->subnet_of[from] * d->subnets + d->subnet_of[to]];
        if (from == to || series->count == 0 || previous_states(d->previous, from, to) ||
            (shows_rate(d, from, to, like) &&
             (series->count >= BEND_POINTS || !known->first_bytes)))
            continue;
        if (known->residual >= 0)
            fit_like(d, ports, from, to, known, &d->route[i]);
        else
            d->route[i] = fit_points(series->point, series->count);
    }
}

int derive_lines(struct derivation *d)
{
    size_t hosts = (size_t)d->n;
    struct arena room = {0};
    struct ports ports = {arena_array(&room, hosts, sizeof *ports.out),
                          arena_array(&room, hosts, sizeof *ports.in)};
    struct fit_line *like = arena_array(&room, hosts * hosts, sizeof *like);
    struct fit_line *store = arena_array(&room, hosts * hosts, sizeof *store);
    int code = HN_OK;
    if (!room.failed) {
        /* Large messages first: the ports that they show are needed to fit the small ones. */
        fit_large(d);
        find_likes(d, store, like);
        find_ports(d, like, &ports);
        fit_small(d, &ports, like);
    } else {
        code = error_set(HN_ENOMEM, "no memory for the samples of %d hosts", d->n);
    }
    arena_free(&room);
    return code;
}
