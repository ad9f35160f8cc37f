/* derive_state.c - writes the statements of the model: costs of subnets, links, uplinks and lines,
 * and pairs that differ from these.
 *
 * The cost of a subnet or link is that of its median pair, taken whole: a mixture of several would
 * fit no pair.  Between sites, one link covers all their subnets except those that are nearer or
 * farther.
 */
#include "derive/derivation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- subnets and sites -------------------------------------------------------------------- */

/* Returns a user's name for the members' subnet; NULL: none. */
static const char *old_name(const hn_net *net, const int *member, int count)
{
    for (int i = 0; i < count; i++) {
        const char *name = hn_net_subnet_name(net, hn_net_subnet_of(net, member[i]));
        if (strcmp(name, "net") != 0) /* "net" holds the hosts that no record names */
            return name;
    }
    return NULL;
}

/* A subnet keeps its name if all its members stay together; the others are s1, s2, ... */
static int add_subnets(hn_net *net, const int *host, const struct derivation *d, int *member)
{
    int number = 1;
    for (int s = 0; s < d->subnets; s++) {
        char name[16];
        int count = 0;
        for (int i = 0; i < d->n; i++)
            if (d->subnet_of[i] == s)
                member[count++] = host[i];
        const char *old = old_name(net, member, count);
        int code = old ? hn_net_add_subnet(net, old, d->medium[s], member, count) : HN_EARG;
        while (code == HN_EARG) { /* the name is taken: try the next number */
            snprintf(name, sizeof name, "s%d", number++);
            code = hn_net_add_subnet(net, name, d->medium[s], member, count);
        }
        if (code < 0)
            return code;
    }
    return HN_OK;
}

static const char *site_name(char name[16], int site)
{
    snprintf(name, 16, "site%d", site + 1);
    return name;
}

static int set_sites(hn_net *net, const int *host, const struct derivation *d)
{
    char name[16];
    int code = HN_OK;
    for (int i = 0; code == HN_OK && derivation_by_site(d) && i < d->n; i++)
        code = hn_net_set_site(net, hn_net_subnet_of(net, host[i]),
                               site_name(name, d->site_of[d->subnet_of[i]]));
    return code;
}

/* ---- costs of subnets and links ----------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    hn_time x = hn_way_time(a, STATED_BYTES), y = hn_way_time(b, STATED_BYTES);
    return (x > y) - (x < y);
}

/* Maps a rank to a part of the network: its subnet, or its site. */
typedef int part_function(const struct derivation *d, int rank);

static int subnet_part(const struct derivation *d, int rank)
{
    return d->subnet_of[rank];
}

static int site_part(const struct derivation *d, int rank)
{
    return d->site_of[d->subnet_of[rank]];
}

/* Finds the median X of the known ordered pairs between two parts; false: there is none. O(n^2) for
 * each two parts. The median is that of whole costs: the median latency with the median rate would
 * be a route that exists nowhere. */
static bool typical(const struct derivation *d, part_function *part, int a, int b,
                    hn_pair_cost *store, hn_pair_cost *cost)
{
    int count = 0;
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            if (part(d, i) == a && part(d, j) == b && derivation_is_known(d, i, j))
                store[count++] = derivation_rest(d, i, j);
    if (!count)
        return false;
    qsort(store, (size_t)count, sizeof *store, by_time);
    *cost = store[count / 2];
    return true;
}

/* Site links are those of the median pair between two sites. */
static int state_sites(hn_net *net, const struct derivation *d, hn_pair_cost *store)
{
    int code = HN_OK;
    char from[16], to[16];
    for (int a = 0; code == HN_OK && derivation_by_site(d) && a < d->sites; a++) {
        if (d->site_uplink[a])
            code = hn_net_set_site_uplink(net, site_name(from, a),
                                          (hn_pair_cost){.per_byte = d->site_uplink[a]});
        for (int b = 0; code == HN_OK && b < d->sites; b++) {
            hn_pair_cost cost;
            if (a != b && typical(d, site_part, a, b, store, &cost))
                code = hn_net_set_site_link(net, site_name(from, a), site_name(to, b), cost,
                                            d->trunk[a * d->sites + b]);
        }
    }
    return code;
}

/* On long routes the best round trips repeat from day to day within a fiftieth. */
static bool as_far(hn_pair_cost a, hn_pair_cost b)
{
    hn_time apart = llabs(a.latency - b.latency);
    return apart <= AS_FAR_PS || apart <= b.latency / AS_FAR_PART;
}

/* Writes the cost of two subnets of different sites: their sites' link covers it, or they get a
 * link of their own, whose transfers still share the sites' wire. */
static int state_far_subnets(hn_net *net, int a, int b, hn_pair_cost cost)
{
    int count, from = hn_net_subnet_hosts(net, a, &count)[0];
    int to = hn_net_subnet_hosts(net, b, &count)[0];
    return as_far(cost, hn_net_pair(net, from, to)) ? HN_OK : hn_net_set_link(net, a, b, cost, 0);
}

static int state_subnets(hn_net *net, const struct derivation *d, const int *first,
                         hn_pair_cost *store)
{
    int code = HN_OK;
    bool by_site = derivation_by_site(d);
    for (int a = 0; code == HN_OK && a < d->subnets; a++) {
        if (d->uplink[a])
            code = hn_net_set_uplink(net, first[a], (hn_pair_cost){.per_byte = d->uplink[a]});
        for (int b = 0; code == HN_OK && b < d->subnets; b++) {
            hn_pair_cost cost;
            if (!typical(d, subnet_part, a, b, store, &cost))
                continue;
            /* Between sites a link is written only where the sites' own does not fit. */
            if (by_site && d->site_of[a] != d->site_of[b])
                code = state_far_subnets(net, first[a], first[b], cost);
            else
                code = a == b ? hn_net_set_subnet_cost(net, first[a], cost)
                              : hn_net_set_link(net, first[a], first[b], cost,
                                                d->wire[a * d->subnets + b]);
        }
    }
    return code;
}

/* The wire of a bus is as fast as its fastest route. */
static int state_wires(hn_net *net, const struct derivation *d, const int *first)
{
    int code = HN_OK;
    for (int s = 0; code == HN_OK && s < d->subnets; s++) {
        hn_per_byte wire = HN_PER_BYTE_MOST;
        for (int i = 0; i < d->n * d->n; i++)
            if (d->subnet_of[i / d->n] == s && d->subnet_of[i % d->n] == s &&
                i / d->n != i % d->n && derivation_is_rated(d, i / d->n, i % d->n) &&
                d->route[i].per_byte < wire)
                wire = d->route[i].per_byte;
        if (d->medium[s] == HN_MEDIUM_BUS)
            code =
                hn_net_set_wire(net, first[s], wire < HN_PER_BYTE_MOST ? wire : 0, d->message[s]);
    }
    return code;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* The ends of a line are subnets, or sites. */
static int state_line(hn_net *net, const struct derivation *d, const int *first, int number)
{
    const struct derivation_line *line = &d->line[number];
    const char *end[2][BISECTIONS_UNITS];
    char name[16], site[2][BISECTIONS_UNITS][16];
    snprintf(name, sizeof name, "line%d", number + 1);
    for (int far = 0; far < 2; far++)
        for (int i = 0; i < line->count[far]; i++) {
            int unit = line->unit[far][i];
            end[far][i] = line->by_site ? site_name(site[far][i], unit)
                                        : hn_net_subnet_name(net, first[unit]);
        }
    return hn_net_add_line(net, name, end[0], line->count[0], end[1], line->count[1], line->wire);
}

static int state_lines(hn_net *net, const struct derivation *d, const int *first)
{
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < d->lines; i++) {
        code = state_line(net, d, first, i);
        if (code == HN_EARG) /* too many on one route: the earlier ones stay */
            code = HN_OK;
    }
    return code;
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* As ECO's tolerance: a fifth of the pair's whole time, plus two microseconds. */
static bool differs(const struct fit_line *route, hn_pair_cost a, hn_pair_cost b)
{
    for (int64_t bytes = 1; bytes <= LARGEST_BYTES; bytes *= 16) {
        double apart = fabs((double)(hn_way_time(&a, bytes) - hn_way_time(&b, bytes))) / 1e3;
        if (apart > fit_time(route, bytes) / PAIR_DIFFERS_PART && apart > BLUR_NS)
            return true;
    }
    return false;
}

/* Writes pairs that differ from their subnet or link individually. */
static int state_pairs(hn_net *net, const int *host, const struct derivation *d)
{
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++) {
            if (!derivation_is_known(d, i, j))
                continue;
            hn_pair_cost x = derivation_rest(d, i, j);
            if (!differs(&d->route[i * d->n + j], x, hn_net_pair(net, host[i], host[j])))
                continue;
            int code = hn_net_set_pair(net, host[i], host[j], x);
            if (code < 0)
                return code;
        }
    return HN_OK;
}

/* From the general to the particular, so that each statement is written only where the ones before
 * it do not fit: sites, subnets, lines, pairs.  Lines name subnets and sites, which must exist. */
int derive_statements(struct derivation *d)
{
    hn_net *net = d->input.net;
    const int *host = d->input.host;
    size_t n = (size_t)d->n;
    int code = HN_OK;
    hn_pair_cost *store = calloc(n * n, sizeof *store);
    int *number = calloc(n, sizeof *number);
    if (!store || !number)
        code = error_set(HN_ENOMEM, "no memory for %d hosts", d->n);
    for (int i = 0; code == HN_OK && i < d->n; i++)
        code = hn_net_set_host(net, host[i], &d->cost[i]);
    if (code == HN_OK)
        code = add_subnets(net, host, d, number);
    for (int i = 0; code == HN_OK && i < d->n; i++)
        /* The model's numbers of subnets need not be those of the derivation. */
        number[d->subnet_of[i]] = hn_net_subnet_of(net, host[i]);
    if (code == HN_OK)
        code = set_sites(net, host, d);
    if (code == HN_OK)
        code = state_sites(net, d, store);
    if (code == HN_OK)
        code = state_subnets(net, d, number, store);
    if (code == HN_OK)
        code = state_lines(net, d, number);
    if (code == HN_OK)
        code = state_pairs(net, host, d);
    if (code == HN_OK)
        code = state_wires(net, d, number);
    free(store);
    free(number);
    return code;
}

/* ---- errors ------------------------------------------------------------------------------- */

/* The error of a pair and size is relative; residual is the root of the mean square of all. */
void derive_errors(const struct derivation *d, struct derive_notes *notes)
{
    const int *host = d->input.host;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < d->n * d->n; i++)
        for (int k = 0; k < d->pair[i].count; k++) {
            const struct fit_point *point = &d->pair[i].point[k];
            hn_time time =
                net_time_awake(d->input.net, host[i / d->n], host[i % d->n], point->bytes);
            double error = (double)time / 1e3 / (double)point->ns - 1;
            sum += error * error;
            count++;
            notes->worst = fmax(notes->worst, fabs(error));
        }
    notes->residual = count ? sqrt(sum / count) : 0;
}
