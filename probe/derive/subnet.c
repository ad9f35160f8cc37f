/* subnet.c - ECO's partition (Lowekamp and Beguelin 1995, section 4.2, Figure 2).
 *
 * Edges are taken in the order of their cost.  An edge joins the subnets of its two hosts unless it
 * is more expensive, by more than the tolerance, than the cheapest edge of either host, or than the
 * cheapest edge inside the subnet that either host is already in.  So hosts on one segment are
 * joined, and a segment never absorbs a farther one.
 *
 * Ties: equal edges are taken by their smaller, then their larger host.  A single host is no subnet
 * yet, so only the first rule applies to it.  Costs are the sum of both directions (twice the
 * mean).  Comparisons use exact 128-bit arithmetic, so every machine finds the same subnets.
 */
#include "derive/subnet.h"
#include "derive/values.h"
#include "runtime/internal.h"
#include "net/wide.h"
#include "thresholds.h"

#include <stdbool.h>
#include <stdlib.h>

/* State of one partition. `nearest` is fixed from the beginning; `inside` and the forest change
 * with each edge that is taken. */
struct partition {
    int n;
    int64_t limit;    /* 1 + tolerance, in millionths */
    int64_t *nearest; /* cheapest edge of each host */
    int64_t *inside;  /* cheapest edge in the subnet whose root is this host; -1: single host */
    int *parent;      /* union-find forest */
};

/* With path halving, so that later searches are short. */
static int find_root(const struct partition *p, int host)
{
    while (p->parent[host] != host) {
        p->parent[host] = p->parent[p->parent[host]];
        host = p->parent[host];
    }
    return host;
}

/* Exact: both products need up to 128 bits. */
static bool too_expensive(const struct partition *p, int64_t cost, int64_t cheapest)
{
    return wide_less(wide_product(p->limit, cheapest), wide_product(cost, 1000000));
}

/* The cheapest edge inside stays the measure of a subnet, however it grows.  With the newest edge
 * instead, a chain of hosts, each a little farther than the last one, would become one subnet. */
static void join(struct partition *p, int a, int b, int64_t cost)
{
    int64_t inside = cost;
    if (p->inside[a] >= 0 && p->inside[a] < inside)
        inside = p->inside[a];
    if (p->inside[b] >= 0 && p->inside[b] < inside)
        inside = p->inside[b];
    int root = a < b ? a : b;
    p->parent[a] = p->parent[b] = root;
    p->inside[root] = inside;
}

/* Edges come in ascending order, so an edge that is refused now would be refused later, too. */
static void take_edge(struct partition *p, const struct values_edge *edge)
{
    int a = find_root(p, edge->a), b = find_root(p, edge->b);
    if (a == b || too_expensive(p, edge->cost, p->nearest[edge->a]) ||
        too_expensive(p, edge->cost, p->nearest[edge->b]))
        return;
    if ((p->inside[a] >= 0 && too_expensive(p, edge->cost, p->inside[a])) ||
        (p->inside[b] >= 0 && too_expensive(p, edge->cost, p->inside[b])))
        return;
    join(p, a, b, edge->cost);
}

/* Lists and sorts all edges; also finds each host's cheapest. */
static size_t list_edges(struct partition *p, const int64_t *cost, int64_t blur,
                         struct values_edge *edges)
{
    size_t count = 0, n = (size_t)p->n;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            /* The blur counts in both directions: it makes near hosts seem equal, and changes
             * nothing for far ones. */
            int64_t both = cost[a * n + b] + cost[b * n + a] + 2 * blur;
            edges[count++] = (struct values_edge){.cost = both, .a = (int)a, .b = (int)b};
            if (both < p->nearest[a])
                p->nearest[a] = both;
            if (both < p->nearest[b])
                p->nearest[b] = both;
        }
    values_sort_edges(edges, count);
    return count;
}

/* Subnets are numbered in the order of their first hosts. Returns their number, or HN_ENOMEM. */
static int divide(int n, const int64_t *cost, int64_t blur, int64_t tolerance, int *subnet_of)
{
    size_t hosts = (size_t)n, most = hosts * (hosts - (hosts > 0)) / 2;
    struct partition p = {.n = n, .limit = 1000000 + tolerance};
    struct arena room = {0};
    struct values_edge *edges = arena_array(&room, most + 1, sizeof *edges);
    int count = HN_ENOMEM;
    ARENA_ARRAYS(&room, hosts + 1, p.nearest, p.inside, p.parent);
    for (int i = 0; !room.failed && i < n; i++) {
        p.nearest[i] = INT64_MAX;
        p.inside[i] = -1;
        p.parent[i] = i;
    }
    if (room.failed) {
        error_set(HN_ENOMEM, "no memory to partition %d hosts", n);
    } else {
        most = list_edges(&p, cost, blur, edges);
        for (size_t i = 0; i < most; i++)
            take_edge(&p, &edges[i]);
        for (int i = 0; i < n; i++)
            subnet_of[i] = find_root(&p, i);
        count = values_number(n, subnet_of);
    }
    arena_free(&room);
    return count;
}

int subnet_partition(int n, const int64_t *cost, int64_t tolerance, int *subnet_of)
{
    return divide(n, cost, 0, tolerance, subnet_of);
}

int subnet_partition_measured(int n, const int64_t *ns, int64_t tolerance, int *subnet_of)
{
    return divide(n, ns, SUBNET_BLUR_NS, tolerance, subnet_of);
}

/* ---- slow hosts, as opposed to distant ones ----------------------------------------------- */

/* Where some hosts of a switch need much more time for a message than others, ECO's rule separates
 * the slow ones: a slow host's cheapest edge leads to a fast host, so two slow hosts never join.
 * But the times of hosts add up (Banikazemi: S + X + R), while those of wires do not.  Let a and b
 * need e_a and e_b more than the members of a subnet among themselves.  This is their own cost only
 * if they need e_a + e_b more between each other.  Two hosts of another segment need less; so do
 * hosts of two other segments, because all three routes cross one bridge. */
struct merging {
    int n;
    const int64_t *cost, *own;
    int64_t tolerance;
    int *subnet_of;
    int64_t *excess; /* e of each host for the current subnet; -1: it is no candidate */
    int64_t base;    /* cost between members */
};

static int64_t both_directions(const struct merging *m, int a, int b)
{
    return m->cost[a * m->n + b] / 2 + m->cost[b * m->n + a] / 2;
}

/* Whether two costs are equal within the tolerance, or a part of it. */
static bool agree(const struct merging *m, int64_t a, int64_t b, int64_t part)
{
    int64_t apart = a > b ? a - b : b - a;
    return !wide_less(wide_product(m->tolerance / part, a > b ? a : b),
                      wide_product(apart, 1000000));
}

/* A sum of costs, which may exceed 64 bits. */
struct mean {
    wide sum;
    int64_t count;
};

static void mean_add(struct mean *mean, int64_t cost)
{
    mean->sum = wide_plus(mean->sum, wide_of(cost));
    mean->count++;
}

/* -1: of nothing. */
static int64_t mean_of(const struct mean *mean)
{
    return mean->count ? wide_int64(wide_over(mean->sum, wide_of(mean->count))) : -1;
}

/* The mean cost between the members of a subnet; -1: it has only one member. */
static int64_t base_of(const struct merging *m, int subnet)
{
    struct mean mean = {wide_of(0), 0};
    for (int a = 0; a < m->n; a++)
        for (int b = a + 1; b < m->n; b++)
            if (m->subnet_of[a] == subnet && m->subnet_of[b] == subnet)
                mean_add(&mean, both_directions(m, a, b));
    return mean_of(&mean);
}

/* How much more time a host needs than the members, if it is the same with all of them; -1: it is
 * not, or it is far more. ECO's tolerance decides what counts as equal here, too: it is the
 * accuracy that a network file claims for its subnets. For a sum of two excesses half of it is
 * allowed, because the errors of two measurements must not hide a wire. */
static int64_t excess_of(const struct merging *m, int subnet, int host)
{
    struct mean all = {wide_of(0), 0};
    int64_t low = INT64_MAX, high = 0;
    for (int g = 0; g < m->n; g++) {
        if (m->subnet_of[g] != subnet)
            continue;
        int64_t cost = both_directions(m, g, host);
        low = cost < low ? cost : low;
        high = cost > high ? cost : high;
        mean_add(&all, cost);
    }
    int64_t mean = mean_of(&all);
    if (!agree(m, low, high, 1) || mean > MERGE_MOST_TIMES * m->base)
        return -1;
    return mean > m->base ? mean - m->base : 0;
}

/* True if this part of the excess is explained by the host's own sends and receives, compared with
 * the members'. */
static bool own_explains(const struct merging *m, int subnet, int host, int64_t parts)
{
    struct mean own = {wide_of(0), 0};
    for (int g = 0; g < m->n; g++)
        if (m->subnet_of[g] == subnet && m->own[g])
            mean_add(&own, m->own[g]);
    return own.count && m->own[host] &&
           (m->own[host] - mean_of(&own)) / 2 * parts >= m->excess[host];
}

/* Two slow hosts need both excesses between each other; half of the tolerance is allowed. */
static bool adds_up(const struct merging *m, int a, int b)
{
    return agree(m, both_directions(m, a, b), m->base + m->excess[a] + m->excess[b], 2);
}

/* A host stays if its own cost explains most of its excess, or if it explains a part, and there is
 * another host with which it adds up. */
static bool is_slow(const struct merging *m, int subnet, int host)
{
    bool unknown = !m->own[host];
    if (own_explains(m, subnet, host, MERGE_PARTS))
        return true;
    for (int b = 0; b < m->n; b++)
        if (b != host && m->excess[b] >= 0 && m->subnet_of[b] != subnet && adds_up(m, host, b) &&
            (unknown || own_explains(m, subnet, host, MERGE_PAIR_PARTS)))
            return true;
    return false;
}

/* All hosts that stay must add up with each other; one that does not with most others is
 * removed. */
static void drop_misfits(struct merging *m, int subnet)
{
    for (;;) {
        int worst = -1, most = 0;
        for (int a = 0; a < m->n; a++) {
            int misfits = 0;
            for (int b = 0; b < m->n && m->excess[a] >= 0 && m->subnet_of[a] != subnet; b++)
                misfits +=
                    b != a && m->excess[b] >= 0 && m->subnet_of[b] != subnet && !adds_up(m, a, b);
            if (misfits > most) {
                most = misfits;
                worst = a;
            }
        }
        if (worst < 0)
            return;
        /* Without it others may have fewer misfits, so all are counted again. */
        m->excess[worst] = -1;
    }
}

/* Hosts joined by ECO's rule stay together: if one is removed, so are the others of its subnet. */
static void keep_together(struct merging *m)
{
    for (int a = 0; a < m->n; a++)
        for (int b = 0; b < m->n && m->excess[a] < 0; b++)
            if (m->subnet_of[a] == m->subnet_of[b])
                m->excess[b] = -1;
}

/* Moves slow hosts into the subnet. */
static void take_slow(struct merging *m, int subnet)
{
    m->base = base_of(m, subnet);
    if (m->base < 0)
        return;
    for (int i = 0; i < m->n; i++)
        m->excess[i] = m->subnet_of[i] == subnet ? 0 : excess_of(m, subnet, i);
    drop_misfits(m, subnet);
    for (int i = 0; i < m->n; i++)
        if (m->subnet_of[i] != subnet && m->excess[i] >= 0 && !is_slow(m, subnet, i))
            m->excess[i] = -1;
    keep_together(m);
    for (int i = 0; i < m->n; i++)
        if (m->excess[i] >= 0)
            m->subnet_of[i] = subnet;
}

int subnet_merge(int n, const int64_t *cost, const int64_t *own, int64_t tolerance, int *subnet_of)
{
    int64_t *excess = malloc(((size_t)n + 1) * sizeof *excess);
    if (!excess)
        return error_set(HN_ENOMEM, "no memory to partition %d hosts", n);
    struct merging m = {n, cost, own, tolerance, subnet_of, excess, 0};
    for (int subnet = 0; subnet < n; subnet++)
        take_slow(&m, subnet);
    free(excess);
    return values_number(n, subnet_of);
}
