/* subnet.c - ECO's partition (Lowekamp and Beguelin 1995, section 4.2, Figure 2).
 *
 * Edges are taken in the order of their cost.  An edge joins the subnets of its two hosts unless it
 * is dearer, by more than the tolerance, than the cheapest edge of either host, or than the
 * cheapest edge inside the subnet that either host is in already.  So hosts on one segment come
 * together, and a segment never swallows another one that is farther away.
 *
 * Ties: equal edges are taken by their smaller, then their larger host.  A host alone is no subnet
 * yet, so only the first rule holds for it.  Costs are the sum of both directions (twice the mean)
 * and comparisons are made in 128 bits: exact, so every machine finds the same subnets.
 */
#include "subnet.h"
#include "error.h"

#include <stdbool.h>
#include <stdlib.h>

struct edge {
    int64_t cost;
    int a, b;
};

struct partition {
    int n;
    int64_t limit;    /* 1 + tolerance, in millionths */
    int64_t *nearest; /* cheapest edge of each host */
    int64_t *inside;  /* cheapest edge in the subnet whose root is this host; -1: it is alone */
    int *parent;      /* union-find forest */
};

static int by_cost(const void *x, const void *y)
{
    const struct edge *e = x, *f = y;
    if (e->cost != f->cost)
        return e->cost < f->cost ? -1 : 1;
    if (e->a != f->a)
        return e->a < f->a ? -1 : 1;
    return (e->b > f->b) - (e->b < f->b);
}

static int find_root(const struct partition *p, int host)
{
    while (p->parent[host] != host) {
        p->parent[host] = p->parent[p->parent[host]];
        host = p->parent[host];
    }
    return host;
}

static bool too_dear(const struct partition *p, int64_t cost, int64_t cheapest)
{
    return (__int128)cost * 1000000 > (__int128)p->limit * cheapest;
}

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

static void take_edge(struct partition *p, const struct edge *edge)
{
    int a = find_root(p, edge->a), b = find_root(p, edge->b);
    if (a == b || too_dear(p, edge->cost, p->nearest[edge->a]) ||
        too_dear(p, edge->cost, p->nearest[edge->b]))
        return;
    if ((p->inside[a] >= 0 && too_dear(p, edge->cost, p->inside[a])) ||
        (p->inside[b] >= 0 && too_dear(p, edge->cost, p->inside[b])))
        return;
    join(p, a, b, edge->cost);
}

/* All edges, sorted; also finds each host's cheapest. */
static size_t list_edges(struct partition *p, const int64_t *cost, struct edge *edges)
{
    size_t count = 0, n = (size_t)p->n;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            int64_t both = cost[a * n + b] + cost[b * n + a];
            edges[count++] = (struct edge){.cost = both, .a = (int)a, .b = (int)b};
            if (both < p->nearest[a])
                p->nearest[a] = both;
            if (both < p->nearest[b])
                p->nearest[b] = both;
        }
    qsort(edges, count, sizeof *edges, by_cost);
    return count;
}

/* Roots are the smallest members, so counting them in order numbers the subnets as wanted. */
static int number_subnets(const struct partition *p, int *subnet_of)
{
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        int root = find_root(p, i);
        subnet_of[i] = root == i ? count++ : subnet_of[root];
    }
    return count;
}

int subnet_partition(int n, const int64_t *cost, int64_t tolerance, int *subnet_of)
{
    size_t hosts = (size_t)n, most = hosts * (hosts - (hosts > 0)) / 2;
    struct partition p = {.n = n, .limit = 1000000 + tolerance};
    struct edge *edges = malloc((most + 1) * sizeof *edges);
    int count = HN_ENOMEM;
    p.nearest = malloc((hosts + 1) * sizeof *p.nearest);
    p.inside = malloc((hosts + 1) * sizeof *p.inside);
    p.parent = malloc((hosts + 1) * sizeof *p.parent);
    if (!edges || !p.nearest || !p.inside || !p.parent) {
        error_set(HN_ENOMEM, "no memory to partition %d hosts", n);
        goto done;
    }
    for (int i = 0; i < n; i++) {
        p.nearest[i] = INT64_MAX;
        p.inside[i] = -1;
        p.parent[i] = i;
    }
    most = list_edges(&p, cost, edges);
    for (size_t i = 0; i < most; i++)
        take_edge(&p, &edges[i]);
    count = number_subnets(&p, subnet_of);
done:
    free(edges);
    free(p.nearest);
    free(p.inside);
    free(p.parent);
    return count;
}
