/* The network file: exact round trips, the least version that states a model, and clear errors. */
#include "net/net.h"
#include "net_text.h"
#include "random.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_stable(const hn_net *net, const char *what)
{
    hn_net *again;
    char *text = text_of(net);
    int code = hn_net_parse("again", text, strlen(text), &again);
    cr_assert_eq(code, HN_OK, "%s: %s\n%s", what, hn_error_text(), text);
    char *second = text_of(again);
    cr_expect_str_eq(text, second, "%s", what);
    cr_assert_eq(hn_net_size(net), hn_net_size(again));
    int stride = 1 + hn_net_size(net) / 300; /* of many hosts some pairs of each */
    for (int i = 0; i < hn_net_size(net); i++) {
        const hn_host_cost *x = hn_net_host(net, i), *y = hn_net_host(again, i);
        cr_assert_eq(memcmp(x, y, sizeof *x), 0, "%s", what);
        cr_assert_str_eq(hn_net_host_name(net, i), hn_net_host_name(again, i));
        for (int j = i % stride; j < hn_net_size(net); j += stride) {
            hn_pair_cost u = hn_net_pair(net, i, j), v = hn_net_pair(again, i, j);
            cr_assert(net_same_cost(&u, &v), "%s", what);
        }
    }
    free(text);
    free(second);
    hn_net_free(again);
}

/* All hosts of a subnet stand in one line, which may be long. */
Test(net_file, many_hosts_survive_the_file)
{
    hn_net *net = net_of("node-[1-30000]-of-a-cluster-whose-names-are-long\n");
    cr_assert_eq(hn_net_size(net), 30000);
    expect_stable(net, "30000 hosts");
    hn_net_free(net);
}

Test(net_file, round_trip)
{
    hn_net *net = net_of(lab);
    expect_stable(net, "lab");
    hn_net_free(net);
    net = net_of("* user=u env=A=\"x y\"\n[::1]:4 key=\"my key\"\n& s[1-2] ssh=\"-F \\\"c\\\"\"\n"
                 "@subnet v6 hosts=::1\n");
    expect_stable(net, "odd names");
    hn_net *shared = net_of("a[1-3]\n@machine m hosts=a1,a3 message_us=10.5 ns_per_byte=4\n");
    expect_stable(shared, "machines");
    cr_expect(hn_net_has_costs(shared));
    hn_net_free(shared);
    char *text = text_of(net);
    cr_expect(strstr(text, "\n[::1] slots=4 user=u key=\"my key\" env=\"A=x y\"\n"), "%s", text);
    cr_expect(strstr(text, "\n& s1 user=u ssh=\"-F \\\"c\\\"\" env=\"A=x y\"\n"), "%s", text);
    cr_expect_not(hn_net_has_costs(net));
    free(text);
    hn_net_free(net);
}

static hn_pair_cost random_cost(uint64_t *state)
{
    hn_pair_cost cost = {random_below(state, HN_TIME_MOST), random_below(state, HN_PER_BYTE_MOST)};
    if (random_below(state, 2)) {
        cost.first_bytes = 1 + random_below(state, HN_FIRST_MOST);
        cost.first_per_byte = random_below(state, HN_PER_BYTE_MOST);
    }
    return cost;
}

static hn_net *random_net(uint64_t *state)
{
    int n = 1 + (int)random_below(state, 10);
    hn_net *net = hn_net_new(n);
    for (int i = 0; i < n; i++) {
        hn_host_cost cost = {random_below(state, HN_TIME_MOST), random_below(state, 1001),
                             random_below(state, 6), random_below(state, HN_PER_BYTE_MOST),
                             random_below(state, 2000001)};
        cr_assert_eq(hn_net_set_host(net, i, &cost), HN_OK);
    }
    for (int i = (int)random_below(state, 13); i > 0; i--) {
        int from = (int)random_below(state, n), to = (int)random_below(state, n);
        cr_assert_eq(hn_net_set_pair(net, from, to, random_cost(state)), HN_OK);
        if (i % 2)
            cr_assert_eq(hn_net_set_pair(net, to, from, hn_net_pair(net, from, to)), HN_OK);
    }
    for (int i = 0; i < 3; i++) {
        char name[8];
        int member[4], count = 1 + (int)random_below(state, 4);
        snprintf(name, sizeof name, "s%d", i);
        for (int k = 0; k < count; k++)
            member[k] = (int)random_below(state, n);
        cr_assert_eq(hn_net_add_subnet(net, name, (hn_medium)(i % 3), member, count), HN_OK, "%s",
                     hn_error_text());
    }
    int subnets = hn_net_subnet_count(net);
    for (int s = 0; s < subnets; s++) {
        cr_assert_eq(hn_net_set_multicast(net, s, (int)random_below(state, 2)), HN_OK);
        if (random_below(state, 2))
            cr_assert_eq(hn_net_set_subnet_cost(net, s, random_cost(state)), HN_OK);
        if (random_below(state, 2))
            cr_assert_eq(hn_net_set_uplink(net, s, random_cost(state)), HN_OK);
        if (random_below(state, 2))
            cr_assert_eq(hn_net_set_site(net, s, s % 2 ? "odd" : "even"), HN_OK);
        if (s > 0 && random_below(state, 2))
            cr_assert_eq(hn_net_set_link(net, s, s - 1, random_cost(state), s % 2), HN_OK);
    }
    if (net_find_site(net, "odd") >= 0 && net_find_site(net, "even") >= 0)
        cr_assert_eq(hn_net_set_site_link(net, "odd", "even", random_cost(state), 1), HN_OK);
    if (net_find_site(net, "odd") >= 0)
        cr_assert_eq(hn_net_set_site_uplink(net, "odd", random_cost(state)), HN_OK);
    return net;
}

Test(net_file, random_models_survive_the_file)
{
    for (uint64_t first = random_seed(), run = first; run < first + 300; run++) {
        uint64_t state = run;
        char what[32];
        snprintf(what, sizeof what, "HNOW_SEED=%" PRIu64, run);
        hn_net *net = random_net(&state);
        expect_stable(net, what);
        for (int s = 0, seen = 0; s < hn_net_subnet_count(net); s++) {
            int count;
            const int *member = hn_net_subnet_hosts(net, s, &count);
            cr_assert_gt(count, 0, "%s", what);
            for (int k = 0; k < count; k++)
                cr_assert_eq(hn_net_subnet_of(net, member[k]), s, "%s", what);
            seen += count;
            if (s == hn_net_subnet_count(net) - 1)
                cr_assert_eq(seen, hn_net_size(net), "%s", what);
        }
        hn_net_free(net);
    }
}

Test(net_file, files)
{
    char path[] = "/tmp/hnow-test-net-XXXXXX";
    int fd = mkstemp(path);
    hn_net *net = net_of(lab), *again;
    cr_assert(fd >= 0);
    close(fd);
    cr_assert_eq(hn_net_write(net, path), HN_OK, "%s", hn_error_text());
    cr_assert_eq(hn_net_read(path, &again), HN_OK, "%s", hn_error_text());
    char *x = text_of(net), *y = text_of(again);
    cr_expect_str_eq(x, y);
    free(x);
    free(y);
    hn_net_free(again);
    unlink(path);
    cr_expect_eq(hn_net_read(path, &again), HN_ESYS);
    cr_expect_null(again);
    cr_expect_eq(hn_net_write(net, "/no/such/place"), HN_ESYS);
    cr_expect(strstr(hn_error_text(), "/no/such/place"));
    cr_expect_eq(hn_net_write(net, "/dev/full"), HN_ESYS);
    cr_expect_eq(hn_net_write(net, "/dev/null"), HN_OK);
    hn_net_free(net);
}

Test(net_file, everything_wrong_has_a_line_and_a_remedy)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        {"a send_us=x\n", "lab:1: send_us=x: give a number from 0 on with at most six decimals"},
        {"* recv_us=1e400\na\n", "lab:1: recv_us=1e400: give a number from 0 on"},
        {"a\n* wake_us=-0\n", "lab:2: wake_us=-0: give a number from 0 on"},
        {"a send_us=10000000001\n",
         "lab:1: send_us=10000000001: give a number from 0 to 10000000000"},
        {"a send_us=-1\n", "lab:1: send_us=-1: give"},
        {"a recv_ns_per_byte=0.0000001\n", "lab:1: recv_ns_per_byte=0.0000001: give"},
        {"a speed=fast\n", "lab:1: speed=fast: give"},
        {"a\n@pear a a\n", "lab:2: unknown record \"@pear\": the records are @network"},
        {"a\n@pair a\n", "lab:2: @pair has 2 names, not 1: write @pair HOST HOST"},
        {"a\n@pair a b\n", "lab:2: there is no host \"b\" in this file"},
        {"a\nb\n@pair a b latency=3\n", "lab:3: unknown key \"latency\": the keys of @pair are"},
        {"a\nb\n@pair a b medium=bus\n", "lab:3: unknown key \"medium\""},
        {"a\nb\n@pair a b latency_us=1 latency_us=2\n", "lab:3: latency_us is given twice"},
        {"a\nb\n@pair a b latency_us=99999999999\n", "lab:3: latency_us=99999999999: give"},
        {"a\nb\n@pair a b\n@pair b a\n", "lab:4: @pair b a is stated twice"},
        {"a\nb\n@pair a b way=none\n", "lab:3: way=none: give one of: both one"},
        {"a\nb\n@pair a b way=\n", "lab:3: way=: give one of"},
        {"a\n@subnet s\n", "lab:2: subnet s has no hosts: give hosts="},
        {"a\n@subnet s hosts=b\n", "lab:2: there is no host \"b\""},
        {"a\n@subnet s hosts=a,\n", "lab:2: there is no host \"\""},
        {"a\n@subnet s hosts=a[1\n", "lab:2: hosts=a[1: a [ has no ]"},
        {"a\n@subnet s hosts=a multicast=maybe\n", "lab:2: multicast=maybe: give one of: no yes"},
        {"a\n@subnet s hosts=a medium=ether\n", "lab:2: medium=ether: give one of: unknown bus"},
        {"a\n@subnet s hosts=a\n@subnet s hosts=a\n", "lab:3: subnet s is there already"},
        {"a\n@subnet s hosts=a\n@subnet t hosts=a\n", "lab:3: host a is in subnet s already"},
        {"a\n@subnet \"s t\" hosts=a\n", "lab:2: \"s t\" cannot name a subnet"},
        {"a\n@uplink s\n", "lab:2: there is no subnet or site \"s\""},
        {"a\n@uplink net\n@uplink net\n", "lab:3: the uplink of net is stated twice"},
        {"a\n@line l near=net far=s ns_per_byte=1\n", "lab:2: there is no subnet or site s: "},
        {"a\n@line l near=net far=net ns_per_byte=1\n", "lab:2: subnet net is at both ends"},
        {"a\n@line l near=net ns_per_byte=1\n", "lab:2: one end of a line is nowhere: write"},
        {"a\nb\n@subnet x hosts=a\n@line l near=net far=x\n", "lab:4: line l: a byte takes no"},
        {"a\nb\n@subnet x hosts=a\n@line l near=net,net,x far=x ns_per_byte=1\n",
         "lab:4: near=x: the ranges give too many"},
        {"a\nb\n@subnet x hosts=a\n@line l near=net far=x ns_per_byte=1\n"
         "@line l near=net far=x ns_per_byte=1\n",
         "lab:5: there is a line l already: write"},
        {"a\n@link net net\n", "lab:2: a link from net to itself"},
        {"a\n@link net x\n", "lab:2: there is no subnet or site \"x\""},
        {"a\nb\n@subnet s hosts=a site=x\n@link x net\n", "lab:4: net is a subnet and x a site"},
        {"a\n@network version=4\n", "lab:2: version=4: this hnow reads version 5 only: take the @ "
                                    "lines out, and probe again (hprobe"},
        {"a\n@network version=6\n", "lab:2: version=6: this hnow reads version 5 only"},
        {"a\n@network version=5.0\n", "lab:2: version=5.0: this hnow reads version 5 only"},
        {"a\n@network version=5\n@network version=5\n", "lab:3: a second @network record"},
        {"a\n@network passes=0\n", "lab:2: passes=0: give a whole number"},
        {"a\n@subnet s hosts=a site=\n", "lab:2: site=: give a name"},
        {"a\n@machine m\n", "lab:2: machine m has no hosts: give hosts="},
        {"a\n@machine m hosts=a\n@machine m hosts=a\n", "lab:3: machine m is there already"},
        {"a\n@machine m hosts=a\n@machine k hosts=a\n", "lab:3: host a is on machine m already"},
        {"a\n@machine m hosts=a message_us=-1\n", "lab:2: message_us=-1: give"},
        {"a\nb\nb send_us=4\n", "lab:3: host b is already defined on line 2"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hn_net *net;
        int code = hn_net_parse("lab", row[i].text, strlen(row[i].text), &net);
        cr_expect_eq(code, HN_ESYNTAX, "%s", row[i].text);
        cr_expect_null(net);
        cr_expect(strncmp(hn_error_text(), row[i].want, strlen(row[i].want)) == 0, "%s gives: %s",
                  row[i].text, hn_error_text());
    }
}

/* One version is written, also of a file that names none. */
Test(net_file, the_version_is_written)
{
    hn_net *net = net_of("a wake_us=1\n");
    char *printed = text_of(net);
    cr_expect(strstr(printed, "@network version=5\n"), "it is written as: %s", printed);
    free(printed);
    hn_net_free(net);
}
