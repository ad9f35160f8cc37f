/* derive.c - S, X and R of hosts and pairs, and the subnets, from what was measured.
 *
 * One-way times T(m) of every ordered pair are half the round trips of equal messages, and for
 * larger ones the round trip less the small answer's way.  A line through them is the pair's T.
 *
 *   S of a host   constant: the gap between its consecutive sends to different receivers
 *                 (Banikazemi 2.1); per byte: what the call of a send takes
 *   R of a host   constant: the gap between messages that reach it from different senders; per
 *                 byte: what no wire explains (T less S less the gaps of the two ports)
 *   X of a pair   what remains: T - S - R (equation 1)
 *   gap of a port bytes to (from) several others at once (pLogP's g): our sends return before their
 *                 bytes are on the wire, so the port is busy longer than the host
 *
 * So S + X + R is what was measured, whatever the split; S and R never take more than T has.
 * Subnets are ECO's, by the time of a 1 KiB message: that is long enough to tell 10 from 100 Mb/s
 * and short enough for any line.
 */
#include "derive.h"
#include "error.h"
#include "fit.h"
#include "subnet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 10, PAGE = 1024 };

struct series {
    int count;
    struct fit_point point[POINTS]; /* ascending bytes, because samples come so */
};

struct derivation {
    int n;
    struct series *pair; /* [from * n + to] */
    struct series *out, *send, *in;
    struct fit_line *way; /* T of each pair; residual < 0: unknown */
    hn_host_cost *cost;
    int *subnet_of;
    int64_t *matrix;
    int subnets;
};

/* What a kernel run takes on a host of speed 1, in nanoseconds. */
static const int64_t reference = 2000000;

/* ---- collecting points -------------------------------------------------------------------- */

static void add_point(struct series *series, int64_t bytes, int64_t ns)
{
    for (int i = 0; i < series->count; i++)
        if (series->point[i].bytes == bytes) {
            if (ns < series->point[i].ns)
                series->point[i].ns = ns;
            return;
        }
    if (series->count < POINTS && ns > 0)
        series->point[series->count++] = (struct fit_point){bytes, ns};
}

static struct series *series_of(const struct derivation *d, int from, int to)
{
    return &d->pair[from * d->n + to];
}

static void take_sample(struct derivation *d, const struct sample *s)
{
    if (!s->count)
        return;
    if (s->kind == SAMPLE_PING && s->from < d->n && s->to < d->n) {
        add_point(series_of(d, s->from, s->to), s->bytes, s->best);
        add_point(series_of(d, s->to, s->from), s->bytes, s->best);
    } else if (s->kind == SAMPLE_OUT && s->from < d->n) {
        add_point(&d->out[s->from], s->bytes, s->best);
    } else if (s->kind == SAMPLE_SEND && s->from < d->n) {
        add_point(&d->send[s->from], s->bytes, s->best);
    } else if (s->kind == SAMPLE_IN && s->to < d->n) {
        add_point(&d->in[s->to], s->bytes, s->median);
    } else if (s->kind == SAMPLE_SPEED && s->from < d->n) {
        int64_t speed = reference * 1000000 / s->best;
        if (speed > d->cost[s->from].speed)
            d->cost[s->from].speed = speed;
    }
}

/* Round trips with a small answer need the small message's time, so they come second. */
static void take_ways(struct derivation *d, const struct samples *samples)
{
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind != SAMPLE_WAY || !s->count || s->from >= d->n || s->to >= d->n)
            continue;
        struct series *series = series_of(d, s->from, s->to);
        if (series->count > 0 && s->best > series->point[0].ns)
            add_point(series, s->bytes, s->best - series->point[0].ns);
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Larger messages go between a few pairs of each two subnets only; the others get the mean cost a
 * byte of these, and keep their own small message's time. */
struct slopes {
    double sum;
    int count;
};

static struct slopes *slopes_of(const struct derivation *d, struct slopes *slopes, int pair)
{
    return &slopes[d->subnet_of[pair / d->n] * d->n + d->subnet_of[pair % d->n]];
}

static bool has_large(const struct series *series)
{
    return series->count > 0 && series->point[series->count - 1].bytes > PAGE;
}

static void fit_large(struct derivation *d, struct slopes *slopes)
{
    for (int i = 0; i < d->n * d->n; i++) {
        d->way[i].residual = -1;
        if (!has_large(&d->pair[i]))
            continue;
        d->way[i] = fit_points(d->pair[i].point, d->pair[i].count);
        struct slopes *known = slopes_of(d, slopes, i);
        known->sum += (double)d->way[i].per_byte;
        known->count++;
    }
}

static void fit_small(struct derivation *d, struct slopes *slopes)
{
    for (int i = 0; i < d->n * d->n; i++) {
        const struct series *series = &d->pair[i];
        const struct slopes *known = slopes_of(d, slopes, i);
        if (has_large(series) || series->count == 0)
            continue;
        d->way[i] = fit_points(series->point, series->count);
        if (!known->count)
            continue;
        d->way[i].per_byte = (hn_per_byte)(known->sum / known->count);
        d->way[i].constant = series->point[0].ns * 1000;
    }
}

static int fit_ways(struct derivation *d, struct derive_notes *notes)
{
    size_t hosts = (size_t)d->n;
    struct slopes *slopes = calloc(hosts * hosts, sizeof *slopes);
    if (!slopes)
        return error_set(HN_ENOMEM, "no memory for the samples of %d hosts", d->n);
    fit_large(d, slopes);
    fit_small(d, slopes);
    free(slopes);
    for (int i = 0; i < d->n * d->n; i++) {
        notes->missing += d->way[i].residual < 0 && i / d->n != i % d->n;
        if (d->way[i].residual > notes->worst_fit)
            notes->worst_fit = d->way[i].residual;
    }
    return HN_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t positive(int64_t a)
{
    return a > 0 ? a : 0;
}

static struct fit_line fit_series(const struct series *series)
{
    struct fit_line nothing = {0};
    return series->count ? fit_points(series->point, series->count) : nothing;
}

/* S takes no more than the shortest way from the host has. */
static void set_send(struct derivation *d, int host)
{
    hn_host_cost *cost = &d->cost[host];
    struct fit_line gap = fit_series(&d->out[host]), call = fit_series(&d->send[host]);
    cost->send_const = gap.constant;
    cost->send_per_byte = call.per_byte;
    for (int to = 0; to < d->n; to++) {
        const struct fit_line *way = &d->way[host * d->n + to];
        if (way->residual < 0)
            continue;
        cost->send_const = smaller(cost->send_const, way->constant);
        cost->send_per_byte = smaller(cost->send_per_byte, way->per_byte);
    }
    cost->send_gap = positive(gap.per_byte - cost->send_per_byte);
}

/* R takes no more than S leaves of the shortest way to the host; its bytes are those that neither
 * port's gap explains on any way. */
static void set_recv(struct derivation *d, int host)
{
    hn_host_cost *cost = &d->cost[host];
    struct fit_line gap = fit_series(&d->in[host]);
    cost->recv_const = gap.constant;
    cost->recv_per_byte = gap.per_byte;
    cost->recv_gap = gap.per_byte;
    for (int from = 0; from < d->n; from++) {
        const struct fit_line *way = &d->way[from * d->n + host];
        const hn_host_cost *sender = &d->cost[from];
        if (way->residual < 0)
            continue;
        hn_per_byte wire = sender->send_gap > gap.per_byte ? sender->send_gap : gap.per_byte;
        cost->recv_const = smaller(cost->recv_const, way->constant - sender->send_const);
        cost->recv_per_byte =
            smaller(cost->recv_per_byte, positive(way->per_byte - sender->send_per_byte - wire));
    }
}

static void split_costs(struct derivation *d)
{
    for (int i = 0; i < d->n; i++)
        set_send(d, i);
    for (int i = 0; i < d->n; i++)
        set_recv(d, i);
}

static hn_pair_cost remainder_of(const struct derivation *d, int from, int to)
{
    const struct fit_line *way = &d->way[from * d->n + to];
    const hn_host_cost *s = &d->cost[from], *r = &d->cost[to];
    return (hn_pair_cost){way->constant - s->send_const - r->recv_const,
                          way->per_byte - s->send_per_byte - r->recv_per_byte};
}

/* ---- subnets ------------------------------------------------------------------------------ */

/* Pairs of which nothing is known are farther than all others. */
static int partition(struct derivation *d, int64_t tolerance)
{
    for (int i = 0; i < d->n * d->n; i++) {
        d->matrix[i] = HN_TIME_MOST;
        for (int k = 0; k < d->pair[i].count; k++)
            if (d->pair[i].point[k].bytes <= PAGE)
                d->matrix[i] = d->pair[i].point[k].ns;
    }
    d->subnets = subnet_partition(d->n, d->matrix, tolerance, d->subnet_of);
    return d->subnets < 0 ? d->subnets : HN_OK;
}

static int add_subnets(hn_net *net, const int *host, const struct derivation *d, int *member)
{
    for (int s = 0, number = 1; s < d->subnets; number++) {
        char name[16];
        int count = 0;
        for (int i = 0; i < d->n; i++)
            if (d->subnet_of[i] == s)
                member[count++] = host[i];
        snprintf(name, sizeof name, "s%d", number);
        int code = hn_net_add_subnet(net, name, HN_MEDIUM_UNKNOWN, member, count);
        if (code == HN_ENOMEM)
            return code;
        s += code == HN_OK; /* else the name is taken: the next number */
    }
    return HN_OK;
}

/* ---- what stands in the file -------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Medians of X over the known ordered pairs between two subnets; false: there is none.  store has
 * room for two numbers a pair. */
static bool typical(const struct derivation *d, int a, int b, int64_t *store, hn_pair_cost *cost)
{
    int count = 0;
    int64_t *per_byte = store + d->n * d->n;
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++) {
            if (i == j || d->subnet_of[i] != a || d->subnet_of[j] != b ||
                d->way[i * d->n + j].residual < 0)
                continue;
            hn_pair_cost x = remainder_of(d, i, j);
            store[count] = x.latency;
            per_byte[count++] = x.per_byte;
        }
    if (!count)
        return false;
    qsort(store, (size_t)count, sizeof *store, by_value);
    qsort(per_byte, (size_t)count, sizeof *per_byte, by_value);
    *cost = (hn_pair_cost){store[count / 2], per_byte[count / 2]};
    return true;
}

static int state_subnets(hn_net *net, const int *host, const struct derivation *d, int64_t *store)
{
    int code = HN_OK;
    int *first = calloc((size_t)d->subnets, sizeof *first);
    if (!first)
        return error_set(HN_ENOMEM, "no memory for the subnets");
    for (int i = d->n - 1; i >= 0; i--)
        first[d->subnet_of[i]] = hn_net_subnet_of(net, host[i]);
    for (int a = 0; code == HN_OK && a < d->subnets; a++)
        for (int b = 0; code == HN_OK && b < d->subnets; b++) {
            hn_pair_cost cost;
            if (!typical(d, a, b, store, &cost))
                continue;
            code = a == b ? hn_net_set_subnet_cost(net, first[a], cost)
                          : hn_net_set_link(net, first[a], first[b], cost, 0);
        }
    free(first);
    return code;
}

/* Two transfers at once take twice as long on a bus, and as long as one on a switch.  Where the
 * message's bytes are not most of its time, or between the two, nothing is said.  one: the sample
 * of one direction alone, just before. */
static hn_medium judge_medium(const struct derivation *d, const struct sample *one,
                              const struct sample *both)
{
    int64_t small = series_of(d, both->from, both->to)->point[0].ns, way = one->median - small;
    if (!one->count || one->kind != SAMPLE_WAY || one->bytes != both->bytes || way < 3 * small)
        return HN_MEDIUM_UNKNOWN;
    double ratio = (double)both->median / (double)way;
    return ratio > 1.6 ? HN_MEDIUM_BUS : ratio < 1.35 ? HN_MEDIUM_SWITCH : HN_MEDIUM_UNKNOWN;
}

/* The one-way sample of the same pair and size before sample number i; itself when there is none.
 */
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

static int state_media(hn_net *net, const int *host, const struct derivation *d,
                       const struct samples *samples)
{
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind != SAMPLE_BOTH || !s->count || s->from >= d->n || s->to >= d->n ||
            d->subnet_of[s->from] != d->subnet_of[s->to])
            continue;
        const struct fit_line *way = &d->way[s->from * d->n + s->to];
        int subnet = hn_net_subnet_of(net, host[s->from]);
        hn_medium medium = judge_medium(d, last_way(samples, i), s);
        code = hn_net_set_medium(net, subnet, medium);
        if (code == HN_OK && medium == HN_MEDIUM_BUS)
            code = hn_net_set_wire(net, subnet, way->per_byte);
    }
    return code;
}

/* A tenth of the pair's whole time is as good as measurements get. */
static bool differs(const struct fit_line *way, hn_pair_cost a, hn_pair_cost b)
{
    return llabs(a.latency - b.latency) > way->constant / 10 ||
           llabs(a.per_byte - b.per_byte) > way->per_byte / 10;
}

/* Pairs that are not as their subnet or link says are stated one by one. */
static int state_pairs(hn_net *net, const int *host, const struct derivation *d)
{
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++) {
            const struct fit_line *way = &d->way[i * d->n + j];
            if (i == j || way->residual < 0)
                continue;
            hn_pair_cost x = remainder_of(d, i, j);
            if (!differs(way, x, hn_net_pair(net, host[i], host[j])))
                continue;
            int code = hn_net_set_pair(net, host[i], host[j], x);
            if (code < 0)
                return code;
        }
    return HN_OK;
}

static int state_model(hn_net *net, const int *host, struct derivation *d,
                       const struct samples *samples)
{
    int code = HN_OK;
    int64_t *store = calloc((size_t)d->n * (size_t)d->n * 2, sizeof *store);
    int *member = calloc((size_t)d->n, sizeof *member);
    if (!store || !member)
        code = error_set(HN_ENOMEM, "no memory for %d hosts", d->n);
    for (int i = 0; code == HN_OK && i < d->n; i++)
        code = hn_net_set_host(net, host[i], &d->cost[i]);
    if (code == HN_OK)
        code = add_subnets(net, host, d, member);
    if (code == HN_OK)
        code = state_subnets(net, host, d, store);
    if (code == HN_OK)
        code = state_pairs(net, host, d);
    if (code == HN_OK)
        code = state_media(net, host, d, samples);
    free(store);
    free(member);
    return code;
}

int derive_model(hn_net *net, const int *host, int n, const struct samples *samples,
                 int64_t tolerance, struct derive_notes *notes)
{
    struct derivation d = {.n = n};
    size_t hosts = (size_t)n, pairs = hosts * hosts;
    int code = HN_OK;
    *notes = (struct derive_notes){0};
    d.pair = calloc(pairs, sizeof *d.pair);
    d.out = calloc(hosts, sizeof *d.out);
    d.send = calloc(hosts, sizeof *d.send);
    d.in = calloc(hosts, sizeof *d.in);
    d.way = calloc(pairs, sizeof *d.way);
    d.cost = calloc(hosts, sizeof *d.cost);
    d.subnet_of = calloc(hosts, sizeof *d.subnet_of);
    d.matrix = calloc(pairs, sizeof *d.matrix);
    if (!d.pair || !d.out || !d.send || !d.in || !d.way || !d.cost || !d.subnet_of || !d.matrix)
        code = error_set(HN_ENOMEM, "no memory for the samples of %d hosts", n);
    if (code == HN_OK) {
        for (int i = 0; i < samples->count; i++)
            take_sample(&d, &samples->sample[i]);
        take_ways(&d, samples);
        code = partition(&d, tolerance);
    }
    if (code == HN_OK)
        code = fit_ways(&d, notes);
    if (code == HN_OK) {
        split_costs(&d);
        code = state_model(net, host, &d, samples);
    }
    free(d.pair);
    free(d.out);
    free(d.send);
    free(d.in);
    free(d.way);
    free(d.cost);
    free(d.subnet_of);
    free(d.matrix);
    return code;
}
