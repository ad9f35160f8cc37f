/* test_planners.c - every planner on random requests and networks: what it makes passes the
 * checker, plays to its end in every port model, and auto is never worse than any of them. */
#include "bounds_kept.h"
#include "select/auto.h"
#include "plan/check.h"
#include "plan/operation.h"
#include "planners/planner.h"
#include "random.h"
#include "random_messages.h"
#include "planners/defaults.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RANKS = 21, ROUNDS = 32 };

/* A random network as a model: costs by a hash of (seed, from, to). */
struct random_net {
    uint64_t seed;
};

static hn_time drawn(uint64_t seed, int a, int b, int64_t n)
{
    uint64_t state = seed + (uint64_t)a * 1000003 + (uint64_t)b * 7919;
    random_below(&state, 2);
    return random_below(&state, n);
}

static struct cost random_cost(const struct model *model, int from, int to, int64_t bytes)
{
    const struct random_net *net = model->data;
    return (struct cost){drawn(net->seed, from, -1, 1000) + bytes * drawn(net->seed, from, -2, 9),
                         drawn(net->seed, from, to, 5000) + bytes * drawn(net->seed, to, from, 50),
                         drawn(net->seed, to, -3, 1000) + bytes * drawn(net->seed, to, -4, 9)};
}

struct contention {
    uint64_t seed;
    struct request req;
    struct model model;
    struct random_net net;
    int64_t sizes[MOST_RANKS * MOST_RANKS];
    struct random_messages messages;
    struct bounds_kept bounds;
    hn_time best;       /* of the choices so far; -1: none ... */
    char best_name[64]; /* ... and whose it is */
};

static void draw_trial(struct contention *t, uint64_t *state)
{
    int n = 1 + (int)random_below(state, MOST_RANKS);
    int64_t grain = (int64_t[]){1, 4, 8}[random_below(state, 3)];
    t->seed = *state;
    t->req = (struct request){
        .op = (enum operation)random_below(state, OP_COUNT),
        .ranks = n,
        .root = (int)random_below(state, n),
        .bytes = random_below(state, 3) ? grain * random_below(state, 5000) : 0,
        .grain = grain,
        .ordered = random_below(state, 4) == 0,
    };
    random_messages(&t->req, state, &t->messages);
    for (int i = 0; i < request_parts(&t->req); i++)
        t->sizes[i] = grain * random_below(state, 300);
    if (random_below(state, 2))
        t->req.sizes = t->sizes;
    t->net.seed = *state;
    t->model = (struct model){.ranks = n, .cost = random_cost, .data = &t->net};
    bounds_forget(&t->bounds);
    t->best = -1;
}

static void try_choice(const struct choice *choice, struct contention *t)
{
    char name[64];
    struct plan *plan;
    struct check_fault fault;
    struct timing timing;
    choice_text(choice, name, sizeof name);
    int error = choice_plan(choice, &t->req, &t->model, &plan);
    if (error == HN_EPLAN && (t->req.ordered || choice->planner->multicasts ||
                              (t->req.messages && choice->planner->deliveries_most)))
        return;
    cr_assert_eq(error, HN_OK, "seed %llu: %s of %s fails: %d", (unsigned long long)t->seed,
                 operation_name(t->req.op), name, error);
    error = plan_check(plan, &t->req, &fault);
    cr_assert_eq(error, HN_OK, "seed %llu: %s by %s, %d ranks: rank %d step %d: %s",
                 (unsigned long long)t->seed, operation_name(t->req.op), name, t->req.ranks,
                 fault.rank, fault.step, fault.text);
    for (int port = PORT_NONBLOCKING; port <= PORT_MEDIA; port++) {
        if (port == PORT_BLOCKING && choice->planner->eager)
            continue;
        t->model.port = (enum port)port;
        error = plan_simulate(plan, &t->model, &timing);
        cr_assert_eq(error, HN_OK, "seed %llu: %s by %s does not end", (unsigned long long)t->seed,
                     operation_name(t->req.op), name);
        hn_time bound = bounds_of(&t->bounds, &t->req, &t->model, plan_segments(plan) > 1);
        cr_assert_leq(bound, timing.makespan, "seed %llu: %s by %s beats its bound (port %d)",
                      (unsigned long long)t->seed, operation_name(t->req.op), name, port);
        /* What auto may leave out where an estimate says that it takes long; and segments that are
         * longer than the data. */
        bool left_out = (t->req.messages && choice->planner->search > 0) ||
                        (choice->segment && choice->segment >= request_part_bytes(&t->req, 0));
        if (port == PORT_NONBLOCKING && choice->segment != 3000 && !left_out &&
            (t->best < 0 || timing.makespan < t->best)) {
            t->best = timing.makespan;
            snprintf(t->best_name, sizeof t->best_name, "%s", name);
        }
        timing_free(&timing);
    }
    t->model.port = PORT_NONBLOCKING;
    plan_free(plan);
}

/* Every planner that serves the operation, with several arities and segments. */
static void try_planners(struct contention *t)
{
    static const int64_t segments[] = {0, 1024, 3000};
    for (int i = 0; i < planner_count; i++) {
        const struct planner *p = &planners[i];
        if (!planner_serves(p, &t->req))
            continue;
        for (int arity = p->arity; arity <= p->arity_most; arity++)
            for (int k = 0; k < (p->segments ? 3 : 1); k++)
                try_choice(&(struct choice){p, arity, segments[k]}, t);
    }
}

Test(planners, random_requests_pass_the_checker)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        static struct contention t;
        draw_trial(&t, &state);
        const char *what;
        cr_assert_eq(request_check(&t.req, &what), HN_OK);
        try_planners(&t);
        struct choice choice;
        struct plan *plan;
        struct timing timing;
        int error = planner_best(&t.req, &t.model, NULL, &choice, &plan, &timing);
        if (t.best < 0) {
            cr_assert_eq(error, HN_EPLAN);
            continue;
        }
        cr_assert_eq(error, HN_OK);
        cr_assert_leq(timing.makespan, t.best + t.best / 32,
                      "seed %llu: auto is not the best, but %s of %s", (unsigned long long)t.seed,
                      operation_name(t.req.op), t.best_name);
        timing_free(&timing);
        plan_free(plan);
    }
}

/* The quick way with the time of few operations, then of more and more: it ends with what it
 * chooses when time is no matter, and says so. */
Test(planners, time_for_planning_grows_until_all_was_tried)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        static struct contention t;
        draw_trial(&t, &state);
        struct choice best, choice;
        struct shortlist all, some = {0};
        struct plan *plan;
        int error = planner_best_quick(&t.req, &t.model, CALLS_ALL, &best, &plan, NULL, &all);
        if (error == HN_EPLAN)
            continue;
        cr_assert_eq(error, HN_OK);
        cr_assert(all.complete);
        plan_free(plan);
        for (int64_t calls = 1; calls < CALLS_ALL && !some.complete; calls *= 2) {
            error = planner_best_quick(&t.req, &t.model, calls, &choice, &plan, NULL, &some);
            cr_assert_eq(error, HN_OK, "seed %llu: no plan in little time",
                         (unsigned long long)t.seed);
            cr_assert_leq(some.plans, all.plans);
            plan_free(plan);
        }
        cr_assert(choice.planner == best.planner && choice.arity == best.arity &&
                      choice.segment == best.segment,
                  "seed %llu: another plan in the end", (unsigned long long)t.seed);
    }
}

/* Some ranks of a network with subnets of both media, in any order. */
Test(planners, subnets_of_all_kinds_pass_the_checker)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(ROUNDS / 4); round++) {
        static struct contention t;
        int host[MOST_RANKS], members[2 * MOST_RANKS], n = 2 * MOST_RANKS;
        hn_net *net = hn_net_new(n);
        draw_trial(&t, &state);
        for (int h = 0; h < n; h++)
            hn_net_set_host(net, h,
                            &(hn_host_cost){.send_const = random_below(&state, 1000),
                                            .recv_const = random_below(&state, 1000)});
        for (int s = 0; s < 5; s++) {
            int count = 1 + (int)random_below(&state, 9);
            for (int i = 0; i < count; i++)
                members[i] = s * 8 + i % 8;
            hn_net_add_subnet(net, (const char *[]){"a", "b", "c", "d", "e"}[s],
                              random_below(&state, 2) ? HN_MEDIUM_BUS : HN_MEDIUM_SWITCH, members,
                              count < 8 ? count : 8);
            hn_net_set_uplink(net, s, (hn_pair_cost){random_below(&state, 9999), 50});
        }
        for (int r = 0, first = (int)random_below(&state, n); r < t.req.ranks; r++)
            host[r] = (first + 5 * r) % n;
        model_of_net(&t.model, net, host, t.req.ranks, PORT_NONBLOCKING);
        try_planners(&t);
        hn_net_free(net);
    }
}

Test(planners, choices_read_and_print)
{
    struct choice choice;
    char text[64];
    const char *good[] = {"flat",
                          "kary:7",
                          "chain/65536",
                          "kary:4/1024",
                          "ring",
                          "as_bcast",
                          "as_bcast:chain/1024",
                          "gather+bcast@3",
                          "reduce+bcast@2:ecef/4096,kary:4/65536"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cr_assert_eq(choice_parse(good[i], &choice), HN_OK, "%s", good[i]);
        cr_assert_str_eq(choice_text(&choice, text, sizeof text), good[i]);
    }
    const char *bad[] = {"",
                         "kar",
                         "flat:2",
                         "kary:",
                         "kary:0",
                         "kary:-1",
                         "kary:+4",
                         "kary: 4",
                         "chain/+1024",
                         "chain/",
                         "chain/x",
                         "chain/12x",
                         "ring/4096",
                         "kary:4:5",
                         "kary/1:2",
                         "kary:3/9999999999999999999999",
                         "flat ",
                         "as_bcast@1",
                         "as_bcast:ring",
                         "as_bcast:as_allreduce",
                         "gather+bcast:flat",
                         "gather+bcast:flat,flat,flat",
                         "gather+bcast:flat,",
                         "gather+bcast/1024",
                         "gather+bcast@:flat,flat",
                         "a-name-that-is-longer-than-any-planner-has"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(choice_parse(bad[i], &choice), HN_EARG, "%s", bad[i]);
}

/* The tables of the papers' trees, by hand: n = 8, root 3. */
Test(planners, trees_are_the_known_ones)
{
    struct request req = {.op = OP_BCAST, .ranks = 8, .root = 3, .bytes = 8, .grain = 8};
    struct random_net net = {1};
    struct model model = {.ranks = 8, .cost = random_cost, .data = &net};
    static const struct {
        const char *name;
        int rank, children[8];
    } cases[] = {
        {"binomial", 3, {7, 5, 4, -1}},
        {"binomial", 7, {1, 0, -1}},
        {"butterfly", 3, {4, 5, 7, -1}},
        {"butterfly", 4, {6, 0, -1}},
        {"binary", 3, {4, 5, -1}},
        {"binary", 5, {0, 1, -1}},
        {"kary", 3, {4, 5, 6, -1}},
        {"chain", 7, {0, -1}},
        {"flat", 3, {0, 1, 2, 4, 5, 6, 7, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct choice choice;
        struct plan *plan;
        cr_assert_eq(choice_parse(cases[i].name, &choice), HN_OK);
        cr_assert_eq(choice_plan(&choice, &req, &model, &plan), HN_OK);
        int place = 0;
        for (int s = plan->first[cases[i].rank]; s < plan->first[cases[i].rank + 1]; s++)
            if (plan->steps[s].kind == PLAN_SEND)
                cr_assert_eq(plan->steps[s].peer, cases[i].children[place++], "%s, child %d",
                             cases[i].name, place);
        cr_assert_eq(cases[i].children[place], -1, "%s", cases[i].name);
        plan_free(plan);
    }
}

/* Three subnets of four: every message that is for all goes once into each of the others. */
Test(planners, messages_enter_every_subnet_once)
{
    enum { N = 12, EACH = 4, K = 3 };
    static const char *const names[] = {"a", "b", "c"};
    bool wants[K][N];
    struct multicast_message messages[K];
    struct choice choice;
    struct plan *plan;
    struct model model;
    struct check_fault fault;
    hn_net *net = hn_net_new(N);
    for (int s = 0; s < N / EACH; s++) {
        hn_net_add_subnet(net, names[s], HN_MEDIUM_SWITCH,
                          (int[]){EACH * s, EACH * s + 1, EACH * s + 2, EACH * s + 3}, EACH);
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){1000000, 80000});
        hn_net_set_uplink(net, s, (hn_pair_cost){1000000, 800000});
    }
    for (int k = 0; k < K; k++) {
        for (int rank = 0; rank < N; rank++)
            wants[k][rank] = rank != k;
        messages[k] = (struct multicast_message){k, 10000, wants[k]};
    }
    struct request req = {
        .op = OP_MULTIMULTICAST, .ranks = N, .grain = 1, .messages = messages, .message_count = K};
    model_of_net(&model, net, NULL, N, PORT_MEDIA);
    cr_assert_eq(choice_parse("subnets_messages/4096", &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, &req, &model, &plan), HN_OK);
    cr_assert_eq(plan_check(plan, &req, &fault), HN_OK, "%s", fault.text);
    int crossing = 0;
    for (int rank = 0; rank < N; rank++)
        for (int i = plan->first[rank]; i < plan->first[rank + 1]; i++)
            crossing +=
                plan->steps[i].kind == PLAN_SEND && plan->steps[i].peer / EACH != rank / EACH;
    cr_assert_eq(crossing, K * (N / EACH - 1) * plan_segments(plan));
    plan_free(plan);
    hn_net_free(net);
}

/* ---- rule of thumb ----------------------------------------------------------------------------
 */

/* What serves as a stage of another plan is not made of others itself. */
Test(default, plain_ones_are_not_composed)
{
    for (int op = 0; op < OP_COUNT; op++)
        for (int64_t bytes = 8; bytes <= 16 << 20; bytes *= 2) {
            struct request req = {.op = (enum operation)op,
                                  .ranks = 8,
                                  .bytes = op == OP_BARRIER ? 0 : bytes,
                                  .grain = 8};
            struct choice choice;
            if (op != OP_MULTIMULTICAST && defaults_choose(&req, true, &choice))
                cr_expect(!choice.planner->composed, "%s, %lld bytes", operation_name(req.op),
                          (long long)bytes);
        }
}

/* Sums keep the plan of their first call: where bytes count, that is no whole tree. */
Test(default, a_first_reduction_is_scattered_and_gathered)
{
    hn_net *net = hn_net_new(8);
    struct model model;
    for (int h = 0; h < 8; h++)
        hn_net_set_host(net, h,
                        &(hn_host_cost){.send_const = 7000000,
                                        .recv_const = 3000000,
                                        .send_gap = 8700000,
                                        .recv_gap = 8700000});
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = 10000000, .per_byte = 8700000});
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    for (int64_t bytes = 64 << 10; bytes <= 512 << 10; bytes *= 2) {
        struct request req = {
            .op = OP_REDUCE, .ranks = 8, .bytes = bytes, .grain = 8, .steady = true};
        struct choice choice, tree;
        struct plan *plan, *whole;
        struct timing timing, usual;
        cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, &timing, NULL), HN_OK);
        cr_assert_eq(choice_parse("binomial", &tree), HN_OK);
        cr_assert_eq(choice_plan(&tree, &req, &model, &whole), HN_OK);
        cr_assert_eq(plan_simulate(whole, &model, &usual), HN_OK);
        cr_expect(timing.makespan < usual.makespan / 4 * 3, "%lld bytes: %lld, binomial %lld",
                  (long long)bytes, (long long)timing.makespan, (long long)usual.makespan);
        timing_free(&timing);
        timing_free(&usual);
        plan_free(plan);
        plan_free(whole);
    }
    hn_net_free(net);
}

/* On a switch nobody should wait for the other one of a pair: there, an acknowledgement takes
 * nothing that data need. */
Test(planners, that_reply_are_for_buses)
{
    static const hn_medium media[] = {HN_MEDIUM_SWITCH, HN_MEDIUM_BUS};
    for (int bus = 0; bus < 2; bus++) {
        hn_net *net = hn_net_new(8);
        struct request req = {.op = OP_ALLTOALL, .ranks = 8, .bytes = 1024, .grain = 1};
        struct model model;
        hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = 90000000, .per_byte = 860000000});
        hn_net_set_medium(net, 0, media[bus]);
        model_of_net(&model, net, NULL, 8, PORT_MEDIA);
        struct facts facts = facts_of(&req, &model, false, false);
        cr_expect_eq(planner_suits(planner_named("replies"), &facts), bus);
        hn_net_free(net);
    }
}
