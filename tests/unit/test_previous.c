/* Links, uplinks and lines that a network file states: they are kept when the network is measured
 * further. */
#include "derive/derive.h"
#include "derive/previous.h"
#include "derive/sample.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* One wire of those that are between two hosts; 0: none of that cost a byte, by a tenth. */
static bool passes(const hn_net *net, int from, int to, hn_per_byte wire)
{
    hn_channel way[HN_WAY_MOST];
    int count = hn_net_way(net, from, to, way);
    for (int i = 0; i < count; i++)
        if (way[i].per_byte > wire / 10 * 9 && way[i].per_byte < wire / 10 * 11)
            return true;
    return false;
}

enum { NET_MOST = 16 };

/* What is made of a network of which all is known and nothing is measured. */
static hn_net *found_again(const hn_net *net)
{
    struct samples samples = {0};
    struct derive_notes notes;
    int host[NET_MOST], n = hn_net_size(net);
    bool known[NET_MOST];
    hn_net *again = hn_net_new(n);
    for (int i = 0; i < n; i++) {
        host[i] = i;
        known[i] = true;
    }
    struct previous previous = {net, host, known};
    cr_assert_eq(derive_model(again, host, n, &samples, 200000, &previous, &notes), HN_OK);
    cr_expect_eq(notes.missing, 0);
    return again;
}

/* Hosts in subnets a, b, ... of two each. */
static hn_net *subnets_of_two(int subnets)
{
    hn_net *net = hn_net_new(2 * subnets);
    for (int i = 0; i < 2 * subnets; i++)
        hn_net_set_host(net, i, &(hn_host_cost){.send_const = 10000000, .recv_const = 10000000});
    for (int s = 0; s < subnets; s++) {
        char name[] = {(char)('a' + s), '\0'};
        hn_net_add_subnet(net, name, HN_MEDIUM_SWITCH, (int[]){2 * s, 2 * s + 1}, 2);
    }
    return net;
}

/* Two offices of two subnets and a third one of one: what is shared inside of an office, between
 * two, and by all that leaves one, is known again when a network is measured further. */
Test(previous, what_is_shared_stays_known)
{
    static const char *const site[] = {"x", "x", "y", "y", "z"};
    hn_net *net = subnets_of_two(5);
    for (int s = 0; s < 5; s++) {
        int subnet = hn_net_subnet_of(net, 2 * s);
        hn_net_set_site(net, subnet, site[s]);
        hn_net_set_subnet_cost(net, subnet, (hn_pair_cost){20000000, 8000000});
    }
    hn_net_set_link(net, hn_net_subnet_of(net, 0), hn_net_subnet_of(net, 2),
                    (hn_pair_cost){300000000, 80000000}, 80000000);
    hn_net_set_link(net, hn_net_subnet_of(net, 4), hn_net_subnet_of(net, 6),
                    (hn_pair_cost){300000000, 80000000}, 0);
    hn_net_set_link(net, hn_net_subnet_of(net, 2), hn_net_subnet_of(net, 0),
                    (hn_pair_cost){300000000, 80000000}, 80000000);
    hn_net_set_link(net, hn_net_subnet_of(net, 6), hn_net_subnet_of(net, 4),
                    (hn_pair_cost){300000000, 80000000}, 0);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a != b)
                hn_net_set_site_link(net, site[2 * a], site[2 * b],
                                     (hn_pair_cost){20000000000, 900000000},
                                     a + b == 3 ? 900000000 : 0);
    hn_net_set_site_uplink(net, "x", (hn_pair_cost){.per_byte = 700000000});
    hn_net *again = found_again(net);
    cr_expect(passes(again, 0, 3, 80000000), "inside x");
    cr_expect_not(passes(again, 4, 7, 80000000), "nothing is shared inside y");
    cr_expect(passes(again, 4, 8, 900000000), "between y and z");
    cr_expect(passes(again, 7, 9, 900000000), "by all of their subnets");
    cr_expect_not(passes(again, 0, 8, 900000000), "between x and z only the way out of x is");
    cr_expect(passes(again, 0, 8, 700000000) && passes(again, 3, 5, 700000000));
    cr_expect_not(passes(again, 0, 3, 700000000));
    cr_expect_not(passes(again, 4, 8, 700000000));
    hn_net_free(net);
    hn_net_free(again);
}

/* So does what each message takes of a port besides its bytes. */
Test(previous, what_messages_take_of_ports_stays_known)
{
    hn_net *net = subnets_of_two(1);
    hn_host_cost cost = {.send_const = 70000000,
                         .recv_const = 90000000,
                         .send_gap = 180000000,
                         .recv_gap = 80000000,
                         .send_gap_const = 40000000};
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){200000000, 180000000});
    hn_net_set_host(net, 1, &cost);
    hn_net *again = found_again(net);
    cr_expect_eq(hn_net_host(again, 0)->send_gap_const, 0);
    const hn_host_cost *found = hn_net_host(again, 1);
    cr_expect_eq(found->send_gap_const, cost.send_gap_const);
    cr_expect_eq(found->send_gap, cost.send_gap);
    hn_net_free(net);
    hn_net_free(again);
}

/* What carried multicasts before hosts were added does so still. */
Test(previous, multicasts_stay_known)
{
    hn_net *net = subnets_of_two(2);
    for (int s = 0; s < 2; s++)
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){20000000, 80000000});
    for (int s = 0; s < 2; s++)
        hn_net_set_link(net, s, !s, (hn_pair_cost){200000000, 80000000}, 0);
    hn_net_set_multicast(net, 1, 1);
    hn_net *again = found_again(net);
    cr_assert_eq(hn_net_subnet_count(again), 2);
    cr_expect_eq(hn_net_subnet_multicast(again, hn_net_subnet_of(again, 0)), 0);
    cr_expect_eq(hn_net_subnet_multicast(again, hn_net_subnet_of(again, 2)), 1);
    hn_net_free(net);
    hn_net_free(again);
}

/* Two racks, whose ways out are faster than one host, and slower than all of a rack. */
Test(previous, a_wide_uplink_stays_known)
{
    hn_net *net = subnets_of_two(2);
    for (int s = 0; s < 2; s++)
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){20000000, 80000000});
    for (int s = 0; s < 2; s++)
        hn_net_set_link(net, s, !s, (hn_pair_cost){200000000, 80000000}, 0);
    hn_net_set_uplink(net, 0, (hn_pair_cost){.per_byte = 30000000});
    hn_net *again = found_again(net);
    cr_expect(passes(again, 0, 2, 30000000) && passes(again, 3, 1, 30000000));
    cr_expect_not(passes(again, 0, 1, 30000000));
    hn_net_free(net);
    hn_net_free(again);
}

/* Two switches and a cable between them: only what their hosts share tells one from the other. */
Test(previous, racks_as_near_as_neighbours_stay_known)
{
    hn_net *net = subnets_of_two(2);
    for (int s = 0; s < 2; s++)
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){20000000, 80000000});
    hn_net *one = found_again(net);
    cr_expect_eq(hn_net_subnet_of(one, 0), hn_net_subnet_of(one, 3), "nothing is shared");
    hn_net_free(one);
    for (int s = 0; s < 2; s++)
        hn_net_set_link(net, s, !s, (hn_pair_cost){20000000, 80000000}, 80000000);
    hn_net *again = found_again(net);
    cr_expect_eq(hn_net_subnet_of(again, 0), hn_net_subnet_of(again, 1));
    cr_expect_neq(hn_net_subnet_of(again, 0), hn_net_subnet_of(again, 2));
    cr_expect(passes(again, 0, 2, 80000000) && !passes(again, 0, 1, 0));
    hn_net_free(net);
    hn_net_free(again);
}

/* A campus of two subnets, 1.5 ms apart, and a site that is 40 ms from the one and 42 from the
 * other: each pair of subnets has its own latency, and all of them share the sites' wire. */
Test(previous, subnets_of_a_site_may_be_nearer_than_others)
{
    enum { N = 6 };
    static const hn_time far[3][3] = {
        {0, 1500, 40000}, {1500, 0, 42000}, {40000, 42000, 0}}; /* us */
    static const char *const site[] = {"campus", "campus", "far"};
    const hn_pair_cost line = {40000000000, 80000000};
    hn_net *net = subnets_of_two(3);
    for (int a = 0; a < 3; a++) {
        hn_net_set_site(net, a, site[a]);
        hn_net_set_subnet_cost(net, a, (hn_pair_cost){20000000, 8000000});
        for (int b = 0; b < 3; b++)
            if (a != b)
                hn_net_set_link(net, a, b, (hn_pair_cost){far[a][b] * 1000000, 80000000}, 0);
    }
    hn_net_set_site_link(net, "campus", "far", line, 75000000);
    hn_net_set_site_link(net, "far", "campus", line, 75000000);
    cr_assert(passes(net, 0, 4, 75000000) && passes(net, 5, 3, 75000000));
    hn_net *again = found_again(net);
    cr_expect(passes(again, 0, 4, 75000000) && passes(again, 2, 4, 75000000));
    cr_expect(passes(again, 5, 3, 75000000));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = (double)hn_net_time(net, i, j, 1), y = (double)hn_net_time(again, i, j, 1);
            cr_expect(y > 0.99 * x - 1e8 && y < 1.01 * x + 1e8, "%d to %d: %g, not %g", i, j, y, x);
        }
    hn_net_free(net);
    hn_net_free(again);
}

/* Four sites on a chain, of which the line in the middle is the narrow one: it is known again as
 * what it is, between two sites on either side, and not as the way out of one of them. */
Test(previous, a_line_between_sites_stays_known)
{
    enum { N = 16 };
    static const hn_time at[4] = {0, 5000, 20000, 21000}; /* us along the chain */
    static const char *const site[] = {"w", "x", "y", "z"};
    hn_net *net = subnets_of_two(N / 2);
    for (int s = 0; s < N / 2; s++) {
        hn_net_set_site(net, s, site[s / 2]);
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){20000000, 8000000});
        hn_net_set_link(net, s, s ^ 1, (hn_pair_cost){300000000, 8000000}, 0);
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            if (a != b)
                hn_net_set_site_link(net, site[a], site[b],
                                     (hn_pair_cost){llabs(at[a] - at[b]) * 1000000,
                                                    a + b == 1 ? 400000000 : 1000000000},
                                     0);
    hn_net_set_site_uplink(net, "w", (hn_pair_cost){.per_byte = 400000000});
    cr_assert_eq(hn_net_add_line(net, "middle", site, 2, site + 2, 2, 1000000000), HN_OK);
    hn_net *again = found_again(net);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            cr_expect_eq(passes(again, i, j, 1000000000), i / 8 != j / 8, "%d to %d", i, j);
            cr_expect_eq(passes(again, i, j, 400000000), i / 4 != j / 4 && (i < 4 || j < 4),
                         "%d to %d", i, j);
        }
    hn_net_free(net);
    hn_net_free(again);
}

/* A switch whose way out is as slow as two old buses beside it: no bus makes up for what the file
 * states. */
Test(previous, the_way_out_of_a_switch_among_buses)
{
    const hn_pair_cost near = {100000000, 800000000}, between = {300000000, 800000000};
    hn_net *net = subnets_of_two(3);
    for (int a = 0; a < 3; a++) {
        hn_net_set_subnet_cost(net, a, near);
        hn_net_set_medium(net, a, a < 2 ? HN_MEDIUM_BUS : HN_MEDIUM_SWITCH);
        for (int b = 0; b < 3; b++)
            if (a != b)
                hn_net_set_link(net, a, b, between, 0);
    }
    hn_net_set_uplink(net, 2, (hn_pair_cost){.per_byte = 810000000});
    hn_net_set_uplink(net, 0, (hn_pair_cost){.per_byte = 810000000});
    hn_net *again = found_again(net);
    hn_channel way[HN_WAY_MOST];
    cr_expect_eq(hn_net_way(again, 4, 0, way), 3, "two ways out and a bus");
    cr_expect_eq(hn_net_way(again, 4, 2, way), 2, "the way out and a bus");
    cr_expect_eq(hn_net_way(again, 2, 0, way), 3, "two buses, and the way out of one");
    hn_net_free(net);
    hn_net_free(again);
}
