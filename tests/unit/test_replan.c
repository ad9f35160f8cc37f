/* test_replan.c - plans and schedules made from old ones: right, no worse than the old ones kept,
 * and near to what is planned from scratch. */
#include "auto.h"
#include "bench/bench.h"
#include "check.h"
#include "exchange.h"
#include "exchange/heuristics.h"
#include "multicast/algorithms.h"
#include "random_messages.h"
#include "random_net.h"
#include "replan.h"
#include "table.h"
#include "replans.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ROUNDS = 40, RANKS = 9 };

/* ---- plans -------------------------------------------------------------------------------------
 */

struct scene {
    hn_net *net;
    struct model model;
    struct request req;
    struct random_messages messages;
    int host[RANKS + 1], now[RANKS];
    bool moved;
};

/* The member `gone` takes part in no message any more; its own come from rank 0. */
static void leave(struct scene *s, int gone)
{
    for (int k = 0; k < s->req.message_count; k++) {
        struct multicast_message *m = &s->messages.message[k];
        bool *wants = s->messages.wants[k];
        memmove(&wants[gone], &wants[gone + 1], (size_t)(RANDOM_RANKS_MOST - gone - 1));
        m->source = m->source == gone ? 0 : m->source - (m->source > gone);
        wants[m->source] = false;
    }
}

/* Some costs, perhaps the size, perhaps a member that leaves or comes (never the root). */
static void change(struct scene *s, uint64_t *state)
{
    int a = (int)random_below(state, hn_net_size(s->net)),
        b = (int)random_below(state, hn_net_size(s->net)), kind = (int)random_below(state, 4);
    hn_host_cost cost = *hn_net_host(s->net, a);
    if (random_below(state, 2))
        s->req.bytes *= 1 + random_below(state, 4);
    cost.send_const *= 3;
    cost.recv_per_byte *= 2;
    hn_net_set_host(s->net, a, &cost);
    if (a != b)
        hn_net_set_pair(s->net, a, b, random_pair(state, 9));
    for (int rank = 0; rank < s->req.ranks; rank++)
        s->now[rank] = rank;
    s->moved = kind < 2;
    if (kind == 0 && s->req.ranks > 2) {
        int gone = 1 + (int)random_below(state, s->req.ranks - 1);
        memmove(&s->host[gone], &s->host[gone + 1],
                (size_t)(s->req.ranks - gone) * sizeof *s->host);
        for (int rank = gone; rank < s->req.ranks; rank++)
            s->now[rank] = rank > gone ? rank - 1 : -1;
        leave(s, gone);
        s->req.ranks--;
    } else if (kind == 1) {
        s->req.ranks++;
    }
    s->model.ranks = s->req.ranks;
}

/* The old plan kept, where it can be: the new one must not be later. */
static void compare_with_kept(const struct scene *s, const struct plan *old, hn_time makespan,
                              uint64_t seed)
{
    struct plan *kept;
    struct timing timing;
    if (s->moved || replan_keep(old, &s->req, &kept))
        return;
    cr_assert_eq(plan_simulate(kept, &s->model, &timing), HN_OK);
    cr_assert_leq(makespan, timing.makespan, "seed %llu: the old plan is better",
                  (unsigned long long)seed);
    timing_free(&timing);
    plan_free(kept);
}

/* Replans a random operation after a change; returns the makespan as a ratio to that of a plan from
 * scratch, in thousandths. */
static int64_t round_of(uint64_t seed)
{
    uint64_t state = seed;
    struct scene s = {.net = random_net(&state)};
    s.req = (struct request){.op = (enum operation)random_below(&state, OP_COUNT),
                             .ranks = 2 + (int)random_below(&state, RANKS - 1),
                             .bytes = 8 * random_below(&state, 4000),
                             .grain = 8};
    struct old_plan old = {.now = NULL};
    struct choice choice;
    struct plan *plan, *fresh, *repaired;
    struct timing scratch, again;
    struct check_fault fault;
    random_messages(&s.req, &state, &s.messages);
    random_group(s.net, &state, s.host, RANKS + 1);
    model_of_net(&s.model, s.net, s.host, s.req.ranks, (enum port)random_below(&state, 3));
    cr_assert_eq(planner_best(&s.req, &s.model, NULL, &old.choice, &plan, NULL), HN_OK);
    old.plan = plan;
    change(&s, &state);
    old.now = s.moved ? s.now : NULL;
    cr_assert_eq(planner_best(&s.req, &s.model, NULL, &choice, &fresh, &scratch), HN_OK);
    cr_assert_eq(replan(&old, &s.req, &s.model, &choice, &repaired, &again), HN_OK, "seed %llu",
                 (unsigned long long)seed);
    cr_assert_eq(plan_check(repaired, &s.req, &fault), HN_OK, "seed %llu: %s of %s: %s",
                 (unsigned long long)seed, choice.planner->name, operation_name(s.req.op),
                 fault.text);
    compare_with_kept(&s, plan, again.makespan, seed);
    int64_t ratio = scratch.makespan > 0 ? again.makespan * 1000 / scratch.makespan : 1000;
    plan_free(plan);
    plan_free(fresh);
    plan_free(repaired);
    timing_free(&scratch);
    timing_free(&again);
    hn_net_free(s.net);
    return ratio;
}

Test(replan, is_right_and_near_to_a_plan_from_scratch)
{
    uint64_t state = random_seed();
    int64_t sum = 0, rounds = random_rounds(ROUNDS);
    for (int round = 0; round < rounds; round++) {
        uint64_t seed = (uint64_t)random_below(&state, INT64_MAX);
        int64_t ratio = round_of(seed);
        cr_assert_leq(ratio, 1800, "seed %llu: %lld thousandths of a plan from scratch",
                      (unsigned long long)seed, (long long)ratio);
        sum += ratio;
    }
    if (!random_short())
        cr_assert_leq(sum / rounds, 1050, "%lld thousandths on average", (long long)(sum / rounds));
}

Test(replan, other_groups_are_refused)
{
    hn_net *net = hn_net_new(4);
    struct model model;
    struct old_plan old = {.now = NULL};
    struct choice choice;
    struct plan *plan, *again;
    struct request req = {.op = OP_BCAST, .ranks = 4, .bytes = 100, .grain = 1};
    model_of_net(&model, net, NULL, 4, PORT_MEDIA);
    cr_assert_eq(planner_best(&req, &model, NULL, &old.choice, &plan, NULL), HN_OK);
    old.plan = plan;
    req.ranks = model.ranks = 3;
    cr_assert_eq(replan(&old, &req, &model, &choice, &again, NULL), HN_EPLAN);
    cr_assert_null(again);
    plan_free(plan);
    hn_net_free(net);
}

/* ---- schedules ---------------------------------------------------------------------------------
 */

/* After costs have changed: all events are there once, and the end is no later than in the old
 * order. */
Test(replan, total_exchanges_keep_all_their_messages)
{
    enum { N = 10 };
    uint64_t state = random_seed();
    for (int round = 0; round < 10; round++) {
        hn_time cost[N * N];
        struct exchange old, kept, again;
        bool there[N * N] = {false};
        bench_costs((int)random_below(&state, BENCH_EXCHANGES), N, &state, cost);
        cr_assert_eq(exchange_begin(&old, N, cost), HN_OK);
        cr_assert_eq(exchange_open_shop(&old), HN_OK);
        for (int i = 0; i < 5; i++)
            cost[random_below(&state, N) * N + random_below(&state, N)] *= 7;
        cr_assert_eq(exchange_begin(&kept, N, cost), HN_OK);
        for (int i = 0; i < old.count; i++)
            exchange_add(&kept, old.events[i].from, old.events[i].to);
        cr_assert_eq(exchange_begin(&again, N, cost), HN_OK);
        /* As if one host were new: nothing is known of its messages. */
        cr_assert_eq(exchange_repair(&again, old.events, round ? old.count : old.count / 2), HN_OK);
        cr_assert_eq(again.count, N * (N - 1));
        for (int i = 0; i < again.count; i++) {
            bool *seen = &there[again.events[i].from * N + again.events[i].to];
            cr_assert(!*seen);
            *seen = true;
        }
        cr_assert(round == 0 || again.makespan <= kept.makespan);
        cr_assert_geq(again.makespan, exchange_bound(&again));
        exchange_end(&old);
        exchange_end(&kept);
        exchange_end(&again);
    }
}

/* Whether every destination gets its message once, from one who has it. */
static void check_decisions(const struct multicast *m)
{
    bool has[8][12] = {{false}};
    int served = 0;
    for (int k = 0; k < m->messages; k++)
        has[k][m->message[k].source] = true;
    for (int i = 0; i < m->decision_count; i++) {
        const struct multicast_decision *d = &m->order[i];
        cr_assert(has[d->message][d->from] && !has[d->message][d->to]);
        cr_assert(m->message[d->message].wants[d->to]);
        has[d->message][d->to] = true;
        served++;
    }
    for (int k = 0; k < m->messages; k++)
        for (int i = 0; i < m->nodes; i++)
            served -= m->message[k].wants[i];
    cr_assert_eq(served, 0);
}

Test(replan, multicasts_serve_every_destination_of_today)
{
    enum { N = 12, K = 8 };
    uint64_t state = random_seed();
    for (int round = 0; round < 10; round++) {
        struct multicast_message messages[K];
        bool wants[K * N];
        struct table *table = bench_table(BENCH_CLUSTER, N, &state);
        struct model model;
        struct multicast old, again;
        bench_messages(messages, wants, K, N, &state);
        model_of_table(&model, table, PORT_NONBLOCKING);
        cr_assert_eq(multicast_begin(&old, &model, messages, K), HN_OK);
        cr_assert_eq(multicast_wrp(&old), HN_OK);
        for (int i = 0; i < 6; i++) {
            int k = (int)random_below(&state, K), node = (int)random_below(&state, N);
            wants[k * N + node] = node != messages[k].source && random_below(&state, 2);
        }
        messages[0].bytes *= 3;
        old.order[0].from = -1; /* somebody who has left */
        cr_assert_eq(multicast_begin(&again, &model, messages, K), HN_OK);
        cr_assert_eq(multicast_repair(&again, old.order, old.decision_count), HN_OK);
        check_decisions(&again);
        hn_time repaired = again.makespan;
        cr_assert_geq(repaired, multicast_bound(&again));
        cr_assert_eq(multicast_wrp(&again), HN_OK);
        cr_assert_leq(repaired, again.makespan, "WRP from scratch is better");
        multicast_end(&old);
        multicast_end(&again);
        table_free(table);
    }
}

/* A host becomes five times slower. Of a reduction what trees take is played, not reckoned, also
 * when an old one is improved. */
Test(replan, reductions_are_improved_by_playing)
{
    enum { N = 20, SLOW = 3 };
    const int networks = random_rounds(2);
    uint64_t state = 1;
    double ratio = 0;
    for (int network = 0; network < networks; network++) {
        struct table *t = table_new(N);
        struct model model;
        struct old_plan old = {.now = NULL};
        struct choice choice;
        struct plan *plan, *fresh, *repaired;
        struct timing scratch, again;
        struct request req = {.op = OP_REDUCE, .ranks = N, .bytes = 4000, .grain = 8};
        for (int i = 0; i < N * N; i++) {
            t->constant[TABLE_SEND][i] = (4 + random_below(&state, 86)) * 1000000000;
            t->per_byte[TABLE_SEND][i] = (1 + random_below(&state, 40)) * 100000;
        }
        model_of_table(&model, t, PORT_BLOCKING);
        cr_assert_eq(choice_parse("search", &old.choice), HN_OK);
        cr_assert_eq(choice_plan(&old.choice, &req, &model, &plan), HN_OK);
        old.plan = plan;
        for (int i = 0; i < N; i++) {
            t->constant[TABLE_SEND][i * N + SLOW] *= 5;
            t->constant[TABLE_SEND][SLOW * N + i] *= 5;
        }
        cr_assert_eq(choice_plan(&old.choice, &req, &model, &fresh), HN_OK);
        cr_assert_eq(plan_simulate(fresh, &model, &scratch), HN_OK);
        cr_assert_eq(replan(&old, &req, &model, &choice, &repaired, &again), HN_OK);
        ratio += (double)again.makespan / (double)scratch.makespan / networks;
        plan_free(plan);
        plan_free(fresh);
        plan_free(repaired);
        timing_free(&scratch);
        timing_free(&again);
        table_free(t);
    }
    cr_assert(random_short() || ratio <= 1.1, "%g times a plan from scratch", ratio);
}

/* ---- how near to a plan from scratch -----------------------------------------------------------
 */

/* The ratio of a plan made from the old one to one from scratch, after a change of `table`, which
 * `apply` makes. */
static double ratio_of(struct table *table, enum port port, const struct request *req,
                       const char *old_name, void (*apply)(struct table *, uint64_t *),
                       uint64_t *state)
{
    struct model model;
    struct old_plan old = {.now = NULL};
    struct choice choice;
    struct plan *plan, *fresh, *repaired;
    struct timing scratch, again;
    struct check_fault fault;
    model_of_table(&model, table, port);
    cr_assert_eq(choice_parse(old_name, &old.choice), HN_OK);
    cr_assert_eq(choice_plan(&old.choice, req, &model, &plan), HN_OK);
    old.plan = plan;
    apply(table, state);
    cr_assert_eq(planner_best(req, &model, NULL, &choice, &fresh, &scratch), HN_OK);
    cr_assert_eq(replan(&old, req, &model, &choice, &repaired, &again), HN_OK);
    cr_assert_eq(plan_check(repaired, req, &fault), HN_OK, "%s", fault.text);
    double ratio = (double)again.makespan / (double)scratch.makespan;
    plan_free(plan);
    plan_free(fresh);
    plan_free(repaired);
    timing_free(&scratch);
    timing_free(&again);
    return ratio;
}

static void slow_host(struct table *t, uint64_t *state)
{
    int n = t->ranks, slow = 1 + (int)random_below(state, n - 1);
    for (int i = 0; i < n; i++)
        for (int kind = 0; kind < 2; kind++) {
            int64_t *costs = kind ? t->constant[TABLE_SEND] : t->per_byte[TABLE_SEND];
            costs[i * n + slow] *= 5;
            costs[slow * n + i] *= 5;
        }
}

static void slow_link(struct table *t, uint64_t *state)
{
    int n = t->ranks, from = (int)random_below(state, n);
    int at = from * n + (from + 1 + (int)random_below(state, n - 1)) % n;
    for (int kind = 0; kind < TABLE_COSTS; kind++) {
        t->constant[kind][at] *= 10;
        t->per_byte[kind][at] *= 10;
    }
}

/* Old plans that are no trees: every segment has gone its own way; and one that is a tree, where
 * that is better now. */
Test(replan, segments_with_ways_of_their_own)
{
    enum { N = 20 };
    const int networks = random_rounds(3);
    static const struct {
        const char *name;
        enum operation op;
        int64_t bytes;
    } cases[] = {{"forest/1024", OP_REDUCE, 4000},
                 {"swarm/32768", OP_BCAST, 300000},
                 {"path/8192", OP_BCAST, 300000}};
    uint64_t seed = 1, state = seed; /* a few networks: other ones spread too much */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!random_turn(i, 2))
            continue;
        double sum = 0;
        for (int network = 0; network < networks; network++) {
            struct table *t = bench_table(BENCH_GUSTO, N, &state);
            struct request req = {
                .op = cases[i].op, .ranks = N, .bytes = cases[i].bytes, .grain = 1};
            double ratio = ratio_of(t, PORT_BLOCKING, &req, cases[i].name, slow_host, &state);
            cr_assert_leq(ratio, 1.2, "seed %llu: %s: %g", (unsigned long long)seed, cases[i].name,
                          ratio);
            sum += ratio;
            table_free(t);
        }
        cr_assert(random_short() || sum / networks <= 1.08, "seed %llu: %s: %g on average",
                  (unsigned long long)seed, cases[i].name, sum / networks);
    }
}

/* A slow link in a large total exchange: the order that was best is not, everywhere. */
Test(replan, large_total_exchanges)
{
    enum { N = 20 };
    const int networks = random_rounds(4);
    uint64_t seed = 1, state = seed; /* a few networks: other ones spread too much */
    double sum = 0;
    for (int network = 0; network < networks; network++) {
        enum port port = network % 2 ? PORT_BLOCKING : PORT_NONBLOCKING;
        struct table *t = bench_table(network / 2 ? BENCH_CLUSTER : BENCH_GUSTO, N, &state);
        struct request req = {.op = OP_ALLTOALL, .ranks = N, .bytes = 4000, .grain = 1};
        double ratio = ratio_of(t, port, &req, "exchange_search", slow_link, &state);
        cr_assert_leq(ratio, 1.1, "seed %llu: %g", (unsigned long long)seed, ratio);
        sum += ratio;
        table_free(t);
    }
    cr_assert(random_short() || sum / networks <= 1.05, "seed %llu: %g", (unsigned long long)seed,
              sum / networks);
}

/* One message becomes four times as long. */
Test(replan, longer_multicasts)
{
    enum { N = 32, K = 16 };
    const int networks = random_rounds(4);
    uint64_t seed = 1, state = seed; /* a few networks: other ones spread too much */
    double sum = 0;
    for (int network = 0; network < networks; network++) {
        struct multicast_message messages[K];
        bool wants[K * N];
        struct table *table = bench_table(BENCH_CLUSTER, N, &state);
        struct model model;
        struct multicast old, fresh, again;
        bench_messages(messages, wants, K, N, &state);
        model_of_table(&model, table, PORT_NONBLOCKING);
        cr_assert_eq(multicast_begin(&old, &model, messages, K), HN_OK);
        cr_assert_eq(multicast_search(&old), HN_OK);
        messages[random_below(&state, K)].bytes *= 4;
        cr_assert_eq(multicast_begin(&fresh, &model, messages, K), HN_OK);
        cr_assert_eq(multicast_search(&fresh), HN_OK);
        cr_assert_eq(multicast_begin(&again, &model, messages, K), HN_OK);
        cr_assert_eq(multicast_repair(&again, old.order, old.decision_count), HN_OK);
        sum += (double)again.makespan / (double)fresh.makespan;
        multicast_end(&old);
        multicast_end(&fresh);
        multicast_end(&again);
        table_free(table);
    }
    cr_assert(random_short() || sum / networks <= 1.08, "seed %llu: %g on average",
              (unsigned long long)seed, sum / networks);
}

/* Decisions that are taken back leave nothing behind. */
Test(replan, decisions_are_taken_back)
{
    enum { N = 12, K = 8 };
    uint64_t state = random_seed();
    for (int round = 0; round < 20; round++) {
        struct multicast_message messages[K];
        bool wants[K * N];
        struct table *table = bench_table(BENCH_CLUSTER, N, &state);
        struct model model;
        struct multicast once, twice;
        bench_messages(messages, wants, K, N, &state);
        model_of_table(&model, table, PORT_NONBLOCKING);
        cr_assert_eq(multicast_begin(&once, &model, messages, K), HN_OK);
        cr_assert_eq(multicast_begin(&twice, &model, messages, K), HN_OK);
        int (*run)(struct multicast *) = round % 2 ? multicast_wrp : multicast_ecf;
        cr_assert_eq(run(&once), HN_OK);
        cr_assert_eq(run(&twice), HN_OK);
        int kept = (int)random_below(&state, twice.decision_count + 1);
        multicast_undo(&twice, kept);
        cr_assert_eq(twice.missing, once.decision_count - kept);
        for (int i = kept; i < once.decision_count; i++) {
            const struct multicast_decision *d = &once.order[i];
            multicast_decide(&twice, d->message, d->from, d->to);
            cr_assert_eq(twice.order[i].send_begin, d->send_begin);
            cr_assert_eq(twice.order[i].recv_end, d->recv_end);
        }
        cr_assert_eq(twice.makespan, once.makespan);
        cr_assert_eq(twice.missing, 0);
        multicast_end(&once);
        multicast_end(&twice);
        table_free(table);
    }
}
