/* derive.c - derives a network model from samples: points, subnets and sites; derive_*.c do the
 * rest.
 *
 * One-way times T(m) of every ordered pair are half the round trips of equal messages.  For larger
 * messages they are the round trip less the time of the small answer.
 *
 *     derive_lines.c     T of a pair: a line, with one bend where needed
 *     derive_alike.c     equal costs of hosts that are alike; W of hosts
 *     derive_costs.c     S and R of hosts; X of a pair is the rest
 *     derive_shared.c    buses, links, uplinks and lines that transfers share
 *     derive_previous.c  the same for known hosts, from the network file
 *     derive_machines.c  machines that hosts share
 *     derive_multicast.c subnets that carry multicasts
 *     derive_state.c     the statements of the file: subnets, links, and pairs that differ from
 * these
 *
 * Subnets are ECO's, by the time of a 1 KiB message: it is long enough to distinguish 10 from 100
 * Mb/s, and short enough for any line.  Subnets whose hosts differ only in their own speed are
 * joined (subnet.h).  A subnet with several switches, as transfers have shown, is split
 * (switches.h).
 */
#include "derive/derivation.h"
#include "derive/switches.h"
#include "derive/site.h"
#include "derive/subnet.h"

#include <stdlib.h>
#include <string.h>

/* ---- points ------------------------------------------------------------------------------- */

/* Adds a point in order of bytes, or replaces one if the new one is less doubtful, or else
 * smaller. */
static void add_doubtful(struct series *series, int64_t bytes, int64_t ns, int64_t doubt)
{
    int at = 0;
    while (at < series->count && series->point[at].bytes < bytes)
        at++;
    struct fit_point *point = &series->point[at];
    int64_t *known = &series->doubt[at];
    size_t behind = (size_t)(series->count - at);
    if (ns <= 0)
        return;
    /* A point with the same size replaces the known one only if it is better. */
    if (behind && point->bytes == bytes) {
        if (doubt > *known || (doubt == *known && ns >= point->ns))
            return;
    } else if (series->count < DERIVATION_POINTS) {
        memmove(point + 1, point, behind * sizeof *point);
        memmove(known + 1, known, behind * sizeof *known);
        series->count++;
    } else {
        return;
    }
    *point = (struct fit_point){bytes, ns};
    *known = doubt;
}

static void add_point(struct series *series, int64_t bytes, int64_t ns)
{
    add_doubtful(series, bytes, ns, 0);
}

/* Adds a gap.  It is a difference, so the smaller of two is not necessarily the better one. */
static void add_gap(struct series *series, const struct sample *s)
{
    add_doubtful(series, s->bytes, s->best, s->median > s->best ? s->median - s->best : 0);
}

/* Samples of both directions are stored by the ordered pair. */
static struct series *series_of(const struct derivation *d, int from, int to)
{
    return &d->pair[from * d->n + to];
}

/* Of several speeds the highest counts: other programs only make the kernel slower. */
static void take_sample(struct derivation *d, const struct sample *s)
{
    if (!s->count)
        return;
    if (s->kind == SAMPLE_PING && s->from < d->n && s->to < d->n) {
        /* half a round trip cannot tell the two directions apart, so it counts for both */
        /* a later test is less doubtful */
        add_doubtful(series_of(d, s->from, s->to), s->bytes, s->best, -s->test);
        add_doubtful(series_of(d, s->to, s->from), s->bytes, s->best, -s->test);
    } else if (s->kind == SAMPLE_OUT && s->from < d->n) {
        add_gap(&d->out[s->from], s);
    } else if (s->kind == SAMPLE_SEND && s->from < d->n) {
        add_point(&d->send[s->from], s->bytes, s->best);
    } else if (s->kind == SAMPLE_IN && s->to < d->n) {
        add_gap(&d->in[s->to], s);
    } else if (s->kind == SAMPLE_SPEED && s->from < d->n) {
        /* The kernel's time on a host of speed 1, over that on this host, in millionths. */
        int64_t speed = (int64_t)SPEED_KERNEL_NS * 1000000 / s->best;
        if (speed > d->cost[s->from].speed)
            d->cost[s->from].speed = speed;
    }
}

static bool is_route(const struct derivation *d, const struct sample *s)
{
    return s->kind == SAMPLE_WAY && s->count && s->from < d->n && s->to < d->n;
}

/* True if a point is above the line between its neighbours by more than a tenth.  A route that
 * becomes faster with size has its bend below these sizes.  Where it becomes slower, the points
 * before the bend are below that line. */
static bool is_held_up(const struct fit_point *point)
{
    const struct fit_point *before = point - 1, *after = point + 1;
    double part = (double)(point->bytes - before->bytes) / (double)(after->bytes - before->bytes);
    double line = (double)before->ns + part * (double)(after->ns - before->ns);
    return before->bytes >= BEND_LAST_BYTES && (double)point->ns > HELD_UP_TIMES * line;
}

/* Large messages are sent only a few times, and a disturbance may have delayed all of them. */
static void drop_held_up(struct series *series)
{
    for (int i = 1; i + 1 < series->count;) {
        if (!is_held_up(&series->point[i])) {
            i++;
            continue;
        }
        series->count--;
        memmove(&series->point[i], &series->point[i + 1],
                (size_t)(series->count - i) * sizeof *series->point);
        /* Removing a point changes the neighbours of others, so the search begins again. */
        i = 1;
    }
}

/* Round trips with a small answer need the small message's time, so they are read second. */
static void read_routes(struct derivation *d)
{
    const struct samples *samples = d->input.samples;
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        struct series *series = is_route(d, s) ? series_of(d, s->from, s->to) : NULL;
        /* a sample that is shorter than its own answer is wrong: its time would be negative */
        if (series && series->count > 0 && s->best > series->point[0].ns)
            add_point(series, s->bytes, s->best - series->point[0].ns);
    }
    for (int i = 0; i < d->n * d->n; i++)
        drop_held_up(&d->pair[i]);
}

/* ---- subnets ------------------------------------------------------------------------------ */

/* Fills the matrix with times of messages of that size.  Unknown pairs are farther than all
 * others. */
static void fill_matrix(struct derivation *d, int64_t bytes)
{
    for (int i = 0; i < d->n * d->n; i++) {
        d->matrix[i] = HN_TIME_MOST;
        for (int k = 0; k < d->pair[i].count; k++)
            if (d->pair[i].point[k].bytes <= bytes)
                d->matrix[i] = d->pair[i].point[k].ns;
        if (previous_states(d->previous, i / d->n, i % d->n)) {
            struct fit_line route = previous_route(d->previous, i / d->n, i % d->n);
            d->matrix[i] = (int64_t)fit_time(&route, bytes) + 1; /* rounded up: never 0 */
        }
    }
}

/* The time of a host's own sends and receives of 1 KiB, in nanoseconds; 0: unknown.  Receives count
 * like sends: they are measured too roughly to decide where a host belongs. */
static int64_t own_time(const struct derivation *d, int rank)
{
    const struct series *out = &d->out[rank];
    if (d->previous && d->previous->known[rank])
        return previous_own_time(d->previous, rank);
    if (!out->count)
        return 0;
    struct fit_line sending = fit_points(out->point, out->count);
    return (int64_t)(2 * fit_time(&sending, PAGE_BYTES)); /* one send and one receive */
}

/* Splits subnets that transfers have shown to be several, now or earlier. */
static int split_racks(struct derivation *d)
{
    const struct samples *samples = d->input.samples;
    int *rack = malloc((size_t)d->n * sizeof *rack);
    if (!rack)
        return error_set(HN_ENOMEM, "no memory for the racks of %d hosts", d->n);
    for (int i = 0; i < d->n; i++)
        rack[i] = -1;
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind == SAMPLE_SWITCH && s->from < d->n)
            rack[s->from] = s->to;
    }
    derive_previous_switches(d, rack);
    int subnets = switches_split(d->n, d->matrix, rack, d->subnet_of);
    free(rack);
    return subnets;
}

/* Subnets depend on the rate, too: hosts on 10 and on 100 Mb/s are different subnets even if they
 * are equally near.  Sites depend on distance only, so a single byte decides: a slow line inside a
 * building is no second site. */
static int partition(struct derivation *d)
{
    int64_t tolerance = d->input.tolerance, *own = calloc((size_t)d->n, sizeof *own);
    if (!own)
        return error_set(HN_ENOMEM, "no memory to partition %d hosts", d->n);
    fill_matrix(d, PAGE_BYTES);
    for (int i = 0; i < d->n; i++)
        own[i] = own_time(d, i);
    /* ECO first, as in its paper.  It separates slow hosts, and keeps racks together, so these are
     * corrected afterwards, in this order: racks are searched among all hosts of a subnet. */
    d->subnets = subnet_partition_measured(d->n, d->matrix, tolerance, d->subnet_of);
    if (d->subnets >= 0)
        d->subnets = subnet_merge(d->n, d->matrix, own, tolerance, d->subnet_of);
    if (d->subnets >= 0)
        d->subnets = split_racks(d);
    free(own);
    fill_matrix(d, 1);
    if (d->subnets >= 0)
        d->sites = site_partition(d->n, d->matrix, d->subnets, d->subnet_of, d->site_of);
    return d->subnets < 0 ? d->subnets : d->sites < 0 ? d->sites : HN_OK;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Costs of known hosts are those of the file; their samples are read all the same. */
static int read_samples(struct derivation *d)
{
    const struct samples *samples = d->input.samples;
    for (int rank = 0; d->previous && rank < d->n; rank++)
        if (d->previous->known[rank])
            d->cost[rank] = *hn_net_host(d->previous->net, d->previous->host[rank]);
    for (int i = 0; i < samples->count; i++)
        take_sample(d, &samples->sample[i]);
    read_routes(d);
    return HN_OK;
}

/* Ordered pairs without a route: hosts that were lost, or pairs that are cut. */
static void count_missing(const struct derivation *d, struct derive_notes *notes)
{
    for (int from = 0; from < d->n; from++)
        for (int to = 0; to < d->n; to++)
            notes->missing += from != to && !derivation_is_known(d, from, to);
}

int derive_model(hn_net *net, const int *host, int n, const struct samples *samples,
                 int64_t tolerance, const struct previous *previous, struct derive_notes *notes)
{
    /* routes need subnets, costs routes and media, what is shared all of them; statements last */
    static int (*const step[])(struct derivation * d) = {
        read_samples,       partition,     derive_lines,      derive_media,    derive_costs,
        derive_alike_costs, derive_shared, derive_statements, derive_machines, derive_multicast};
    struct derivation d;
    int code = derivation_begin(&d, n);
    *notes = (struct derive_notes){0};
    d.previous = previous;
    d.input = (struct derivation_input){net, host, samples, tolerance};
    for (size_t i = 0; code == HN_OK && i < sizeof step / sizeof *step; i++)
        code = step[i](&d);
    if (code == HN_OK) {
        count_missing(&d, notes);
        derive_errors(&d, notes);
    }
    derivation_end(&d);
    return code;
}
