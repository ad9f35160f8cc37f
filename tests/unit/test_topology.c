/* test_topology.c - who becomes which node: tours through networks, meshes and graphs on them. */
#include "model/cluster.h"
#include "random.h"
#include "random_net.h"
#include "planners/topology_map.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2 * RANDOM_HOSTS_MOST };

static void check_permutation(const int *list, int n, uint64_t seed)
{
    bool seen[MOST] = {false};
    for (int i = 0; i < n; i++) {
        cr_assert(list[i] >= 0 && list[i] < n && !seen[list[i]], "HNOW_SEED=%llu",
                  (unsigned long long)seed);
        seen[list[i]] = true;
    }
}

/* How often a closed tour goes from one label to another. */
static int changes(const int *tour, int n, const int *label)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += label[tour[i]] != label[tour[(i + 1) % n]];
    return count;
}

/* Whatever the network, each subnet is entered once. */
Test(topology, tours_enter_each_subnet_once)
{
    uint64_t seed = random_seed();
    for (int run = 0; run < random_rounds(300); run++) {
        uint64_t state = seed + (uint64_t)run;
        hn_net *net = random_net(&state);
        int host[MOST], tour[MOST], label[MOST], subnets = 0;
        int ranks = 1 + (int)random_below(&state, MOST);
        bool seen[8] = {false};
        struct model model;
        random_group(net, &state, host, ranks);
        model_of_net(&model, net, host, ranks, PORT_MEDIA);
        cr_assert_eq(topology_tour(&model, tour), HN_OK);
        check_permutation(tour, ranks, seed + (uint64_t)run);
        for (int r = 0; r < ranks; r++) {
            label[r] = hn_net_subnet_of(net, host[r]);
            subnets += !seen[label[r]];
            seen[label[r]] = true;
        }
        cr_assert_eq(changes(tour, ranks, label), subnets > 1 ? subnets : 0, "HNOW_SEED=%llu",
                     (unsigned long long)(seed + (uint64_t)run));
        hn_net_free(net);
    }
}

/* Subnets that hang together like a tree; the way between two costs what lies between them. The
 * members of a subnet are strewn over the file. */
static hn_net *tree_net(int subnets, const int *parent, int each)
{
    hn_net *net = hn_net_new(subnets * each);
    for (int s = 0; s < subnets; s++) {
        char name[3] = {'s', (char)('a' + s), '\0'};
        int members[8];
        for (int i = 0; i < each; i++)
            members[i] = (i * subnets + s) * 37 % (subnets * each);
        hn_net_add_subnet(net, name, HN_MEDIUM_SWITCH, members, each);
    }
    for (int a = 0; a < subnets; a++)
        for (int b = 0; b < subnets; b++) {
            int steps = 0;
            for (int x = a, y = b; x != y; steps++)
                if (x > y) /* parents have lower numbers */
                    x = parent[x];
                else
                    y = parent[y];
            char from[3] = {'s', (char)('a' + a), '\0'}, to[3] = {'s', (char)('a' + b), '\0'};
            int i = hn_net_subnet_index(net, from), k = hn_net_subnet_index(net, to);
            if (a != b)
                hn_net_set_link(net, i, k, (hn_pair_cost){1000000 * steps, 100}, 0);
        }
    return net;
}

/* Every edge of the tree is crossed twice, the least that a ring can do: also in the three segments
 * of ECO. */
Test(topology, tours_cross_each_boundary_twice)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 40; run++) {
        int subnets = run == 0 ? 3 : 2 + (int)random_below(&state, 11), each = 3,
            n = each * subnets;
        int parent[16] = {0}, tour[MOST], side[MOST];
        for (int s = 1; s < subnets; s++)
            parent[s] = run == 0 ? s - 1 : (int)random_below(&state, s);
        hn_net *net = tree_net(subnets, parent, each);
        struct model model;
        model_of_net(&model, net, NULL, n, PORT_MEDIA);
        cr_assert_eq(topology_tour(&model, tour), HN_OK);
        check_permutation(tour, n, random_seed());
        for (int cut = 1; cut < subnets; cut++) { /* what hangs on the edge from cut upwards */
            for (int h = 0; h < n; h++) {
                int s = hn_net_subnet_name(net, hn_net_subnet_of(net, h))[1] - 'a';
                while (s > cut)
                    s = parent[s];
                side[h] = s == cut;
            }
            cr_assert_eq(changes(tour, n, side), 2, "run %d", run);
        }
        hn_net_free(net);
    }
}

/* ---- meshes and graphs -------------------------------------------------------------------------
 */

struct lists {
    struct topology_graph g;
    int first[MOST + 2], other[MOST * 8], weight[MOST * 8];
};

/* A torus of two dimensions, at least 3 in each. */
static void torus(struct lists *l, int rows, int columns)
{
    l->g = (struct topology_graph){rows * columns, l->first, l->other, l->weight};
    int count = 0;
    for (int v = 0; v < rows * columns; v++) {
        int r = v / columns, c = v % columns;
        int others[] = {(r + 1) % rows * columns + c, (r + rows - 1) % rows * columns + c,
                        r * columns + (c + 1) % columns, r * columns + (c + columns - 1) % columns};
        l->first[v] = count;
        for (int i = 0; i < 4; i++) {
            l->weight[count] = 1;
            l->other[count++] = others[i];
        }
    }
    l->first[rows * columns] = count;
}

static int crossing_edges(const struct lists *l, const int *place, const struct model *model)
{
    int count = 0;
    for (int v = 0; v < l->g.nodes; v++)
        for (int i = l->first[v]; i < l->first[v + 1]; i++)
            count += model_subnet(model, place[v]) != model_subnet(model, place[l->other[i]]);
    return count / 2;
}

/* Two subnets, every other host in each: a torus of 4 x 8 is cut where that costs 8 edges,
 * or little more where some hosts are left over. */
Test(topology, a_torus_is_cut_where_it_is_narrow)
{
    int orders[64], place[36];
    struct lists l;
    struct model model;
    for (int left_over = 0; left_over <= 2; left_over += 2) {
        int each = 16 + left_over, members[2][18];
        hn_net *net = hn_net_new(2 * each);
        for (int h = 0; h < 2 * each; h++)
            members[h % 2][h / 2] = h;
        for (int s = 0; s < 2; s++)
            cr_assert_eq(
                hn_net_add_subnet(net, s ? "right" : "left", HN_MEDIUM_SWITCH, members[s], each),
                HN_OK);
        hn_net_set_link(net, 0, 1, (hn_pair_cost){5000000, 1000}, 0);
        hn_net_set_link(net, 1, 0, (hn_pair_cost){5000000, 1000}, 0);
        model_of_net(&model, net, NULL, 2 * each, PORT_MEDIA);
        torus(&l, 4, 8);
        for (int i = 0; i < 32; i++) {
            orders[i] = i;
            orders[32 + i] = i % 4 * 8 + i / 4;
        }
        cr_assert_eq(topology_map(&model, &l.g, orders, 2, place), HN_OK);
        check_permutation(place, 2 * each, 0);
        cr_assert_leq(crossing_edges(&l, place, &model), 8 + left_over);
        hn_net_free(net);
    }
}

/* Clusters of a graph that are as large as the subnets each get one of these. */
Test(topology, clusters_of_a_graph_find_their_subnets)
{
    enum { SUBNETS = 4, EACH = 6, N = SUBNETS * EACH };
    int parent[SUBNETS] = {0, 0, 1, 2}, place[N], order[N], count = 0;
    hn_net *net = tree_net(SUBNETS, parent, EACH);
    struct model model;
    struct lists l = {.g = {N, l.first, l.other, l.weight}};
    model_of_net(&model, net, NULL, N, PORT_MEDIA);
    for (int v = 0; v < N; v++) { /* v's cluster is v % SUBNETS; a ring joins one of each */
        l.first[v] = count;
        for (int u = v % SUBNETS; u < N; u += SUBNETS)
            if (u != v) {
                l.weight[count] = 2;
                l.other[count++] = u;
            }
        if (v < SUBNETS) {
            l.weight[count] = l.weight[count + 1] = 1;
            l.other[count++] = (v + 1) % SUBNETS;
            l.other[count++] = (v + SUBNETS - 1) % SUBNETS;
        }
        order[v] = v;
    }
    l.first[N] = count;
    cr_assert_eq(topology_map(&model, &l.g, order, 1, place), HN_OK);
    check_permutation(place, N, 0);
    cr_assert_eq(crossing_edges(&l, place, &model), SUBNETS);
    hn_net_free(net);
}

/* Any graph on any network: a right answer, also with nodes without edges and edges to oneself. */
Test(topology, any_graph_on_any_network)
{
    uint64_t seed = random_seed();
    for (int run = 0; run < random_rounds(100); run++) {
        uint64_t state = seed + (uint64_t)run;
        hn_net *net = random_net(&state);
        int host[MOST], place[MOST], order[MOST], count = 0;
        int ranks = 1 + (int)random_below(&state, MOST),
            nodes = 1 + (int)random_below(&state, ranks);
        struct model model;
        struct lists l = {.g = {nodes, l.first, l.other, l.weight}};
        random_group(net, &state, host, ranks);
        model_of_net(&model, net, host, ranks, PORT_MEDIA);
        for (int v = 0; v < nodes; v++) {
            l.first[v] = count;
            order[v] = nodes - 1 - v;
            for (int i = (int)random_below(&state, 8); i > 0; i--) {
                l.weight[count] = 1 + (int)random_below(&state, TOPOLOGY_WEIGHT_MOST);
                l.other[count++] = (int)random_below(&state, nodes);
            }
        }
        l.first[nodes] = count;
        cr_assert_eq(topology_map(&model, &l.g, order, 1, place), HN_OK);
        check_permutation(place, ranks, seed + (uint64_t)run);
        hn_net_free(net);
    }
}
