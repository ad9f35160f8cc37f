/* test_levels.c - sites, subnets, machines, hosts and ranks as a tree of groups, and the planners
 * that follow it: what they send over which border. */
#include "select/auto.h"
#include "model/bounds/bound.h"
#include "plan/check.h"
#include "model/levels.h"
#include "makespan.h"
#include "planners/planner.h"
#include "random_net.h"
#include "model/simulate.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SITES = 3, SUBNETS = 2, HOSTS = 4, TASKS = 2, RANKS = SITES * SUBNETS * HOSTS * TASKS };
enum border { SITE, SUBNET, HOST, BORDERS };

/* ---- the tree ----------------------------------------------------------------------------------
 */

/* What two ranks have in common, the largest kind of group first. A machine may hold hosts of
 * several subnets; it tells ranks apart where subnets do not. */
static int kinship(const struct model *m, int a, int b)
{
    const hn_net *net = model_net(m);
    int x = model_host(m, a), y = model_host(m, b);
    int s = hn_net_subnet_of(net, x), t = hn_net_subnet_of(net, y);
    const char *site = hn_net_subnet_site(net, s);
    int machine = hn_net_machine_of(net, x);
    bool same_site = s == t || (*site && strcmp(site, hn_net_subnet_site(net, t)) == 0),
         same_machine = x == y || (machine >= 0 && machine == hn_net_machine_of(net, y));
    return 8 * same_site + 4 * (s == t) + 2 * same_machine + (x == y);
}

/* The smallest group that both are in. */
static int common(const struct levels *l, int a, int b)
{
    int least = l->ranks;
    for (int g = 0; g < l->count; g++) {
        bool has_a = false, has_b = false;
        for (int i = l->group[g].begin; i < l->group[g].end; i++) {
            has_a = has_a || l->member[i] == a;
            has_b = has_b || l->member[i] == b;
        }
        int size = l->group[g].end - l->group[g].begin;
        least = has_a && has_b && size < least ? size : least;
    }
    return least;
}

static void check_groups(const struct levels *l, uint64_t seed)
{
    for (int g = 0; g < l->count; g++) {
        int begin, end, at = l->group[g].begin;
        cr_assert(g == 0 || l->group[g].depth > 0);
        cr_assert(l->group[g].leaf || l->group[g].parts > 1, "seed %llu", (unsigned long long)seed);
        for (int part = 0; part < l->group[g].parts; part++, at = end) {
            levels_part(l, &l->group[g], part, &begin, &end);
            cr_assert(begin == at && end > begin, "seed %llu", (unsigned long long)seed);
        }
        cr_assert_eq(at, l->group[g].end);
    }
}

/* Who has more in common with a rank is with it in no larger group. */
Test(levels, near_ranks_are_in_small_groups)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(100); round++) {
        uint64_t seed = state;
        struct levels l;
        struct model m;
        int host[16], n = 1 + (int)random_below(&state, 16);
        hn_net *net = random_net(&state);
        random_group(net, &state, host, n);
        model_of_net(&m, net, host, n, PORT_MEDIA);
        cr_assert_eq(levels_begin(&l, &m, NULL), HN_OK);
        check_groups(&l, seed);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                for (int c = 0; c < n; c++)
                    cr_assert(kinship(&m, a, b) < kinship(&m, a, c) ||
                                  common(&l, a, b) <= common(&l, a, c),
                              "seed %llu: ranks %d, %d, %d", (unsigned long long)seed, a, b, c);
        levels_end(&l);
        hn_net_free(net);
    }
}

/* What tells nothing is no level. */
Test(levels, one_switch_is_one_group)
{
    hn_net *net = hn_net_new(5);
    struct model m;
    struct levels l;
    model_of_net(&m, net, NULL, 5, PORT_MEDIA);
    hn_net_set_site(net, 0, "here");
    cr_assert_eq(levels_begin(&l, &m, (int[]){4, 2, 0, 1, 3}), HN_OK);
    cr_assert(l.count == 1 && l.depth == 0 && l.group[0].leaf);
    cr_assert_eq(l.member[1], 2, "members stand in the order given");
    cr_assert_not(levels_nested(&m));
    levels_end(&l);
    hn_net_free(net);
}

/* ---- what crosses borders ----------------------------------------------------------------------
 */

/* Three sites of two subnets of four hosts of two tasks; ranks go round. */
struct world {
    hn_net *net;
    struct model model;
    int host[RANKS];
};

static void world_begin(struct world *w)
{
    int hosts = SITES * SUBNETS * HOSTS, members[HOSTS];
    w->net = hn_net_new(hosts);
    for (int h = 0; h < hosts; h++)
        hn_net_set_host(w->net, h, &(hn_host_cost){.send_const = 20000000, .recv_const = 20000000});
    for (int s = 0; s < SITES * SUBNETS; s++) {
        char name[] = {'n', (char)('a' + s), 0}, site[] = {'S', (char)('a' + s / SUBNETS), 0};
        for (int i = 0; i < HOSTS; i++)
            members[i] = s * HOSTS + i;
        hn_net_add_subnet(w->net, name, HN_MEDIUM_SWITCH, members, HOSTS);
        int subnet = hn_net_subnet_index(w->net, name);
        hn_net_set_subnet_cost(w->net, subnet, (hn_pair_cost){60000000, 80000000});
        hn_net_set_uplink(w->net, subnet, (hn_pair_cost){900000000, 80000000});
        hn_net_set_site(w->net, subnet, site);
    }
    for (int r = 0; r < RANKS; r++)
        w->host[r] = r % hosts;
    model_of_net(&w->model, w->net, w->host, RANKS, PORT_MEDIA);
}

static int place_of(int rank, enum border border)
{
    int host = rank % (SITES * SUBNETS * HOSTS);
    return border == HOST ? host : border == SUBNET ? host / HOSTS : host / HOSTS / SUBNETS;
}

/* Messages over each kind of border, and the bytes that leave each site. */
struct traffic {
    int messages[BORDERS];
    int64_t leaves[SITES];
    bool sends_out[RANKS]; /* to another subnet */
};

static void count(const struct plan *plan, struct traffic *t)
{
    *t = (struct traffic){0};
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int s = plan->first[rank]; s < plan->first[rank + 1]; s++) {
            const struct plan_step *step = &plan->steps[s];
            if (step->kind != PLAN_SEND)
                continue;
            for (int b = 0; b < BORDERS; b++)
                t->messages[b] +=
                    place_of(rank, (enum border)b) != place_of(step->peer, (enum border)b);
            if (place_of(rank, SITE) != place_of(step->peer, SITE))
                t->leaves[place_of(rank, SITE)] += plan_step_bytes(plan, step);
            t->sends_out[rank] =
                t->sends_out[rank] || place_of(rank, SUBNET) != place_of(step->peer, SUBNET);
        }
}

/* Plans, and checks the plan. */
static void plan_and_count(const struct world *w, const char *name, struct request req,
                           struct traffic *t)
{
    struct choice choice;
    struct plan *plan;
    struct check_fault fault;
    req.ranks = RANKS;
    req.grain = 1;
    cr_assert_eq(choice_parse(name, &choice), HN_OK, "%s", name);
    cr_assert_eq(choice_plan(&choice, &req, &w->model, &plan), HN_OK, "%s", name);
    cr_assert_eq(plan_check(plan, &req, &fault), HN_OK, "%s: %s", name, fault.text);
    count(plan, t);
    plan_free(plan);
}

/* An allreduce takes as little out of a site as is possible. */
Test(levels, sites_share_an_allreduce)
{
    struct world w;
    struct traffic t;
    int64_t bytes = 1000 * RANKS;
    world_begin(&w);
    plan_and_count(&w, "levels_direct", (struct request){.op = OP_ALLREDUCE, .bytes = bytes}, &t);
    for (int s = 0; s < SITES; s++)
        cr_expect_eq(t.leaves[s], 2 * bytes * (SITES - 1) / SITES, "%lld", (long long)t.leaves[s]);
    for (int r = 0; r < RANKS; r++)
        cr_expect(t.sends_out[r], "rank %d sends nothing out", r);
    plan_and_count(&w, "levels_direct", (struct request){.op = OP_ALLGATHER, .bytes = 10}, &t);
    for (int s = 0; s < SITES; s++) /* all but what is for its own site */
        cr_expect_eq(t.leaves[s], 10 * RANKS * (SITES - 1) / SITES, "%lld", (long long)t.leaves[s]);
    hn_net_free(w.net);
}

/* The heads of the sites meet: nobody waits for a message out of its site twice in a row. */
Test(levels, heads_exchange)
{
    struct world w;
    struct traffic t;
    world_begin(&w);
    plan_and_count(&w, "levels_exchange", (struct request){.op = OP_BARRIER}, &t);
    int sites = SITES * (SITES - 1), subnets = sites + 2 * SITES * (SUBNETS - 1), heads = 0;
    cr_expect_eq(t.messages[SITE], sites, "%d", t.messages[SITE]);
    cr_expect_eq(t.messages[SUBNET], subnets, "%d", t.messages[SUBNET]);
    cr_expect_eq(t.messages[HOST], subnets + 2 * SITES * SUBNETS * (HOSTS - 1));
    for (int r = 0; r < RANKS; r++)
        heads += t.sends_out[r];
    cr_expect_eq(heads, SITES * SUBNETS, "%d", heads);
    plan_and_count(&w, "levels_exchange", (struct request){.op = OP_ALLREDUCE, .bytes = 8}, &t);
    cr_expect_eq(t.messages[SITE], sites, "%d", t.messages[SITE]);
    plan_and_count(&w, "levels_doubling", (struct request){.op = OP_ALLREDUCE, .bytes = 8}, &t);
    for (int s = 0; s < SITES; s++)
        cr_expect_leq(t.leaves[s], 2 * 8, "%lld", (long long)t.leaves[s]);
    hn_net_free(w.net);
}

/* Hosts that are all far from each other: a sum takes one way, whatever their number, and is the
 * same at all, also of what does not commute. */
Test(levels, far_hosts_sum_at_once)
{
    const hn_time far = 10000000000;
    uint64_t state = random_seed();
    for (int n = 2; n <= 16; n++) {
        struct model model;
        int host[16];
        hn_net *net = hn_net_new(n);
        for (int h = 0; h < n; h++) {
            char name[] = {'n', (char)('a' + h), 0};
            hn_net_set_host(net, h, &(hn_host_cost){.send_const = 20000000});
            hn_net_add_subnet(net, name, HN_MEDIUM_SWITCH, &h, 1);
            hn_net_set_uplink(net, hn_net_subnet_index(net, name),
                              (hn_pair_cost){.latency = far / 2, .per_byte = 80000000});
            host[h] = h;
        }
        for (int h = n - 1; h > 0; h--) {
            int other = (int)random_below(&state, h + 1), mine = host[h];
            host[h] = host[other];
            host[other] = mine;
        }
        for (enum port port = PORT_BLOCKING; port <= PORT_MEDIA; port++) {
            struct request req = {
                .op = OP_ALLREDUCE, .ranks = n, .bytes = 8, .grain = 8, .ordered = true};
            model_of_net(&model, net, host, n, port);
            hn_time time = makespan_by("levels_exchange", &req, &model);
            cr_expect(port == PORT_BLOCKING || time < far + far / 4, "%d hosts: %lld", n,
                      (long long)time);
            req.ordered = false;
            hn_time other = makespan_by("levels_doubling", &req, &model);
            cr_expect(port == PORT_BLOCKING || n == 2 || other > 2 * far, "%d hosts: %lld", n,
                      (long long)other);
        }
        hn_net_free(net);
    }
}

/* The ring is at every border as often as there are groups, in every step. */
Test(levels, the_ring_follows_the_network)
{
    struct world w;
    struct traffic t;
    world_begin(&w);
    plan_and_count(&w, "ring", (struct request){.op = OP_ALLGATHER, .bytes = 10}, &t);
    cr_expect_eq(t.messages[SITE], SITES * (RANKS - 1), "%d", t.messages[SITE]);
    cr_expect_eq(t.messages[SUBNET], SITES * SUBNETS * (RANKS - 1));
    cr_expect_eq(t.messages[HOST], SITES * SUBNETS * HOSTS * (RANKS - 1));
    hn_net_free(w.net);
}

/* Many subnets, one behind the other: what is long passes from leader to leader while it spreads
 * inside, so the way has a hop for each subnet, not for each rank. */
Test(levels, long_broadcasts_have_few_hops)
{
    enum { MANY = 50, EACH = 20, ALL = MANY * EACH };
    struct request req = {.op = OP_BCAST, .ranks = ALL, .bytes = 1 << 20, .grain = 1};
    hn_net *net = hn_net_new(ALL);
    struct model model;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    for (int h = 0; h < ALL; h++)
        hn_net_set_host(net, h, &(hn_host_cost){.send_const = 8000000, .recv_const = 8000000});
    for (int s = 0; s < MANY; s++) {
        int members[EACH];
        char name[16];
        for (int i = 0; i < EACH; i++)
            members[i] = s * EACH + i;
        snprintf(name, sizeof name, "s%d", s);
        hn_net_add_subnet(net, name, HN_MEDIUM_SWITCH, members, EACH);
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){30000000, 8000000});
        hn_net_set_uplink(net, s, (hn_pair_cost){100000000, 16000000});
    }
    model_of_net(&model, net, NULL, ALL, PORT_MEDIA);
    cr_assert_eq(planner_best(&req, &model, NULL, &choice, &plan, &timing), HN_OK);
    cr_expect_leq(timing.makespan, 3 * lower_bound(&req, &model, true), "%s", choice.planner->name);
    timing_free(&timing);
    plan_free(plan);
    hn_net_free(net);
}
