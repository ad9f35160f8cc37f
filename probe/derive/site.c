/* site.c - finds sites where distances jump.
 *
 * Subnets are joined in the order of their distance (single linkage; the distance is that of the
 * nearest pair of hosts).  Joining stops at the first distance that is at least 2 ms and eight
 * times all earlier ones, including those inside subnets: machine rooms have tenths of a
 * millisecond, wide-area links many.  A network without such a jump is one site if everything is
 * near, and each subnet is a site if everything is far.
 *
 * Some subnets may be near each other while the others are far, at various distances.  Joining as
 * above would miss what such a cluster shares on its way to the others.  So if sites are no
 * separate level, each cluster stops growing on its own, at a distance that is large compared to
 * its own inside.
 */
#include "derive/site.h"
#include "derive/values.h"
#include "runtime/internal.h"
#include "hnow.h"
#include "thresholds.h"

#include <stdbool.h>

/* Finds the nearest pairs of all groups; edges[a * groups + b], a <= b, including those inside a
 * group. */
static void find_nearest(int n, const int64_t *cost, int groups, const int *group,
                         struct values_edge *edges)
{
    for (int a = 0; a < groups; a++)
        for (int b = 0; b < groups; b++)
            edges[a * groups + b] = (struct values_edge){INT64_MAX, a, b};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            struct values_edge *edge = &edges[group[i] * groups + group[j]];
            if (i != j && cost[i * n + j] < edge->cost)
                edge->cost = cost[i * n + j];
        }
}

/* The distance inside a group; 0: it is one host. */
static int64_t inside_of(int groups, const struct values_edge *edges, int group)
{
    int64_t cost = edges[group * groups + group].cost;
    return cost < INT64_MAX ? cost : 0;
}

/* Both conditions are necessary.  Times of a fast LAN may differ by a factor of eight between two
 * switches, and in a network of wide-area links 2 ms are nothing remarkable. */
static bool is_jump(int64_t cost, int64_t joined)
{
    return cost >= SITE_FAR_NS && cost / SITE_JUMP_TIMES >= joined;
}

/* The smaller number remains. O(groups), which is enough for some hundred subnets. */
static void join(int groups, int *site_of, int a, int b)
{
    int from = site_of[a] > site_of[b] ? site_of[a] : site_of[b];
    int to = site_of[a] > site_of[b] ? site_of[b] : site_of[a];
    for (int g = 0; g < groups; g++)
        if (site_of[g] == from)
            site_of[g] = to;
}

/* Joins up to the first global jump; inside[group] is updated. */
static void join_near(int groups, const struct values_edge *edges, const int64_t *inside,
                      int *site_of)
{
    int64_t joined = 0;
    for (int g = 0; g < groups; g++)
        joined = int64_larger(joined, inside[g]);
    for (int i = 0; i < groups * groups && !is_jump(edges[i].cost, joined); i++)
        if (site_of[edges[i].a] != site_of[edges[i].b]) {
            join(groups, site_of, edges[i].a, edges[i].b);
            joined = int64_larger(joined, edges[i].cost);
        }
}

/* Joins each cluster up to a jump of its own. inside[group] becomes the cluster's, indexed by its
 * smallest member; INT64_MIN, below every distance, marks a cluster that has stopped. */
static void join_each(int groups, const struct values_edge *edges, int64_t *inside, int *site_of)
{
    for (int i = 0; i < groups * groups; i++) {
        int a = site_of[edges[i].a], b = site_of[edges[i].b];
        if (a == b)
            continue;
        bool jump_a = is_jump(edges[i].cost, inside[a]), jump_b = is_jump(edges[i].cost, inside[b]);
        inside[a] = jump_a ? INT64_MIN : inside[a];
        inside[b] = jump_b ? INT64_MIN : inside[b];
        if (jump_a || jump_b)
            continue;
        join(groups, site_of, a, b);
        inside[a < b ? a : b] = int64_larger(edges[i].cost, int64_larger(inside[a], inside[b]));
    }
}

/* The initial state: every group is a site of its own. */
static void each_its_own(int groups, int *site_of)
{
    for (int g = 0; g < groups; g++)
        site_of[g] = g;
}

int site_partition(int n, const int64_t *cost, int groups, const int *group, int *site_of)
{
    size_t all = (size_t)groups * (size_t)groups;
    struct arena room = {0};
    struct values_edge *edges = arena_array(&room, all + 1, sizeof *edges);
    int64_t *inside = arena_array(&room, (size_t)groups + 1, sizeof *inside);
    if (room.failed) {
        arena_free(&room);
        return error_set(HN_ENOMEM, "no memory for the sites of %d subnets", groups);
    }
    find_nearest(n, cost, groups, group, edges);
    for (int g = 0; g < groups; g++)
        inside[g] = inside_of(groups, edges, g);
    values_sort_edges(edges, all);
    each_its_own(groups, site_of);
    join_near(groups, edges, inside, site_of);
    /* A single site, or none but the subnets themselves: then clusters are searched one by one. */
    int sites = values_number(groups, site_of);
    if (sites == 1 || sites == groups) {
        each_its_own(groups, site_of);
        join_each(groups, edges, inside, site_of);
        sites = values_number(groups, site_of);
    }
    arena_free(&room);
    return sites;
}
