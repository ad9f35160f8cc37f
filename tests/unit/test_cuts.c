/* test_cuts.c - the lower bound where several channels together lead out of a site. */
#include "model/bounds/bound.h"
#include "plan/check.h"
#include "planners/planner.h"
#include "random.h"
#include "model/simulate.h"

#include "hnow.h"

#include <criterion/criterion.h>

enum { SITES = 3, EACH = 4, HOSTS = SITES * EACH, SUBNET_BYTE = 8000000, LINK_BYTE = 800000000 };

static const char *const site_names[SITES] = {"a", "b", "c"};

/* Sites of one switch each, any two joined by a link of their own. */
static hn_net *make_triangle(hn_per_byte link)
{
    hn_net *net = hn_net_new(HOSTS);
    for (int s = 0; s < SITES; s++) {
        int members[EACH];
        for (int i = 0; i < EACH; i++)
            members[i] = s * EACH + i;
        hn_net_add_subnet(net, site_names[s], HN_MEDIUM_SWITCH, members, EACH);
        hn_net_set_subnet_cost(net, hn_net_subnet_of(net, members[0]),
                               (hn_pair_cost){.per_byte = SUBNET_BYTE});
    }
    for (int a = 0; a < SITES; a++)
        for (int b = 0; b < SITES; b++)
            if (a != b)
                hn_net_set_link(net, hn_net_subnet_of(net, a * EACH),
                                hn_net_subnet_of(net, b * EACH), (hn_pair_cost){.per_byte = link},
                                link);
    return net;
}

static void make_model(struct model *model, hn_net *net)
{
    static int host[HOSTS];
    for (int i = 0; i < HOSTS; i++)
        host[i] = i;
    model_of_net(model, net, host, HOSTS, PORT_MEDIA);
}

/* Of an exchange of all with all, EACH * (HOSTS - EACH) parts leave a site by its two links; who
 * goes round by the third site has not avoided them. */
Test(cuts, what_leaves_a_site_shares_all_links_that_lead_out)
{
    enum { BYTES = 100000 };
    hn_net *net = make_triangle(LINK_BYTE);
    struct model model;
    make_model(&model, net);
    struct request req = {.op = OP_ALLTOALL, .ranks = HOSTS, .bytes = BYTES, .grain = 1};
    hn_time through = (hn_time)EACH * (HOSTS - EACH) * BYTES * (LINK_BYTE / 1000) / 2;
    hn_time bound = lower_bound(&req, &model, true);
    cr_expect_geq(bound, through - through / 1000);
    cr_expect_leq(bound, through + through / 100);
    hn_net_free(net);
}

/* What has passed the only way into a far room has its latency before it, not that of a room. */
Test(cuts, behind_an_uplink_comes_the_latency_of_its_ways)
{
    enum { BYTES = 16000 };
    const hn_time near = 50000000, far = 30000000000; /* 50 us, 30 ms */
    hn_net *net = make_triangle(LINK_BYTE);
    struct model model;
    for (int a = 0; a < SITES; a++)
        for (int b = 0; b < SITES; b++)
            if (a != b)
                hn_net_set_link(net, hn_net_subnet_of(net, a * EACH),
                                hn_net_subnet_of(net, b * EACH),
                                (hn_pair_cost){.latency = far, .per_byte = LINK_BYTE}, LINK_BYTE);
            else
                hn_net_set_subnet_cost(net, hn_net_subnet_of(net, a * EACH),
                                       (hn_pair_cost){.latency = near, .per_byte = SUBNET_BYTE});
    hn_net_set_uplink(net, hn_net_subnet_of(net, EACH), (hn_pair_cost){.per_byte = 2 * LINK_BYTE});
    make_model(&model, net);
    struct request req = {.op = OP_BCAST, .ranks = HOSTS, .bytes = BYTES, .grain = 1};
    hn_time through = (hn_time)BYTES * (2 * LINK_BYTE / 1000);
    cr_expect_geq(lower_bound(&req, &model, true), far + through);
    cr_expect_leq(lower_bound(&req, &model, true), far + through + through / 100);
    hn_net_free(net);
}

/* No plan is faster, on links quick and slow, for parts of any size. */
Test(cuts, no_plan_is_below)
{
    static const char *const names[] = {"direct", "replies", "levels_direct", "ring", "flat"};
    static const enum operation ops[] = {OP_ALLTOALL, OP_ALLGATHER,      OP_ALLREDUCE,
                                         OP_SCATTER,  OP_REDUCE_SCATTER, OP_BCAST};
    uint64_t seed = random_seed(), state = seed;
    for (int round = 0; round < random_rounds(60); round++) {
        hn_net *net = make_triangle(1 + random_below(&state, 2 * LINK_BYTE));
        struct request req = {.op = ops[round % 6],
                              .ranks = HOSTS,
                              .bytes = 1 + random_below(&state, 300000),
                              .grain = 1};
        struct model model;
        make_model(&model, net);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            struct choice choice;
            struct plan *plan;
            struct timing timing;
            cr_assert_eq(choice_parse(names[i], &choice), HN_OK);
            if (choice_plan(&choice, &req, &model, &plan) != HN_OK)
                continue;
            cr_assert_eq(plan_simulate(plan, &model, &timing), HN_OK);
            cr_expect_geq(timing.makespan, lower_bound(&req, &model, true), "HNOW_SEED=%llu: %s",
                          (unsigned long long)seed, names[i]);
            timing_free(&timing);
            plan_free(plan);
        }
        hn_net_free(net);
    }
}
