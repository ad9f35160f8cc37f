/* ECO's partition: the published example, the test vectors, and properties on random networks; slow
 * hosts on one wire; sites. */
#include "random.h"
#include "derive/site.h"
#include "derive/subnet.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

/* ---- vectors ------------------------------------------------------------------------------ */

static void read_costs(struct json_object *matrix, int n, int64_t *cost)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            struct json_object *row = json_object_array_get_idx(matrix, (size_t)i);
            double value = json_object_get_double(json_object_array_get_idx(row, (size_t)j));
            cost[i * n + j] = (int64_t)(value * 1024); /* the files hold halves and the like */
        }
}

static void expect_subnets(const char *name, struct json_object *subnets, int n,
                           const int *subnet_of, int count)
{
    cr_expect_eq((int)json_object_array_length(subnets), count, "%s: %d subnets", name, count);
    int members = 0;
    for (int s = 0; s < (int)json_object_array_length(subnets); s++) {
        struct json_object *list = json_object_array_get_idx(subnets, (size_t)s);
        for (size_t i = 0; i < json_object_array_length(list); i++, members++) {
            int host = json_object_get_int(json_object_array_get_idx(list, i));
            cr_expect_eq(subnet_of[host], s, "%s: host %d", name, host);
        }
    }
    cr_expect_eq(members, n);
}

static int check_vector(const char *path)
{
    struct json_object *root = json_object_from_file(path), *kind, *input, *expected, *partitions;
    int checked = 0;
    cr_assert_not_null(root, "%s", path);
    json_object_object_get_ex(root, "kind", &kind);
    if (strcmp(json_object_get_string(kind), "topology") == 0) {
        json_object_object_get_ex(root, "input", &input);
        json_object_object_get_ex(root, "expected", &expected);
        json_object_object_get_ex(expected, "partitions", &partitions);
        int n = json_object_get_int(json_object_object_get(input, "n"));
        cr_assert_leq(n, MOST);
        int64_t cost[MOST * MOST];
        read_costs(json_object_object_get(input, "cost"), n, cost);
        for (size_t i = 0; i < json_object_array_length(partitions); i++, checked++) {
            struct json_object *entry = json_object_array_get_idx(partitions, i);
            double tolerance = json_object_get_double(json_object_object_get(entry, "tolerance"));
            int subnet_of[MOST];
            int count = subnet_partition(n, cost, (int64_t)(tolerance * 1e6 + 0.5), subnet_of);
            expect_subnets(path, json_object_object_get(entry, "subnets"), n, subnet_of, count);
        }
    }
    json_object_put(root);
    return checked;
}

/* Every vector that holds partitions, whatever its name: our own, and those beside the checkout. */
Test(subnet, vectors)
{
    static const char *const places[] = {VECTORS "/*.json", SHARED "/vectors/*.json"};
    int checked[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        glob_t files = {0};
        glob(places[k], 0, NULL, &files);
        for (size_t i = 0; i < files.gl_pathc; i++)
            checked[k] += check_vector(files.gl_pathv[i]);
        globfree(&files);
    }
    cr_expect_gt(checked[0], 0);
}

/* ECO, Table 1 and Figure 1b: three Ethernet segments of two hosts each. */
Test(subnet, published_example)
{
    static const int64_t cost[] = {0, 3, 1, 3, 3, 3, 3, 0, 3, 3, 3, 1, 1, 3, 0, 3, 3, 3,
                                   3, 3, 3, 0, 1, 3, 3, 3, 3, 1, 0, 3, 3, 1, 3, 3, 3, 0};
    static const int want[] = {0, 1, 0, 2, 2, 1};
    int subnet_of[6];
    cr_expect_eq(subnet_partition(6, cost, 200000, subnet_of), 3);
    cr_expect_arr_eq(subnet_of, want, sizeof want);
}

/* ---- edges of the rules ------------------------------------------------------------------- */

Test(subnet, tolerance_is_inclusive)
{
    int64_t cost[] = {0, 10, 12, 10, 0, 12, 12, 12, 0};
    int subnet_of[3];
    cr_expect_eq(subnet_partition(3, cost, 200000, subnet_of), 1); /* 12 = 1.2 * 10 */
    cr_expect_eq(subnet_partition(3, cost, 199999, subnet_of), 2);
    cr_expect_eq(subnet_of[2], 1);
}

Test(subnet, small_networks)
{
    int subnet_of[2] = {-1, -1};
    int64_t cost[] = {0, 7, 9, 0};
    cr_expect_eq(subnet_partition(0, cost, 200000, subnet_of), 0);
    cr_expect_eq(subnet_partition(1, cost, 200000, subnet_of), 1);
    cr_expect_eq(subnet_of[0], 0);
    cr_expect_eq(subnet_partition(2, cost, 200000, subnet_of), 1);
    cr_expect_eq(subnet_of[1], 0);
}

Test(subnet, huge_costs_do_not_overflow)
{
    int64_t big = INT64_MAX / 2, cost[] = {0, big, big, big, 0, big, big, big, 0};
    int subnet_of[3];
    cr_expect_eq(subnet_partition(3, cost, 1000000000, subnet_of), 1);
}

/* ---- properties --------------------------------------------------------------------------- */

/* The rules as they stand in the vectors' description, with sets instead of a forest. */
static void reference(int n, const int64_t *cost, int64_t tolerance, int *group)
{
    double limit = 1 + (double)tolerance / 1e6, submin[MOST], nearest[MOST];
    bool used[MOST][MOST] = {{false}}, merged[MOST] = {false};
    for (int i = 0; i < n; i++) {
        group[i] = i;
        submin[i] = 0;
        nearest[i] = 1e300;
        for (int j = 0; j < n; j++)
            if (j != i && (double)(cost[i * n + j] + cost[j * n + i]) < nearest[i])
                nearest[i] = (double)(cost[i * n + j] + cost[j * n + i]);
    }
    for (int edge = 0; edge < n * (n - 1) / 2; edge++) {
        int a = -1, b = -1;
        double w = 1e300;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                if (!used[i][j] && (double)(cost[i * n + j] + cost[j * n + i]) < w) {
                    w = (double)(cost[i * n + j] + cost[j * n + i]);
                    a = i, b = j;
                }
        used[a][b] = true;
        int x = group[a], y = group[b];
        if (x == y || w > limit * nearest[a] || w > limit * nearest[b] ||
            (merged[x] && w > limit * submin[x]) || (merged[y] && w > limit * submin[y]))
            continue;
        submin[x] = merged[x] && submin[x] < w ? submin[x] : w;
        if (merged[y] && submin[y] < submin[x])
            submin[x] = submin[y];
        merged[x] = true;
        for (int i = 0; i < n; i++)
            if (group[i] == y)
                group[i] = x;
    }
}

/* Costs are small multiples of 5 and the tolerance 0.2, so that limits are met exactly. Eight hosts
 * on one switch of 1 Gb/s, 1 KiB as it was measured once, beside other programs: they are one
 * subnet; what is ten times as far is far. */
Test(subnet, noise_of_microseconds_takes_no_fast_network_apart)
{
    enum { N = 8 };
    static const int64_t measured[] = {15990, 19110, 18665, 22662, 19416, 21600, 9512,
                                       16896, 15398, 15353, 18284, 15349, 16480, 18940,
                                       19266, 15333, 18685, 19130, 14277, 14842, 16931,
                                       15439, 22106, 16896, 11020, 15819, 18940, 20463};
    int64_t ns[N * N] = {0};
    int subnet_of[N];
    for (int a = 0, i = 0; a < N; a++)
        for (int b = a + 1; b < N; b++)
            ns[a * N + b] = ns[b * N + a] = measured[i++];
    cr_expect_gt(subnet_partition(N, ns, 200000, subnet_of), 1);
    cr_expect_eq(subnet_partition_measured(N, ns, 200000, subnet_of), 1);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            ns[a * N + b] *= a / 4 == b / 4 ? 1 : 10;
    cr_expect_eq(subnet_partition_measured(N, ns, 200000, subnet_of), 2);
}

Test(subnet, equals_the_plain_rules)
{
    for (uint64_t first = random_seed(), run = first; run < first + 300; run++) {
        uint64_t state = run;
        int n = 1 + (int)random_below(&state, 12);
        int64_t cost[MOST * MOST];
        int subnet_of[MOST], group[MOST];
        for (int i = 0; i < n * n; i++)
            cost[i] = 5 * (1 + random_below(&state, 9));
        int64_t tolerance = run % 3 ? 200000 : 500000;
        int count = subnet_partition(n, cost, tolerance, subnet_of);
        reference(n, cost, tolerance, group);
        for (int i = 0; i < n; i++) {
            cr_expect(subnet_of[i] >= 0 && subnet_of[i] < count);
            for (int j = 0; j < i; j++)
                cr_expect_eq(subnet_of[i] == subnet_of[j], group[i] == group[j],
                             "HNOW_SEED=%" PRIu64 ": hosts %d and %d", run, i, j);
        }
    }
}

/* Hosts of a cluster differ by less than the tolerance, other clusters are half as far again. */
Test(subnet, finds_planted_clusters)
{
    for (uint64_t base = random_seed(), run = base; run < base + 100; run++) {
        uint64_t state = run;
        int n = 2 + (int)random_below(&state, MOST - 2);
        int clusters = 1 + (int)random_below(&state, 6), cluster[MOST], first[MOST], seen = 0;
        int64_t cost[MOST * MOST];
        int subnet_of[MOST];
        for (int i = 0; i < MOST; i++)
            first[i] = -1;
        for (int i = 0; i < n; i++) {
            cluster[i] = (int)random_below(&state, clusters);
            if (first[cluster[i]] < 0)
                first[cluster[i]] = seen++;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                cost[i * n + j] =
                    random_below(&state, 100) + (cluster[i] == cluster[j] ? 1000 : 2000);
        /* a cluster of one has only far edges: it may join another; give it none */
        int members[MOST] = {0};
        for (int i = 0; i < n; i++)
            members[cluster[i]]++;
        bool lonely = false;
        for (int c = 0; c < clusters; c++)
            lonely |= members[c] == 1;
        if (lonely)
            continue;
        cr_expect_eq(subnet_partition(n, cost, 200000, subnet_of), seen, "HNOW_SEED=%" PRIu64, run);
        for (int i = 0; i < n; i++)
            cr_expect_eq(subnet_of[i], first[cluster[i]], "HNOW_SEED=%" PRIu64 ": host %d", run, i);
    }
}

/* ---- slow hosts --------------------------------------------------------------------------- */

/* Hosts on one switch whose messages cost what the hosts cost, and a wire; noise of two per cent.
 */
static void additive_costs(uint64_t *state, int n, const int64_t *own, int64_t *cost)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i * n + j] =
                (own[i] / 2 + own[j] / 2 + 40000) * (1000 + random_below(state, 20)) / 1000;
}

Test(merge, slow_hosts_of_one_switch_are_in_its_subnet)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 200; run++) {
        enum { N = 9 };
        int64_t own[N], cost[N * N];
        int subnet_of[N], slow = 2 + (int)random_below(&state, 4);
        for (int i = 0; i < N; i++)
            own[i] = i < slow ? 250000 : 120000;
        additive_costs(&state, N, own, cost);
        subnet_partition(N, cost, 200000, subnet_of);
        cr_expect_eq(subnet_merge(N, cost, own, 200000, subnet_of), 1,
                     "HNOW_SEED=%" PRIu64 " run %d", random_seed(), run);
    }
}

/* The same without any knowledge of the hosts themselves. */
Test(merge, two_slow_hosts_prove_each_other)
{
    uint64_t state = random_seed();
    enum { N = 6 };
    int64_t own[N] = {120000, 120000, 120000, 260000, 260000, 260000}, none[N] = {0}, cost[N * N];
    int subnet_of[N];
    additive_costs(&state, N, own, cost);
    subnet_partition(N, cost, 200000, subnet_of);
    cr_expect_eq(subnet_merge(N, cost, none, 200000, subnet_of), 1);
}

/* ECO's segments: hosts alike, and every way to another segment crosses one bridge. */
Test(merge, hosts_behind_a_bridge_stay_there)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 200; run++) {
        enum { N = 12 };
        int64_t own[N], cost[N * N];
        int segment[N], subnet_of[N], segments = 2 + (int)random_below(&state, 4);
        for (int i = 0; i < N; i++) {
            own[i] = 95000 + random_below(&state, 9000);
            segment[i] = i < segments ? i : (int)random_below(&state, segments);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                cost[i * N + j] = segment[i] == segment[j] ? 940000 : 1840000;
        int count = subnet_partition(N, cost, 200000, subnet_of);
        int before[N];
        memcpy(before, subnet_of, sizeof before);
        cr_expect_eq(subnet_merge(N, cost, own, 200000, subnet_of), count,
                     "HNOW_SEED=%" PRIu64 " run %d", random_seed(), run);
        cr_expect_arr_eq(before, subnet_of, sizeof before);
    }
}

/* ---- sites -------------------------------------------------------------------------------- */

/* Places on a line, in nanoseconds; each host is a subnet of its own, or two are one. */
static int sites_of(int n, const int64_t *place, int groups, const int *group, int *site)
{
    int64_t cost[MOST * MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i * n + j] = 30000 + llabs(place[i] - place[j]);
    return site_partition(n, cost, groups, group, site);
}

Test(site, machine_rooms_and_wide_area_links)
{
    int64_t place[] = {0, 0, 60000, 60000, 12000000, 12000000, 12060000, 30000000};
    int group[] = {0, 0, 1, 1, 2, 2, 3, 4}, site[5], wanted[] = {0, 0, 1, 1, 2};
    cr_expect_eq(sites_of(8, place, 5, group, site), 3);
    cr_expect_arr_eq(site, wanted, sizeof wanted);
}

Test(site, no_jump_no_sites)
{
    int64_t near[] = {0, 300000, 900000, 1500000}, far[] = {0, 40000000, 90000000, 200000000};
    int group[] = {0, 1, 2, 3}, site[4];
    cr_expect_eq(sites_of(4, near, 4, group, site), 1);
    cr_expect_eq(sites_of(4, far, 4, group, site), 4);
    cr_expect_eq(sites_of(1, near, 1, group, site), 1);
}

/* Four rooms in a row, 5, 15 and 1 ms apart, where tenths of a millisecond are in each: no distance
 * is far beside all that is joined before, but the last two are near beside the way to the rest. */
Test(site, near_clusters_on_a_chain)
{
    int64_t place[] = {0, 100000, 5100000, 5200000, 20200000, 20300000, 21300000, 21400000};
    int group[] = {0, 0, 1, 1, 2, 2, 3, 3}, site[4], wanted[] = {0, 1, 2, 2};
    cr_expect_eq(sites_of(8, place, 4, group, site), 3);
    cr_expect_arr_eq(site, wanted, sizeof wanted);
}
