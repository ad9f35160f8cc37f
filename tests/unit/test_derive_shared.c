/* Media, links, uplinks, lines and machines that transfers share, from synthetic samples of
 * networks that are known. */
#include "derive_truth.h"

Test(derive, tells_a_bus_from_a_switch)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    double one = way_time(&hnow, 0, 2, 131072), other = way_time(&hnow, 1, 3, 131072);
    put_together(&samples, ABOUT_BUS, 1, 2, 0, 2, one, 2 * one);
    put_together(&samples, ABOUT_BUS, 2, 2, 1, 3, other, 1.1 * other);
    hn_net *net = derived(&hnow, &samples);
    cr_expect_eq(hn_net_subnet_medium(net, 0), HN_MEDIUM_BUS);
    cr_expect_eq(hn_net_subnet_medium(net, 1), HN_MEDIUM_SWITCH);
    hn_channel route[HN_WAY_MOST];
    cr_assert_eq(hn_net_way(net, 0, 2, route), 3); /* port, wire, port */
    cr_expect_eq(route[1].id, 0);
    cr_expect_lt(llabs(route[1].per_byte - 180300000), 1000000, "the wire takes what a way takes");
    cr_expect(llabs(route[1].message - 59100000) < 2000000, "S less the call: %" PRId64,
              route[1].message);
    cr_expect(llabs(hn_net_host(net, 0)->send_const - 900000) < 1000, "the call");
    hn_net_free(net);
    samples.count -= 2;
    double small = way_time(&hnow, 0, 2, 1024);
    put_together(&samples, ABOUT_BUS, 1, 2, 0, 2, small, 2 * small);
    net = derived(&hnow, &samples);
    cr_expect_eq(hn_net_subnet_medium(net, 0), HN_MEDIUM_UNKNOWN, "too short to tell");
    hn_net_free(net);
    samples_free(&samples);
}

/* Two pairs between the same two subnets at once. */
static void put_link(struct samples *samples, int from, int to, int from2, int to2, double alone,
                     double together)
{
    put_together(samples, ABOUT_LINK, 1, 2, from, to, alone, together);
    put_together(samples, ABOUT_LINK, 1, 2, from2, to2, alone, together);
}

Test(derive, finds_links_that_are_shared)
{
    static const double small = 5200000, bytes = 4000.3 * 131072;
    struct samples samples = {0};
    hn_channel route[HN_WAY_MOST];
    measure_truth(&hnow, &samples);
    int before = samples.count;
    put_link(&samples, 0, 1, 2, 3, 2 * small + bytes, 2 * small + 2 * bytes);
    hn_net *net = derived(&hnow, &samples);
    int channels = hn_net_way(net, 0, 1, route);
    cr_assert_eq(channels, 3, "port, link, port");
    cr_expect(route[1].per_byte > 3900000000 && route[1].per_byte < 4100000000, "%" PRId64,
              route[1].per_byte);
    hn_net_free(net);
    samples.count = before;
    put_link(&samples, 0, 1, 2, 3, 2 * small + bytes, 2 * small + 1.1 * bytes);
    net = derived(&hnow, &samples);
    cr_expect_eq(hn_net_way(net, 0, 1, route), 2, "two ports, nothing is shared");
    hn_net_free(net);
    samples.count = before;
    put_link(&samples, 0, 1, 2, 3, 2 * small + bytes, 2 * small + 1.1 * bytes);
    samples.sample[samples.count - 1].best = (int64_t)(2 * small + 2 * bytes);
    net = derived(&hnow, &samples);
    cr_expect_eq(hn_net_way(net, 0, 1, route), 3, "the later one of the two counts");
    hn_net_free(net);
    samples_free(&samples);
}

/* Three hosts of a cluster send to the other one at once: what they share. */
Test(derive, finds_uplinks_that_only_several_fill)
{
    struct truth t = hnow;
    struct samples samples = {0};
    hn_channel route[HN_WAY_MOST];
    t.far_wire = 200;
    measure_truth(&t, &samples);
    double alone = 10400000 + 200.3 * 131072;
    for (int i = 0; i < 6; i += 2)
        put_together(&samples, ABOUT_UPLINK, 1, 3, i, i + 1, alone,
                     10400000 + (1.8 + 0.1 * i) * 200.3 * 131072);
    hn_net *net = derived(&t, &samples);
    cr_assert_eq(hn_net_way(net, 0, 1, route), 3, "port, uplink, port");
    cr_expect(route[1].per_byte > 140000000 && route[1].per_byte < 150000000,
              "three messages in 2.2 times one's time: %" PRId64, route[1].per_byte);
    cr_expect_eq(hn_net_way(net, 0, 2, route), 2, "not within the cluster");
    hn_net_free(net);
    samples_free(&samples);
}

/* Two transfers say what they are about: the same times make an uplink of one, or a link. */
Test(derive, believes_what_a_sample_is_about)
{
    static const enum sample_about about[] = {ABOUT_LINK, ABOUT_UPLINK};
    static const double small = 5200000, bytes = 4000.3 * 131072;
    for (int i = 0; i < 2; i++) {
        struct samples samples = {0};
        hn_channel there[HN_WAY_MOST], back[HN_WAY_MOST];
        measure_truth(&hnow, &samples);
        for (int k = 0; k < 2; k++)
            put_together(&samples, about[i], 1, 2, 2 * k, 2 * k + 1, 2 * small + bytes,
                         2 * small + 2 * bytes);
        hn_net *net = derived(&hnow, &samples);
        cr_assert_eq(hn_net_way(net, 0, 1, there), 3, "port, link or uplink, port");
        cr_assert_eq(hn_net_way(net, 1, 0, back), 3);
        cr_expect(there[1].per_byte > 3900000000 && back[1].per_byte > 3900000000);
        cr_expect_eq(hn_net_subnet_count(net), 2);
        const struct net_subnet *subnet = &net->subnet[hn_net_subnet_of(net, 0)];
        cr_expect_eq(subnet->uplink.per_byte > 0, about[i] == ABOUT_UPLINK);
        hn_net_free(net);
        samples_free(&samples);
    }
}

/* Two hosts each in four places of a chain, 3, 4 and 3 ms apart. */
static double chain_time(int from, int to, int64_t bytes)
{
    static const double at[] = {0, 3e6, 7e6, 10e6};
    double distance = at[from / 2] - at[to / 2];
    return 50000 + (distance < 0 ? -distance : distance) + 800 * (double)bytes;
}

static bool passes(const hn_net *net, int from, int to, hn_per_byte least)
{
    hn_channel route[HN_WAY_MOST];
    bool any = false;
    for (int i = hn_net_way(net, from, to, route) - 1; i >= 0; i--)
        any |= route[i].per_byte > least;
    return any;
}

/* What two transfers share that have only the middle of a chain in common: all others that cross it
 * do so, too, and those that do not cross it do not. */
Test(derive, finds_the_line_in_the_middle_of_a_chain)
{
    struct samples samples = {0};
    struct truth t = {.n = 8};
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.n; j++)
            for (int k = 0; i != j && k < 4; k++)
                put(&samples, k < 2 ? SAMPLE_PING : SAMPLE_WAY, i, j, sizes[k],
                    chain_time(i, j, sizes[k]) + (k < 2 ? 0 : chain_time(j, i, 1)));
    double alone = chain_time(0, 4, 131072) + chain_time(4, 0, 1), bytes = 800 * 131072.0;
    for (int k = 0; k < 2; k++)
        put_together(&samples, ABOUT_LINE, 1, 2, 2 * k, 2 * k + 4, alone, alone + bytes);
    hn_net *net = derived(&t, &samples);
    cr_assert_eq(hn_net_subnet_count(net), 4);
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.n; j++)
            if (i != j)
                cr_expect_eq(passes(net, i, j, 700000000), i / 4 != j / 4, "%d to %d", i, j);
    hn_net_free(net);
    samples_free(&samples);
}

/* Two routes out of a subnet, of which the one is slow elsewhere: the uplink is no slower than the
 * other one was alone. */
Test(derive, an_uplink_is_as_fast_as_the_fastest_way_through_it)
{
    static const double small = 5200000, bytes = 4000.3 * 131072;
    for (int first = 0; first < 2; first++) {
        struct samples samples = {0};
        measure_truth(&hnow, &samples);
        for (int k = 0; k < 2; k++) {
            double part = k == first ? 0.25 : 1;
            put_together(&samples, ABOUT_UPLINK, 1, 2, 2 * k, 2 * k + 1, 2 * small + part * bytes,
                         2 * small + (part + 0.25) * bytes);
        }
        hn_net *net = derived(&hnow, &samples);
        const struct net_subnet *subnet = &net->subnet[hn_net_subnet_of(net, 0)];
        cr_expect(subnet->uplink.per_byte > 950000000 && subnet->uplink.per_byte < 1050000000,
                  "%" PRId64, subnet->uplink.per_byte);
        hn_net_free(net);
        samples_free(&samples);
    }
}

/* Hosts that are equally near, but of two racks, as transfers have told; one of them says nothing,
 * and goes with the nearest. */
Test(derive, takes_racks_apart)
{
    struct truth t = hnow;
    struct samples samples = {0};
    measure_truth(&t, &samples);
    hn_net *net = derived(&t, &samples);
    cr_assert_eq(hn_net_subnet_of(net, 0), hn_net_subnet_of(net, 4));
    hn_net_free(net);
    put(&samples, SAMPLE_SWITCH, 0, 0, 0, 1);
    put(&samples, SAMPLE_SWITCH, 2, 2, 0, 1);
    net = derived(&t, &samples);
    cr_expect_neq(hn_net_subnet_of(net, 0), hn_net_subnet_of(net, 2));
    cr_expect(hn_net_subnet_of(net, 4) == hn_net_subnet_of(net, 0) ||
              hn_net_subnet_of(net, 4) == hn_net_subnet_of(net, 2));
    cr_expect_eq(hn_net_subnet_of(net, 1), hn_net_subnet_of(net, 3), "the other cluster");
    hn_net_free(net);
    samples_free(&samples);
}

/* A slow link between two buses is one that transfers share. */
Test(derive, finds_a_slow_link_between_buses)
{
    struct samples samples = {0};
    hn_channel route[HN_WAY_MOST];
    measure_truth(&hnow, &samples);
    double small = 5200000, bytes = 4000.3 * 131072, near = 180.3 * 131072;
    for (int i = 0; i < 2; i++)
        put_together(&samples, ABOUT_BUS, 2 + i, 2, i, i + 2,
                     way_time(&hnow, i, i + 2, 131072) + 186000, 186000 + 2 * near);
    put_link(&samples, 0, 1, 2, 3, 2 * small + bytes, 2 * small + 2 * bytes);
    hn_net *net = derived(&hnow, &samples);
    cr_expect_eq(hn_net_subnet_medium(net, 0), HN_MEDIUM_BUS);
    int links = 0;
    for (int i = hn_net_way(net, 0, 1, route) - 1; i >= 0; i--)
        links += route[i].per_byte > 3900000000;
    cr_expect_eq(links, 1);
    hn_net_free(net);
    samples_free(&samples);
}

/* Six hosts on one machine, two sets of co-located hosts of three: a round of two takes `alone`, of
 * all at once `colocated`. */
static void put_colocated(struct samples *samples, int64_t bytes, double alone, double colocated)
{
    for (int from = 0; from < 6; from++) {
        put(samples, SAMPLE_ON, from, 0, 0, 1);
        if (from % 3)
            continue;
        put(samples, SAMPLE_RING, from, from + 1, bytes, colocated / 3);
        samples->sample[samples->count - 1].at_once = 3;
        samples->sample[samples->count - 1].alone = (int64_t)alone;
    }
}

Test(derive, finds_what_messages_take_of_a_shared_machine)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    int before = samples.count;
    put_colocated(&samples, 1, 30000, 60000);
    put_colocated(&samples, 65536, 600000, 660000);
    hn_net *net = derived(&hnow, &samples);
    hn_machine_use use[2];
    cr_assert_eq(hn_net_machines(net, 0, 5, use), 1);
    cr_expect(llabs(use[0].cost.message - 10000000) <= 1000, "six messages in 60 us");
    cr_expect_eq(use[0].cost.per_byte, 0, "large ones do not wait for it");
    cr_expect_eq(use[0].cost.queued, 0, "not measured");
    hn_net_free(net);
    put(&samples, SAMPLE_ALL, 0, 1, 1, 8000);
    put(&samples, SAMPLE_ALL, 3, 4, 1, 8000);
    net = derived(&hnow, &samples);
    cr_assert_eq(hn_net_machines(net, 0, 5, use), 1);
    cr_expect(llabs(use[0].cost.queued - 4000000) <= 1000, "a message each 4 us: %" PRId64,
              use[0].cost.queued);
    hn_net_free(net);
    samples.count = before;
    put_colocated(&samples, 1, 30000, 30000);
    put_colocated(&samples, 65536, 600000, 6.0 * 65536 * 2);
    net = derived(&hnow, &samples);
    cr_assert_eq(hn_net_machines(net, 0, 5, use), 1);
    cr_expect_eq(use[0].cost.message, 0);
    cr_expect(llabs(use[0].cost.per_byte - 2000000) < 2000, "%" PRId64, use[0].cost.per_byte);
    hn_net_free(net);
    samples.count = before;
    put_colocated(&samples, 1, 30000, 60000);
    put_colocated(&samples, 4096, 60000, 6 * (20000 + 2.0 * 4096));
    put_colocated(&samples, 65536, 600000, 6 * (20000 + 2.0 * 65536));
    net = derived(&hnow, &samples);
    cr_assert_eq(hn_net_machines(net, 0, 5, use), 1);
    cr_expect(use[0].cost.message > 10000000 && use[0].cost.message < 20000000,
              "between what the smallest and the others take: %" PRId64, use[0].cost.message);
    cr_expect(use[0].cost.per_byte > 1800000 && use[0].cost.per_byte < 2600000, "%" PRId64,
              use[0].cost.per_byte);
    hn_net_free(net);
    samples.count = before;
    put_colocated(&samples, 1, 30000, 33000);
    net = derived(&hnow, &samples);
    cr_expect_eq(hn_net_machine_count(net), 0, "it is no limit");
    hn_net_free(net);
    for (int i = before; i < samples.count; i++)
        samples.sample[i].bytes = samples.sample[i].kind == SAMPLE_ON ? 2 : samples.sample[i].bytes;
    net = derived(&hnow, &samples);
    cr_assert_eq(hn_net_machines(net, 0, 5, use), 1, "its cores are one's limit");
    cr_expect(use[0].cost.message == 0 && use[0].cost.per_byte == 0);
    cr_expect_eq(use[0].cost.cores, 2);
    hn_net_free(net);
    samples_free(&samples);
}

/* Transfers share an uplink, but alone one of them seems to take no longer than two small messages.
 */
Test(derive, disturbed_transfers_share_nothing)
{
    struct truth t = hnow;
    struct samples samples = {0};
    t.far_wire = 200;
    measure_truth(&t, &samples);
    double alone = 10400000 + 200.3 * 131072, together = 10400000 + 3 * 200.3 * 131072;
    for (int i = 0; i < 6; i += 2)
        put_together(&samples, ABOUT_UPLINK, 1, 3, i, i + 1, i == 4 ? 0.2 * alone : alone,
                     together);
    hn_net *net = derived(&t, &samples);
    hn_net_free(net);
    samples_free(&samples);
}
