/* test_plogp.c - g(m) and T(m) of networks that can be reckoned by hand. */
#include "net/plogp.h"

#include <criterion/criterion.h>

static const hn_time us = 1000000; /* picoseconds */
static const hn_per_byte ns = 1000000;

/* S 10 us, X 20 us + 8 ns a byte, R 5 us. */
static hn_net *four_hosts(hn_medium medium)
{
    hn_net *net = hn_net_new(4);
    for (int h = 0; h < 4; h++)
        hn_net_set_host(net, h, &(hn_host_cost){.send_const = 10 * us, .recv_const = 5 * us});
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = 20 * us, .per_byte = 8 * ns});
    hn_net_set_medium(net, 0, medium);
    return net;
}

Test(plogp, gap_is_the_longest_of_host_and_wire)
{
    hn_net *net = four_hosts(HN_MEDIUM_SWITCH);
    cr_expect_eq(plogp_gap(net, 0, 1, 0), 10 * us);
    cr_expect_eq(plogp_gap(net, 0, 1, 100000), 800 * us, "no port is known: the way");
    hn_net_set_host(net, 1, &(hn_host_cost){.recv_const = 15 * us, .recv_gap = 16 * ns});
    cr_expect_eq(plogp_gap(net, 0, 1, 0), 15 * us, "the receiver is slower");
    cr_expect_eq(plogp_gap(net, 0, 1, 100000), 1600 * us, "its port, too");
    hn_net_free(net);
}

Test(plogp, broadcast_is_a_binomial_tree)
{
    hn_net *net = four_hosts(HN_MEDIUM_SWITCH);
    /* 0 to 2 at 0, to 1 at 10; 2 to 3 at 35 */
    cr_expect_eq(plogp_broadcast(net, 0, 0), 70 * us);
    hn_net_free(net);
    net = hn_net_new(1);
    cr_expect_eq(plogp_broadcast(net, 0, 1024), 0, "nobody to send to");
    hn_net_free(net);
}

Test(plogp, a_bus_carries_one_message_at_a_time)
{
    hn_net *net = four_hosts(HN_MEDIUM_BUS);
    cr_expect_eq(plogp_broadcast(net, 0, 1000000), 3 * 8000 * us);
    hn_net_free(net);
}
