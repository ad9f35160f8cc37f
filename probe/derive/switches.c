/* switches.c - average linkage (switches.h). */
#include "derive/switches.h"
#include "derive/values.h"
#include "runtime/internal.h"
#include "hnow.h"
#include "thresholds.h"

#include <stdbool.h>
#include <stdlib.h>

/* Sums of known values between any two clusters, stored at their smallest members. Values are means
 * over pairs of hosts, so clusters of any size are comparable. */
struct linkage {
    int n;
    int *rack; /* [host]: smallest member of its cluster */
    int *size;
    double *sum; /* [a * n + b], symmetric; [a * n + a]: inside, each pair once */
    int *count;
};

/* 0: nothing is known. */
static double mean(const struct linkage *l, int a, int b)
{
    int at = a * l->n + b;
    return l->count[at] ? l->sum[at] / l->count[at] : 0;
}

static bool is_cluster(const struct linkage *l, int host)
{
    return l->rack[host] == host;
}

/* Finds the two clusters with the fastest exchanges; false: nothing is known about any. */
static bool find_quickest(const struct linkage *l, int *x, int *y)
{
    double least = 0;
    bool found = false;
    for (int a = 0; a < l->n; a++)
        for (int b = a + 1; is_cluster(l, a) && b < l->n; b++)
            if (is_cluster(l, b) && l->count[a * l->n + b] && (!found || mean(l, a, b) < least)) {
                least = mean(l, a, b);
                *x = a;
                *y = b;
                found = true;
            }
    return found;
}

/* The smaller number remains as the name of the joined cluster. */
static void join(struct linkage *l, int a, int b)
{
    int n = l->n, between = a * n + b;
    l->sum[a * n + a] += l->sum[b * n + b] + l->sum[between];
    l->count[a * n + a] += l->count[b * n + b] + l->count[between];
    for (int other = 0; other < n; other++) {
        if (!is_cluster(l, other) || other == a || other == b)
            continue;
        l->sum[other * n + a] = l->sum[a * n + other] += l->sum[b * n + other];
        l->count[other * n + a] = l->count[a * n + other] += l->count[b * n + other];
    }
    l->size[a] += l->size[b];
    for (int host = 0; host < n; host++)
        if (l->rack[host] == b)
            l->rack[host] = a;
}

/* How much slower exchanges between clusters are than those inside; 0: a cluster is one host, or
 * there is only one cluster. A cluster of one host ends the comparison: nothing inside it has been
 * measured, and a host with a slow port would look like a rack of its own. */
static double gap_of(const struct linkage *l)
{
    double inside = 0, between = 0;
    int in = 0, out = 0;
    for (int a = 0; a < l->n; a++) {
        if (!is_cluster(l, a))
            continue;
        if (l->size[a] == 1)
            return 0;
        inside += l->sum[a * l->n + a];
        in += l->count[a * l->n + a];
        for (int b = a + 1; b < l->n; b++)
            if (is_cluster(l, b)) {
                between += l->sum[a * l->n + b];
                out += l->count[a * l->n + b];
            }
    }
    return in && out ? between / out - inside / in : 0;
}

/* At first each host is a cluster of its own. */
static void fill(struct linkage *l, const double *slow)
{
    for (int a = 0; a < l->n; a++) {
        l->rack[a] = a;
        l->size[a] = 1;
        for (int b = 0; b < l->n; b++)
            if (a != b && slow[a * l->n + b] > 0) {
                l->sum[a * l->n + b] = slow[a * l->n + b];
                l->count[a * l->n + b] = 1;
            }
    }
}

/* Every division on the way from single hosts to one cluster is a candidate, and the one with the
 * largest gap wins.  A limit on the distance, as in subnet.c, would need to know how slow a cable
 * is. */
int switches_divide(int n, const double *slow, int *rack)
{
    size_t hosts = (size_t)n;
    struct arena room = {0};
    struct linkage l = {.n = n,
                        .rack = arena_array(&room, hosts + 1, sizeof *l.rack),
                        .size = arena_array(&room, hosts + 1, sizeof *l.size),
                        .sum = arena_array(&room, hosts * hosts + 1, sizeof *l.sum),
                        .count = arena_array(&room, hosts * hosts + 1, sizeof *l.count)};
    double best = SWITCH_GAP;
    int a, b, racks = 1;
    for (int i = 0; i < n; i++)
        rack[i] = 0;
    if (room.failed)
        racks = error_set(HN_ENOMEM, "no memory for the racks of %d hosts", n);
    else
        fill(&l, slow);
    while (!room.failed && find_quickest(&l, &a, &b)) {
        join(&l, a, b);
        /* Of equal gaps the later division counts: it has fewer racks. */
        double gap = gap_of(&l);
        if (gap < best)
            continue;
        best = gap;
        for (int i = 0; i < n; i++)
            rack[i] = l.rack[i];
        racks = values_number(n, rack);
    }
    arena_free(&room);
    return racks;
}

/* ---- labels ------------------------------------------------------------------------------- */

/* The label of the nearest host of the subnet that has one, or the host's own; -1: none. */
static int label_of(int n, const int64_t *cost, const int *label, const int *subnet_of, int host)
{
    int nearest = -1;
    if (label[host] >= 0)
        return label[host];
    for (int i = 0; i < n; i++)
        if (i != host && subnet_of[i] == subnet_of[host] && label[i] >= 0 &&
            (nearest < 0 || cost[host * n + i] < cost[host * n + nearest]))
            nearest = i;
    return nearest < 0 ? -1 : label[nearest];
}

int switches_split(int n, const int64_t *cost, const int *label, int *subnet_of)
{
    int *mine = calloc(2 * (size_t)n + 1, sizeof *mine), *part = mine + n, count = 0;
    if (!mine)
        return error_set(HN_ENOMEM, "no memory for the racks of %d hosts", n);
    for (int i = 0; i < n; i++) {
        int like = 0;
        mine[i] = label_of(n, cost, label, subnet_of, i);
        while (like < i && (subnet_of[like] != subnet_of[i] || mine[like] != mine[i]))
            like++;
        part[i] = like < i ? part[like] : count++;
    }
    for (int i = 0; i < n; i++)
        subnet_of[i] = part[i];
    free(mine);
    return count;
}
