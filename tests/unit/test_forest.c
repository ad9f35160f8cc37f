/* test_forest.c - lightest trees against all trees, the bound that they give, and broadcasts whose
 * segments take trees of their own. */
#include "model/arborescence.h"
#include "select/auto.h"
#include "model/bounds/bound.h"
#include "plan/check.h"
#include "planners/planner.h"
#include "planners/forest.h"
#include "random.h"
#include "model/table.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { FEW = 5 };

/* ---- lightest trees ----------------------------------------------------------------------------
 */

static bool reaches_all(const int *parent, int n)
{
    for (int rank = 1; rank < n; rank++) {
        int here = rank, steps = 0;
        while (here != 0 && steps++ < n)
            here = parent[here];
        if (here != 0)
            return false;
    }
    return true;
}

/* The least weight of all trees from rank 0: every rank in turn tries every parent. */
static int64_t try_all(const int64_t *weight, int n, int *parent, int rank)
{
    int64_t least = INT64_MAX, own = 0;
    if (rank == n) {
        for (int i = 1; i < n; i++)
            own += weight[parent[i] * n + i];
        return reaches_all(parent, n) ? own : INT64_MAX;
    }
    for (parent[rank] = 0; parent[rank] < n; parent[rank]++) {
        int64_t found = parent[rank] == rank ? INT64_MAX : try_all(weight, n, parent, rank + 1);
        least = found < least ? found : least;
    }
    return least;
}

Test(forest, lightest_of_all_trees)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < 400; run++) {
        int n = 1 + run % FEW, parent[FEW], found[FEW];
        int64_t weight[FEW * FEW], total, sum = 0;
        for (int i = 0; i < n * n; i++)
            weight[i] = random_below(&state, 12);
        cr_assert_eq(arborescence(n, 0, weight, found, &total), HN_OK);
        cr_assert_eq(found[0], -1);
        cr_assert(reaches_all(found, n), "HNOW_SEED=%llu", (unsigned long long)seed);
        for (int i = 1; i < n; i++)
            sum += weight[found[i] * n + i];
        cr_assert_eq(total, sum);
        cr_assert_eq(total, try_all(weight, n, parent, 1), "HNOW_SEED=%llu run %d",
                     (unsigned long long)seed, run);
    }
}

/* ---- plans -------------------------------------------------------------------------------------
 */

/* One port; constants up to 90 ms or none, 1 to 40 s a megabyte. */
static struct table *draw(int n, bool constants, uint64_t *state)
{
    struct table *t = table_new(n);
    cr_assert_not_null(t);
    for (int i = 0; i < n * n; i++) {
        t->constant[TABLE_SEND][i] = constants ? random_below(state, 90) * 1000000000 : 0;
        t->per_byte[TABLE_SEND][i] = (1 + random_below(state, 40)) * 1000000;
    }
    return t;
}

static hn_time play(const char *name, const struct request *req, const struct model *model)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    struct check_fault fault;
    cr_assert_eq(choice_parse(name, &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, req, model, &plan), HN_OK);
    cr_assert_eq(plan_check(plan, req, &fault), HN_OK, "%s: rank %d, step %d %s", name, fault.rank,
                 fault.step, fault.text);
    cr_assert_eq(plan_simulate(plan, model, &timing), HN_OK);
    hn_time makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

static struct request draw_request(int run, int n, uint64_t *state)
{
    return (struct request){.op = run % 3 ? OP_BCAST : OP_REDUCE,
                            .ranks = n,
                            .root = (int)random_below(state, n),
                            .bytes = random_below(state, 100000),
                            .grain = 1};
}

Test(forest, right_for_all_sizes_and_never_below_the_bound)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < random_rounds(60); run++) {
        int n = 1 + (int)random_below(&state, 12);
        struct table *t = draw(n, run % 2, &state);
        struct model model;
        model_of_table(&model, t, PORT_BLOCKING);
        struct request req = draw_request(run, n, &state);
        hn_time bound = lower_bound(&req, &model, true);
        cr_assert_leq(bound, play("forest/4096", &req, &model), "HNOW_SEED=%llu",
                      (unsigned long long)seed);
        cr_assert_leq(bound, play("pipeline/8192", &req, &model), "HNOW_SEED=%llu",
                      (unsigned long long)seed);
        table_free(t);
    }
}

/* Also where messages take no time, or only their start does. */
Test(forest, right_where_messages_take_no_time)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < random_rounds(40); run++) {
        int n = 1 + (int)random_below(&state, 12);
        struct table *t = draw(n, run % 2, &state);
        struct model model;
        for (int i = 0; i < n * n && run % 4 > 1; i++)
            t->per_byte[TABLE_SEND][i] = 0;
        model_of_table(&model, t, run % 5 ? PORT_BLOCKING : PORT_NONBLOCKING);
        struct request req = draw_request(run, n, &state);
        hn_time bound = lower_bound(&req, &model, true);
        cr_assert_leq(bound, play("forest/4096", &req, &model), "HNOW_SEED=%llu",
                      (unsigned long long)seed);
        table_free(t);
    }
}

/* Where every link takes the same, a chain of small segments is nearly optimal, and the bound says
 * so: everybody's receive port must take in everything. */
Test(forest, bound_of_a_uniform_network)
{
    enum { N = 8, BYTES = 1000000 };
    uint64_t state = 1;
    struct table *t = draw(N, false, &state);
    struct model model;
    for (int i = 0; i < N * N; i++)
        t->per_byte[TABLE_SEND][i] = 1000000;
    model_of_table(&model, t, PORT_BLOCKING);
    struct request req = {.op = OP_BCAST, .ranks = N, .bytes = BYTES, .grain = 1};
    cr_assert_geq(lower_bound(&req, &model, true), INT64_C(1000) * BYTES * 99 / 100);
    table_free(t);
}

/* Where links differ, no single tree keeps all ports at work, and the best one mostly is far from
 * the bound. The forest leaves less than half of what lies between. */
Test(forest, faster_than_one_tree)
{
    enum { N = 16 };
    uint64_t seed = random_seed(), state = seed;
    double one = 0, many = 0, bound = 0;
    for (int run = 0; run < 5; run++) {
        struct table *t = draw(N, false, &state);
        struct model model;
        model_of_table(&model, t, PORT_BLOCKING);
        struct request req = {.op = OP_BCAST, .ranks = N, .bytes = 1000000, .grain = 1};
        one += (double)play("pipeline/8192", &req, &model);
        many += (double)play("forest/8192", &req, &model);
        bound += (double)lower_bound(&req, &model, true);
        table_free(t);
    }
    cr_assert_lt(many - bound, 0.5 * (one - bound), "HNOW_SEED=%llu: %g against %g, bound %g",
                 (unsigned long long)seed, many, one, bound);
    cr_assert_lt(many, 1.1 * bound, "HNOW_SEED=%llu: %g, bound %g", (unsigned long long)seed, many,
                 bound);
}

/* Eight ranks of two kinds, sends that do not wait (Banikazemi's Figure 6): playing it as if ports
 * were blocked helps only when what comes of it is looked at in the model that is asked for. */
Test(forest, plays_are_compared_in_the_model_asked_for)
{
    enum { N = 8 };
    struct table *t = table_new(N);
    struct model model;
    cr_assert_not_null(t);
    for (int i = 0; i < N * N; i++) {
        bool slow_sends = i / N >= N / 2, slow_receives = i % N >= N / 2;
        t->constant[TABLE_SEND][i] = slow_sends ? 90000000 : 60000000;
        t->per_byte[TABLE_SEND][i] = slow_sends ? 180000 : 50000;
        t->constant[TABLE_TRAVEL][i] = 16000000;
        t->per_byte[TABLE_TRAVEL][i] = 80000;
        t->constant[TABLE_RECV][i] = slow_receives ? 140000000 : 110000000;
        t->per_byte[TABLE_RECV][i] = slow_receives ? 80000 : 30000;
    }
    model_of_table(&model, t, PORT_NONBLOCKING);
    struct request req = {.op = OP_BCAST, .ranks = N, .bytes = 4096, .grain = 1};
    cr_assert_leq(play("forest/2048", &req, &model), INT64_C(1840000000), "2341 us without");
    cr_assert_lt(play("forest/2048", &req, &model), play("exact", &req, &model));
    table_free(t);
}

/* Among many planners and sizes a plan is made from the same as when it is asked for by name. */
Test(forest, auto_holds_what_its_choice_makes)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < 2; run++) {
        int n = 11 + (int)random_below(&state, 4);
        struct table *t = draw(n, true, &state);
        struct model model;
        model_of_table(&model, t, PORT_BLOCKING);
        struct request req = {.op = OP_BCAST, .ranks = n, .bytes = 100000, .grain = 1};
        struct choice choice;
        struct plan *plan;
        struct timing timing;
        char name[CHOICE_TEXT_ROOM];
        cr_assert_eq(planner_best(&req, &model, NULL, &choice, &plan, &timing), HN_OK);
        choice_text(&choice, name, sizeof name);
        cr_assert_eq(timing.makespan, play(name, &req, &model), "HNOW_SEED=%llu: %s",
                     (unsigned long long)seed, name);
        timing_free(&timing);
        plan_free(plan);
        table_free(t);
    }
}

static hn_time play_within(const char *name, const struct request *req, const struct model *model,
                           hn_time limit)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    struct check_fault fault;
    cr_assert_eq(choice_parse(name, &choice), HN_OK);
    struct problem problem = {.req = req, .model = model, .limit = limit};
    cr_assert_eq(choice_plan_with(&choice, problem, &plan), HN_OK);
    cr_assert_eq(plan_check(plan, req, &fault), HN_OK, "%s: %s", name, fault.text);
    cr_assert_eq(plan_simulate(plan, model, &timing), HN_OK);
    hn_time makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* Who is far behind a limit ends soon, with a plan that is right, but mostly not the best that it
 * would find; else the limit changes nothing. */
Test(forest, gives_up_what_comes_too_late)
{
    enum { N = 12, NETWORKS = 3 };
    static const char name[] = "forest/16384";
    uint64_t seed = random_seed(), state = seed;
    int later = 0;
    for (int network = 0; network < NETWORKS; network++) {
        struct table *t = draw(N, true, &state);
        struct model model;
        model_of_table(&model, t, PORT_BLOCKING);
        struct request req = {.op = OP_BCAST, .ranks = N, .bytes = 300000, .grain = 1};
        hn_time all = play(name, &req, &model);
        cr_assert_eq(play_within(name, &req, &model, all), all, "HNOW_SEED=%llu",
                     (unsigned long long)seed);
        later += play_within(name, &req, &model, all / 4) > all;
        table_free(t);
    }
    cr_assert_gt(later, 0, "HNOW_SEED=%llu", (unsigned long long)seed);
}

/* Where a plan is at the bound that takes no search, none is looked for. */
Test(forest, auto_does_not_search_for_what_cannot_be_better)
{
    static const char text[] = "h[1-12] send_us=10 recv_us=10\n@subnet a medium=bus "
                               "latency_us=100 ns_per_byte=800 hosts=h[1-12]\n";
    struct model model;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    hn_net *net;
    cr_assert_eq(hn_net_parse("bus", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, hn_net_size(net), PORT_MEDIA);
    struct request req = {.op = OP_BCAST, .ranks = hn_net_size(net), .bytes = 1000000, .grain = 1};
    cr_assert_eq(planner_best(&req, &model, NULL, &choice, &plan, &timing), HN_OK);
    cr_expect_eq(timing.makespan, lower_bound(&req, &model, true));
    cr_expect_eq(choice.planner->search, 0);
    timing_free(&timing);
    plan_free(plan);
    hn_net_free(net);
}

/* ---- helping -----------------------------------------------------------------------------------
 */

/* The root sends both segments to both others, four times 10; rank 1 could send to rank 2 for 11.
 */
static hn_time play_star(int help, int *helped)
{
    enum { RANKS = 4, BLOCKS = 1 };
    struct forest f;
    cr_assert_eq(forest_begin(&f, RANKS, 0, BLOCKS), HN_OK);
    for (int i = 0; i < RANKS * RANKS; i++)
        f.cost[i] = i < RANKS ? 10 : 11;
    for (int i = 0; i < BLOCKS * RANKS; i++)
        f.parent[i] = i % RANKS ? 0 : -1;
    hn_time end = forest_simulate(&f, FOREST_MOST_LEFT, help);
    *helped = 0;
    for (int i = 0; i < BLOCKS * RANKS; i++)
        *helped += f.parent[i] > 0;
    cr_assert_eq(f.count, BLOCKS * (RANKS - 1));
    forest_end(&f);
    return end;
}

Test(forest, who_has_nothing_to_do_helps)
{
    int helped;
    cr_assert_eq(play_star(-1, &helped), 30);
    cr_assert_eq(helped, 0);
    cr_assert_eq(play_star(0, &helped), 30, "too dear");
    cr_assert_eq(helped, 0);
    cr_assert_eq(play_star(1, &helped), 21);
    cr_assert_eq(helped, 1);
}

/* ---- nobody idles who could help ---------------------------------------------------------------
 */

enum { CROWD = 9, PIECES = 70 };

/* A play, told again event by event. */
struct retold {
    const struct forest *f;
    int planned[PIECES * CROWD]; /* parents before anybody helped */
    bool holds[PIECES * CROWD], comes[PIECES * CROWD];
    hn_time out[CROWD], in[CROWD];
};

static hn_time time_of(const struct forest *f, int event)
{
    const struct scheduled *t = &f->done[event / 2];
    return event % 2 == SCHED_ENDS ? t->end : t->end - f->cost[t->from * f->n + t->to];
}

static void tell(struct retold *r, int event)
{
    const struct scheduled *t = &r->f->done[event / 2];
    int cell = t->list * r->f->n + t->to;
    if (event % 2 == SCHED_ENDS) {
        r->holds[cell] = true;
        return;
    }
    cr_assert(r->holds[t->list * r->f->n + t->from]);
    r->comes[cell] = true;
    r->out[t->from] = r->in[t->to] = t->end;
}

/* Whether a rank that is free could send a block to one that is, in place of its parent or as it.
 */
static bool could_begin(const struct retold *r, int help, int block, int from, int to, hn_time now)
{
    int n = r->f->n, parent = r->planned[block * n + to];
    hn_time own = r->f->cost[parent * n + to], more = r->f->cost[from * n + to] - own;
    if (from == to || r->out[from] > now || r->in[to] > now || !r->holds[block * n + from] ||
        r->holds[block * n + to] || r->comes[block * n + to])
        return false;
    if (from == parent)
        return true;
    return help >= 0 && more <= own / 8 * help &&
           (r->out[parent] > now || !r->holds[block * n + parent]);
}

static void assert_nobody_idles(const struct retold *r, int help, hn_time now, uint64_t seed)
{
    for (int cell = 0; cell < r->f->blocks * r->f->n; cell++)
        for (int from = 0; from < r->f->n && cell % r->f->n; from++)
            cr_assert_not(could_begin(r, help, cell / r->f->n, from, cell % r->f->n, now),
                          "HNOW_SEED=%llu: block %d from %d to %d at %lld",
                          (unsigned long long)seed, cell / r->f->n, from, cell % r->f->n,
                          (long long)now);
}

static void draw_forest(struct forest *f, struct retold *r, uint64_t *state)
{
    *r = (struct retold){.f = f};
    for (int i = 0; i < f->n * f->n; i++)
        f->cost[i] = 1 + random_below(state, 20);
    for (int cell = 0; cell < f->blocks * f->n; cell++) {
        int rank = cell % f->n;
        r->planned[cell] = f->parent[cell] = rank ? (int)random_below(state, rank) : -1;
        r->holds[cell] = rank == 0;
    }
}

Test(forest, nobody_idles_who_could_help)
{
    static const int helps[] = {-1, 0, 2, 4};
    static struct retold r;
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < random_rounds(60); run++) {
        struct forest f;
        int n = 2 + (int)random_below(&state, CROWD - 1), help = helps[run % 4];
        int blocks = 1 + (int)random_below(&state, run % 3 ? PIECES : 8);
        cr_assert_eq(forest_begin(&f, n, 0, blocks), HN_OK);
        draw_forest(&f, &r, &state);
        forest_simulate(&f, (enum forest_rule)random_below(&state, FOREST_RULES), help);
        cr_assert_eq(f.event_count, 2 * blocks * (n - 1));
        for (int i = 0; i < f.event_count; i++) {
            tell(&r, f.events[i]);
            if (i + 1 == f.event_count || time_of(&f, f.events[i + 1]) > time_of(&f, f.events[i]))
                assert_nobody_idles(&r, help, time_of(&f, f.events[i]), seed);
        }
        forest_end(&f);
    }
}
