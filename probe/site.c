/* site.c - sites are where distances jump.
 *
 * Subnets are joined from the nearest on (single linkage, a subnet's distance being that of its
 * nearest pair of hosts).  The joining stops at the first distance that is far (2 ms) and eight
 * times what has been joined so far, the distances inside subnets included: machine rooms have
 * tenths of milliseconds, wide-area links many.  A network without such a jump is one site when all
 * is near, and as many sites as subnets when all is far.
 */
#include "site.h"
#include "error.h"
#include "hnow.h"

#include <stdlib.h>

enum { JUMP = 8 };

struct edge {
    int64_t cost;
    int a, b;
};

static int by_cost(const void *x, const void *y)
{
    const struct edge *e = x, *f = y;
    if (e->cost != f->cost)
        return e->cost < f->cost ? -1 : 1;
    return e->a != f->a ? e->a - f->a : e->b - f->b;
}

/* Nearest pairs of all groups; edges[a * groups + b], a <= b; inside a group, too. */
static void find_nearest(int n, const int64_t *cost, int groups, const int *group,
                         struct edge *edges)
{
    for (int a = 0; a < groups; a++)
        for (int b = 0; b < groups; b++)
            edges[a * groups + b] = (struct edge){INT64_MAX, a, b};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            struct edge *edge = &edges[group[i] * groups + group[j]];
            if (i != j && cost[i * n + j] < edge->cost)
                edge->cost = cost[i * n + j];
        }
}

/* The largest distance inside groups. */
static int64_t find_inside(int groups, const struct edge *edges)
{
    int64_t inside = 0;
    for (int a = 0; a < groups; a++) {
        int64_t cost = edges[a * groups + a].cost;
        if (cost < INT64_MAX && cost > inside)
            inside = cost;
    }
    return inside;
}

static void join(int groups, int *site_of, int a, int b)
{
    int from = site_of[a] > site_of[b] ? site_of[a] : site_of[b];
    int to = site_of[a] > site_of[b] ? site_of[b] : site_of[a];
    for (int g = 0; g < groups; g++)
        if (site_of[g] == from)
            site_of[g] = to;
}

/* Roots are the smallest members, so counting them in order numbers the sites. */
static int renumber(int groups, int *site_of)
{
    int count = 0;
    for (int g = 0; g < groups; g++)
        site_of[g] = site_of[g] == g ? count++ : site_of[site_of[g]];
    return count;
}

int site_partition(int n, const int64_t *cost, int groups, const int *group, int *site_of)
{
    size_t all = (size_t)groups * (size_t)groups;
    struct edge *edges = malloc((all + 1) * sizeof *edges);
    if (!edges)
        return error_set(HN_ENOMEM, "no memory for the sites of %d subnets", groups);
    find_nearest(n, cost, groups, group, edges);
    int64_t joined = find_inside(groups, edges);
    for (int g = 0; g < groups; g++)
        site_of[g] = g;
    qsort(edges, all, sizeof *edges, by_cost);
    for (size_t i = 0; i < all; i++) {
        const struct edge *e = &edges[i];
        if (site_of[e->a] == site_of[e->b])
            continue;
        if (e->cost >= SITE_FAR_NS && e->cost / JUMP >= joined)
            break;
        join(groups, site_of, e->a, e->b);
        joined = e->cost > joined ? e->cost : joined;
    }
    free(edges);
    return renumber(groups, site_of);
}
