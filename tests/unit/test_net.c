/* The network model: what costs mean, ways and their channels, and what setters refuse. */
#include "net/net.h"
#include "net_text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_pair(const hn_net *net, const char *from, const char *to, int64_t latency,
                        int64_t per_byte)
{
    hn_pair_cost cost = hn_net_pair(net, hn_net_host_index(net, from), hn_net_host_index(net, to));
    cr_expect_eq(cost.latency, latency, "%s-%s: latency %" PRId64, from, to, cost.latency);
    cr_expect_eq(cost.per_byte, per_byte, "%s-%s: per byte %" PRId64, from, to, cost.per_byte);
}

Test(net, most_special_statement_counts)
{
    hn_net *net = net_of(lab);
    expect_pair(net, "a1", "a2", 5000000, 800000000);
    expect_pair(net, "a1", "b1", 7000001, 500000);
    expect_pair(net, "b1", "a1", 7000001, 500000);
    expect_pair(net, "d1", "a1", 9000000, 1000000);
    expect_pair(net, "a1", "d1", 50000000, 90000000); /* uplinks: 20 + 30, the slower rate */
    expect_pair(net, "a2", "b1", 50000000, 10000000); /* link of the subnets */
    expect_pair(net, "b2", "a1", 50000000, 10000000);
    expect_pair(net, "b1", "c1", 1000000000, 100000000); /* link of the sites */
    expect_pair(net, "c1", "d1", 30000000, 70000000);
    expect_pair(net, "a1", "a1", 0, 0);
    cr_expect(hn_net_has_costs(net));
    const hn_host_cost *cost = hn_net_host(net, 0);
    cr_expect_eq(cost->send_const, 40000000);
    cr_expect_eq(cost->send_per_byte, 50000000);
    cr_expect_eq(cost->recv_const, 80000000);
    cr_expect_eq(cost->recv_per_byte, 30000000);
    cr_expect_eq(cost->speed, 1250000);
    cr_expect_eq(cost->wake, 15500000);
    int a1 = hn_net_host_index(net, "a1"), a2 = hn_net_host_index(net, "a2");
    cr_expect_eq(hn_net_time(net, a1, a2, 0), 45000000, "a2's tasks wake at once");
    cr_expect_eq(hn_net_time(net, a2, a1, 0), 5000000 + 15500000 + 80000000);
    hn_net_free(net);
}

Test(net, subnets)
{
    hn_net *net = net_of(lab);
    int count;
    cr_assert_eq(hn_net_subnet_count(net), 4);
    cr_expect_str_eq(hn_net_subnet_name(net, 0), "net"); /* the host that no record names */
    cr_expect_eq(hn_net_subnet_of(net, hn_net_host_index(net, "d1")), 0);
    int b = hn_net_subnet_index(net, "b");
    cr_expect_eq(hn_net_subnet_medium(net, b), HN_MEDIUM_SWITCH);
    cr_expect_eq(hn_net_subnet_medium(net, 0), HN_MEDIUM_UNKNOWN);
    const int *member = hn_net_subnet_hosts(net, b, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(member[0], 2);
    cr_expect_eq(member[1], 3);
    cr_expect_str_eq(hn_net_subnet_site(net, b), "east");
    cr_expect_str_eq(hn_net_subnet_site(net, 0), "");
    cr_expect_eq(hn_net_subnet_index(net, "x"), HN_EARG);
    cr_expect_eq(hn_net_host_index(net, "x"), HN_EARG);
    hn_net_free(net);
}

Test(net, channels_on_the_way)
{
    hn_net *net = net_of(lab);
    hn_channel way[HN_WAY_MOST], back[HN_WAY_MOST];
    int a1 = hn_net_host_index(net, "a1"), a2 = hn_net_host_index(net, "a2"),
        c1 = hn_net_host_index(net, "c1"), b1 = hn_net_host_index(net, "b1"),
        b2 = hn_net_host_index(net, "b2");
    cr_assert_eq(hn_net_way(net, a1, a2, way), 1);
    int wire = way[0].id;
    cr_expect_eq(way[0].per_byte, 800000000);
    cr_expect_eq(way[0].message, 4000000);
    cr_expect_eq(hn_net_way(net, b1, b2, way), 0);
    cr_expect_eq(hn_net_way(net, a1, a1, way), 0);
    cr_assert_eq(hn_net_way(net, a1, c1, way), 3); /* wire of a, uplink of a, the sites' link */
    cr_expect_eq(way[0].id, wire);
    cr_expect_eq(way[1].per_byte, 90000000);
    cr_expect_eq(way[2].per_byte, 100000000);
    cr_assert_eq(hn_net_way(net, c1, a1, back), 3);
    cr_expect_neq(back[0].id, way[2].id, "each direction has its own channel");
    cr_expect_neq(back[1].id, way[1].id);
    cr_expect_eq(back[2].id, wire);
    for (int i = 0; i < 3; i++)
        cr_expect(way[i].id >= 0 && way[i].id < hn_net_channel_count(net));
    cr_assert_eq(hn_net_way(net, b1, c1, back), 1);
    cr_expect_eq(back[0].id, way[2].id, "all subnets of a site share its link");
    hn_net_free(net);
}

/* Two subnets of a site share its way out; what goes between them does not take it. */
Test(net, uplinks_of_sites)
{
    hn_net *net = net_of("a1\na2\nb1\nc1\nd1\n"
                         "@subnet a hosts=a[1-2] site=east\n@subnet b hosts=b1 site=east\n"
                         "@subnet c hosts=c1 site=west\n"
                         "@uplink a latency_us=20 ns_per_byte=90\n"
                         "@uplink east latency_us=500 ns_per_byte=300\n"
                         "@uplink west latency_us=400 ns_per_byte=200\n");
    hn_channel out[HN_WAY_MOST], way[HN_WAY_MOST];
    expect_pair(net, "a1", "c1", 920000000, 300000000);
    expect_pair(net, "b1", "c1", 900000000, 300000000);
    expect_pair(net, "a1", "b1", 20000000, 90000000);
    expect_pair(net, "d1", "c1", 400000000, 200000000); /* d1's subnet is of no site */
    cr_assert_eq(hn_net_way(net, 0, 3, out), 3, "a's way out, east's, into west");
    cr_expect_eq(out[1].per_byte, 300000000);
    cr_expect_eq(out[2].per_byte, 200000000);
    cr_assert_eq(hn_net_way(net, 2, 3, way), 2);
    cr_expect_eq(way[0].id, out[1].id, "shared by the site's subnets");
    cr_assert_eq(hn_net_way(net, 2, 4, way), 1);
    cr_expect_eq(way[0].id, out[1].id, "and to wherever");
    cr_assert_eq(hn_net_way(net, 3, 2, way), 2);
    cr_expect_neq(way[1].id, out[1].id, "the other direction is another channel");
    cr_assert_eq(hn_net_way(net, 0, 2, way), 1, "a's own");
    for (int i = 0; i < 3; i++)
        cr_expect(out[i].id >= 0 && out[i].id < hn_net_channel_count(net));
    hn_net_free(net);
}

/* Four subnets on a chain: a - b - c - d, of which c and d are one site. */
static const char chain[] = "a1\na2\nb1\nc1\nd1\n"
                            "@subnet a hosts=a[1-2]\n@subnet b hosts=b1\n"
                            "@subnet c hosts=c1 site=west\n@subnet d hosts=d1 site=west\n"
                            "@line first ns_per_byte=400 near=a far=b,west\n"
                            "@line middle ns_per_byte=1000 near=a,b far=west\n"
                            "@line last ns_per_byte=800 near=a,b,c far=d\n";

/* Each way takes the lines between its ends, and no other. */
Test(net, lines_on_the_way)
{
    static const int crossed[5][5] = {/* first 1, middle 2, last 4; of hosts */
                                      {0, 0, 1, 3, 7},
                                      {0, 0, 1, 3, 7},
                                      {1, 1, 0, 2, 6},
                                      {3, 3, 2, 0, 4},
                                      {7, 7, 6, 4, 0}};
    static const hn_per_byte cost[] = {400000000, 1000000000, 800000000};
    hn_net *net = net_of(chain);
    hn_channel way[HN_WAY_MOST], back[HN_WAY_MOST];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            int lines = 0, count = hn_net_way(net, i, j, way);
            cr_assert_eq(hn_net_way(net, j, i, back), count);
            for (int k = 0; k < count; k++) {
                for (int line = 0; line < 3; line++)
                    lines |= (way[k].per_byte == cost[line]) << line;
                cr_expect_neq(way[k].id, back[k].id, "each direction has its own");
                cr_expect(way[k].id >= 0 && way[k].id < hn_net_channel_count(net));
            }
            cr_expect_eq(lines, crossed[i][j], "%d to %d: %d", i, j, lines);
        }
    hn_net_way(net, 0, 2, way);
    hn_net_way(net, 1, 3, back);
    cr_expect_eq(way[0].id, back[0].id, "all that crosses shares it");
    expect_pair(net, "a1", "d1", 0, 0); /* a line is no cost of a way */
    hn_net_free(net);
}

/* Lines stay with their subnets when those move up, and are written as they were read. */
Test(net, lines_are_kept)
{
    hn_net *net = net_of(chain);
    char *text = text_of(net);
    cr_expect(strstr(text, "@line middle ns_per_byte=1000 near=a,b far=west\n"), "%s", text);
    int joined[] = {0, 1, 2};
    cr_assert_eq(hn_net_add_subnet(net, "ab", HN_MEDIUM_UNKNOWN, joined, 3), HN_OK);
    hn_channel way[HN_WAY_MOST];
    cr_assert_eq(hn_net_way(net, 3, 4, way), 1, "c and d have moved");
    cr_expect_eq(way[0].per_byte, 800000000);
    free(text);
    hn_net_free(net);
}

/* A sanitizer sees whether one more is counted before it is refused. */
Test(net, no_more_lines_than_a_set_has_bits)
{
    hn_net *net = net_of("a\nb[0-8]\n@subnet x hosts=a\n@subnet y0 hosts=b0\n@subnet y1 hosts=b1\n"
                         "@subnet y2 hosts=b2\n@subnet y3 hosts=b3\n@subnet y4 hosts=b4\n"
                         "@subnet y5 hosts=b5\n@subnet y6 hosts=b6\n@subnet y7 hosts=b7\n"
                         "@subnet y8 hosts=b8\n");
    char name[8], far[8];
    const char *near = "x", *end = far;
    for (int i = 0; i <= NET_LINES_MOST; i++) {
        snprintf(name, sizeof name, "l%d", i);
        snprintf(far, sizeof far, "y%d", i / HN_LINES_MOST);
        cr_expect_eq(hn_net_add_line(net, name, &near, 1, &end, 1, 5),
                     i < NET_LINES_MOST ? HN_OK : HN_EARG);
    }
    hn_net_free(net);
}

Test(net, no_more_lines_on_a_way_than_it_has_room_for)
{
    hn_net *net = net_of("a\nb\n@subnet x hosts=a\n@subnet y hosts=b\n");
    const char *x = "x", *y = "y", *nowhere = "z";
    char name[] = "l0";
    cr_expect_eq(hn_net_add_line(net, name, &x, 1, &nowhere, 1, 5), HN_EARG);
    cr_expect_eq(hn_net_add_line(net, name, &x, 1, &x, 1, 5), HN_EARG);
    cr_expect_eq(hn_net_add_line(net, name, &x, 1, &y, 1, 0), HN_EARG);
    for (int i = 0; i < HN_LINES_MOST; i++, name[1]++)
        cr_expect_eq(hn_net_add_line(net, name, &x, 1, &y, 1, 5), HN_OK);
    cr_expect_eq(hn_net_add_line(net, name, &x, 1, &y, 1, 5), HN_EARG);
    hn_channel way[HN_WAY_MOST];
    cr_expect_eq(hn_net_way(net, 0, 1, way), HN_LINES_MOST);
    hn_net_free(net);
}

/* Hosts of one machine use it for all that a message takes; half of that where one end is
 * elsewhere.
 */
Test(net, machines_that_hosts_share)
{
    hn_net *net = net_of("a\nb\nc\nd\n@machine m hosts=a,b message_us=10 ns_per_byte=4 cores=2\n"
                         "@machine k hosts=c message_us=2\n");
    hn_machine_use use[2];
    hn_channel way[HN_WAY_MOST];
    cr_assert_eq(hn_net_machine_count(net), 2);
    cr_expect_eq(hn_net_machine_of(net, 1), 0);
    cr_expect_eq(hn_net_machine_of(net, 3), -1);
    int hosts;
    cr_expect_eq(hn_net_machine(net, 0, &hosts)->cores, 2);
    cr_expect_eq(hosts, 2);
    cr_expect_eq(hn_net_machine(net, 1, &hosts)->cores, 0, "unknown");
    cr_assert_eq(hn_net_machines(net, 0, 1, use), 1);
    cr_expect(use[0].cost.message == 10000000 && use[0].cost.per_byte == 4000000);
    cr_assert_eq(hn_net_machines(net, 2, 1, use), 2);
    cr_expect(use[0].machine == 1 && use[0].cost.message == 1000000);
    cr_expect(use[1].machine == 0 && use[1].cost.message == 5000000);
    cr_expect_eq(hn_net_machines(net, 3, 3, use), 0);
    cr_assert_eq(hn_net_way(net, 0, 1, way), 1);
    cr_expect(way[0].per_byte == 4000000 && way[0].id == hn_net_channel_count(net) - 2);
    cr_expect_eq(hn_net_way(net, 2, 3, way), 0, "its bytes cost nothing");
    hn_net_free(net);
}

Test(net, first_bytes_cost_what_they_cost)
{
    hn_net *net = net_of("a\nb\n@pair a b latency_us=5 ns_per_byte=80 first_bytes=1000 "
                         "first_ns_per_byte=160\n");
    hn_pair_cost cost = hn_net_pair(net, 0, 1);
    cr_expect_eq(hn_way_time(&cost, 0), 5000000);
    cr_expect_eq(hn_way_time(&cost, 1), 5160000);
    cr_expect_eq(hn_way_time(&cost, 1000), 165000000);
    cr_expect_eq(hn_way_time(&cost, 1001), 165080000);
    cr_expect_eq(hn_cost_time(7, 1, 1), 8, "rounded up");
    cr_expect_eq(hn_cost_time(0, HN_PER_BYTE_MOST, INT64_MAX), INT64_MAX >> 8);
    hn_net_free(net);
    static const char *const bad[] = {"first_bytes=5", "first_ns_per_byte=5",
                                      "first_bytes=0 first_ns_per_byte=5",
                                      "first_bytes=1.5 first_ns_per_byte=5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        int length = snprintf(text, sizeof text, "a\nb\n@pair a b %s\n", bad[i]);
        cr_expect_eq(hn_net_parse("f", text, (size_t)length, &net), HN_ESYNTAX, "%s", bad[i]);
        cr_expect(strstr(hn_error_text(), "f:3: first_"), "%s", hn_error_text());
    }
    net = hn_net_new(2);
    cr_expect_eq(hn_net_set_pair(net, 0, 1, (hn_pair_cost){.first_per_byte = 1}), HN_EARG);
    cr_expect_eq(hn_net_set_pair(net, 0, 1, (hn_pair_cost){.first_bytes = -1}), HN_EARG);
    hn_net_free(net);
}

Test(net, links_follow_their_subnets_when_one_vanishes)
{
    hn_net *net = hn_net_new(4);
    hn_pair_cost cost = {5, 6};
    cr_assert_eq(hn_net_add_subnet(net, "a", HN_MEDIUM_BUS, (int[]){1}, 1), HN_OK);
    cr_assert_eq(hn_net_add_subnet(net, "b", HN_MEDIUM_BUS, (int[]){2}, 1), HN_OK);
    cr_assert_eq(hn_net_add_subnet(net, "c", HN_MEDIUM_BUS, (int[]){3}, 1), HN_OK);
    cr_assert_eq(hn_net_set_link(net, 2, 3, cost, 1), HN_OK); /* b - c */
    cr_assert_eq(hn_net_set_link(net, 1, 2, (hn_pair_cost){1, 1}, 0), HN_OK);
    cr_assert_eq(hn_net_add_subnet(net, "d", HN_MEDIUM_SWITCH, (int[]){1, 0}, 2), HN_OK);
    cr_assert_eq(hn_net_subnet_count(net), 3); /* b c d */
    cr_expect_str_eq(hn_net_subnet_name(net, 0), "b");
    cr_expect_eq(hn_net_pair(net, 2, 3).latency, 5);
    cr_expect_eq(hn_net_pair(net, 1, 2).latency, 0);
    cr_expect_eq(hn_net_subnet_of(net, 0), 2);
    cr_expect_eq(hn_net_subnet_of(net, 1), 2);
    hn_net_free(net);
}

Test(net, setters_refuse)
{
    hn_net *net = hn_net_new(3);
    int all[] = {0, 1, 2}, bad[] = {3};
    cr_expect_eq(hn_net_set_pair(net, 0, 3, (hn_pair_cost){0}), HN_EARG);
    cr_expect_eq(hn_net_set_pair(net, -1, 0, (hn_pair_cost){0}), HN_EARG);
    cr_expect_eq(hn_net_set_pair(net, 0, 1, (hn_pair_cost){-1, 0}), HN_EARG);
    cr_expect_eq(hn_net_set_pair(net, 0, 1, (hn_pair_cost){0, HN_PER_BYTE_MOST + 1}), HN_EARG);
    cr_expect_eq(hn_net_set_host(net, 0, &(hn_host_cost){.speed = -1}), HN_EARG);
    cr_expect_eq(hn_net_add_subnet(net, "s", HN_MEDIUM_BUS, bad, 1), HN_EARG);
    cr_expect_eq(hn_net_add_subnet(net, "", HN_MEDIUM_BUS, all, 1), HN_EARG);
    cr_expect_eq(hn_net_add_subnet(net, "s", HN_MEDIUM_BUS, all, 2), HN_OK);
    cr_expect_eq(hn_net_add_subnet(net, "s", HN_MEDIUM_BUS, all, 1), HN_EARG);
    cr_expect_eq(hn_net_add_subnet(net, "s", HN_MEDIUM_SWITCH, all, 3), HN_OK);
    cr_expect_eq(hn_net_subnet_count(net), 1);
    cr_expect_eq(hn_net_set_link(net, 0, 0, (hn_pair_cost){0}, 0), HN_EARG);
    cr_expect_eq(hn_net_set_site_link(net, "a", "b", (hn_pair_cost){0}, 0), HN_EARG);
    hn_net_free(net);
    cr_expect_null(hn_net_new(0));
    cr_expect_null(hn_net_new(-5));
}

/* 10^5 hosts in 1000 subnets, described by ranges: no matrix anywhere. */
Test(net, a_hundred_thousand_hosts)
{
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    fputs("n[00000-99999]\n", file);
    for (int s = 0; s < 1000; s++)
        fprintf(file,
                "@subnet s%d hosts=n[%05d-%05d] medium=switch latency_us=5 ns_per_byte=8\n"
                "@uplink s%d latency_us=%d ns_per_byte=80\n",
                s, 100 * s, 100 * s + 99, s, s + 1);
    fclose(file);
    hn_net *net = net_of(text);
    cr_expect_eq(hn_net_size(net), 100000);
    cr_expect_eq(hn_net_subnet_count(net), 1000);
    expect_pair(net, "n00000", "n00099", 5000000, 8000000);
    expect_pair(net, "n00000", "n99999", 1001000000, 80000000);
    free(text);
    hn_net_free(net);
}
