/* operation.c - collective operations, each a benchmark.
 *
 * A case is a size and a plan.  It is measured in two ways:
 *
 *     single   operations one at a time, begun at an agreed moment of a common clock, done when the
 *              last task is done (single.h): min, median, mean, p99.  The one to trust.
 *     loop     Banikazemi (1999), Figure 2: a loop of operation and barrier, less the same loop of
 *              barriers alone, the least of all rounds.  It is what the papers print; as operation
 *              and barrier overlap, it may be far from the truth, and even below 0.
 *
 * Beside it stand what the model predicts for this very plan, and its lower bound, when hrun was
 * given a network file.  Every task checks the result of the first operation of every step.  As
 * everywhere (p2p.c) cases are tried once and then measured in rounds of shuffled order.
 */
#include "bench.h"

#include "clock.h"
#include "collective.h"
#include "fail.h"
#include "hnow_coll.h"
#include "order.h"
#include "single.h"
#include "step.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 4, MOST = 400, LEAST = 4, TAG_PLAN = 7500, PLAN_ROOM = 64 };
static const double case_seconds = 0.5; /* for all samples of a case while LEAST are reached */
static const double longest = 2; /* sizes of our own list stop where an operation takes this */
static const int64_t first_lead = 1000000; /* ns */

enum what { CLOCK, SINGLE, LOOP };

struct operation_case {
    int64_t bytes, left; /* samples to be taken still */
    char plan[PLAN_ROOM];
    size_t result;
    struct samples begins;
    double loop;
};

/* One task's side of the benchmark. */
struct run {
    const struct collective *collective;
    struct load load;
    char plan[PLAN_ROOM]; /* that has been set; "": hrun's */
    /* Task 0's: */
    struct single single;
    struct results *results;
    struct operation_case *cases;
    size_t count;
};

/* ---- what all tasks do ---- */

static bool once(void *data)
{
    struct run *run = data;

    return run->collective->run(&run->load) == HN_OK || fail_hn(run->collective->name);
}

/* The plan, the data, and one operation to warm up and to check. */
static bool prepare(struct run *run, const struct step *s, const char *plan)
{
    if (strcmp(plan, run->plan) != 0) {
        if (hn_set_plan(hn_world(), *plan ? plan : NULL) != HN_OK)
            return fail_hn("hn_set_plan");
        snprintf(run->plan, sizeof run->plan, "%s", plan);
    }
    if (!load_fill(&run->load, run->collective, s->bytes) || !once(run))
        return false;
    return load_right(&run->load, run->collective) ||
           fail(run->collective->name, "the result is wrong: please report it");
}

static bool barriers(int64_t count, struct run *run, double *seconds)
{
    int64_t start;

    if (hn_barrier(hn_world()) != HN_OK)
        return fail_hn("hn_barrier");
    start = clock_now();
    for (int64_t i = 0; i < count; i++)
        if ((run && !once(run)) || hn_barrier(hn_world()) != HN_OK)
            return fail_hn("hn_barrier");
    *seconds = clock_since(start) / (double)count;
    return true;
}

/* Figure 2; *seconds is valid at task 0. */
static bool loop(struct run *run, int64_t count, double *seconds)
{
    double barrier = 0, local = 0;

    if (!barriers(count, NULL, &barrier) || !barriers(count, run, &local))
        return false;
    if (hn_reduce(&local, seconds, 1, HN_DOUBLE, HN_MAX, 0, hn_world()) != HN_OK)
        return fail_hn("hn_reduce");
    *seconds -= barrier;
    return true;
}

/* ---- all tasks but 0 ---- */

/* A step, and the name of the plan that it follows. */
static bool hear(struct step *s, char plan[PLAN_ROOM])
{
    hn_tid leader = hn_group_tid(hn_world(), 0);

    return step_hear(leader, s) &&
           (hn_recv(leader, TAG_PLAN, plan, PLAN_ROOM, HN_CHAR, NULL) == HN_OK ||
            fail_hn("hn_recv"));
}

static bool follow(struct run *run)
{
    for (;;) {
        char plan[PLAN_ROOM];
        struct step s;
        double ignored;

        if (!hear(&s, plan))
            return false;
        if (s.what == STEP_END)
            return true;
        if (s.what == CLOCK) {
            if (!common_clock_answer())
                return false;
            continue;
        }
        if (!prepare(run, &s, plan) ||
            !(s.what == SINGLE ? single_follow(once, run) : loop(run, s.count, &ignored)))
            return false;
    }
}

/* ---- task 0 ---- */

static bool tell(const struct step *s, const char *plan)
{
    char text[PLAN_ROOM] = "";

    snprintf(text, sizeof text, "%s", plan);
    for (int rank = 1; rank < hn_size(); rank++) {
        hn_tid to = hn_group_tid(hn_world(), rank);
        if (!step_tell(to, s))
            return false;
        if (hn_send(to, TAG_PLAN, text, PLAN_ROOM, HN_CHAR) != HN_OK)
            return fail_hn("hn_send");
    }
    return true;
}

static bool compare_clocks(struct run *run)
{
    struct step s = {.what = CLOCK};

    return tell(&s, "") && common_clock_compare(&run->single.clock);
}

static bool take_singles(struct run *run, const struct operation_case *c, int64_t count,
                         struct samples *samples, struct samples *begins)
{
    struct step s = {.what = SINGLE, .bytes = c->bytes, .count = count};

    if (!samples_reserve(samples, (size_t)count) || !samples_reserve(begins, (size_t)count))
        return fail("memory", "no room for the samples");
    run->single.samples = samples;
    run->single.begins = begins;
    return tell(&s, c->plan) && prepare(run, &s, c->plan) &&
           single_lead(&run->single, count, once, run);
}

static bool take_loop(struct run *run, struct operation_case *c, int64_t count)
{
    struct step s = {.what = LOOP, .bytes = c->bytes, .count = count};
    double seconds;

    if (!tell(&s, c->plan) || !prepare(run, &s, c->plan) || !loop(run, count, &seconds))
        return false;
    c->loop = fmin(c->loop, seconds);
    return true;
}

/* What one operation takes. */
static bool try_case(struct run *run, const struct operation_case *c, double *seconds)
{
    struct samples samples = {0}, begins = {0};
    bool good = take_singles(run, c, 1, &samples, &begins);

    if (good)
        *seconds = samples.at[0];
    samples_free(&samples);
    samples_free(&begins);
    return good;
}

/* What the model says about an operation of this size. */
static int forecast(const struct run *run, int64_t bytes, const char *plan, hn_forecast *f)
{
    size_t count;
    hn_type type;

    collective_elements(run->collective, bytes, &count, &type);
    return hn_forecast_plan(hn_world(), run->collective->name, count, type, 0, plan, f);
}

static bool add_case(struct run *run, const struct command *o, int64_t bytes, const char *plan,
                     const hn_forecast *f, double *seconds)
{
    struct operation_case *c = &run->cases[run->count];
    struct result *r;

    *c = (struct operation_case){.bytes = bytes, .result = run->results->count, .loop = INFINITY};
    snprintf(c->plan, sizeof c->plan, "%s", plan);
    if (!try_case(run, c, seconds))
        return false;
    c->left = o->iters ? o->iters : (int64_t)fmin(MOST, fmax(LEAST, case_seconds / *seconds));
    r = results_add(run->results, run->collective->name, NULL, f->plan, bytes);
    if (!r)
        return fail("memory", "no room for the results");
    if (f->measured) {
        result_extra(r, "predicted", (double)f->makespan * 1e-12);
        if (f->lower_bound > 0)
            result_extra(r, "lower_bound", (double)f->lower_bound * 1e-12);
    }
    run->count++;
    return true;
}

/* Each planner that serves the operation, at its best for this size. */
static bool add_planners(struct run *run, const struct command *o, int64_t bytes, double *seconds)
{
    *seconds = INFINITY;
    for (int i = 0; hn_planner_name(i); i++) {
        char name[PLAN_ROOM];
        hn_forecast f;
        double took;
        int error;

        snprintf(name, sizeof name, "%s*", hn_planner_name(i));
        error = forecast(run, bytes, name, &f);
        if (error == HN_EPLAN)
            continue;
        if (error != HN_OK)
            return fail_hn("forecast");
        if (!add_case(run, o, bytes, f.plan, &f, &took))
            return false;
        *seconds = fmin(*seconds, took);
    }
    return true;
}

/* All cases of one size; *seconds: what the quickest takes. */
static bool add_size(struct run *run, const struct command *o, int64_t bytes, double *seconds)
{
    hn_forecast f;

    if (o->plan && strcmp(o->plan, "all") == 0)
        return add_planners(run, o, bytes, seconds);
    if (forecast(run, bytes, o->plan, &f) != HN_OK)
        return fail_hn("forecast");
    return add_case(run, o, bytes, o->plan ? o->plan : "", &f, seconds);
}

static int planner_count(void)
{
    int n = 0;

    while (hn_planner_name(n))
        n++;
    return n;
}

static bool add_all(struct run *run, const struct command *o)
{
    const int64_t *bytes = o->sizes ? o->bytes : run->collective->sizes;
    double seconds = 0;
    int sizes = 0;

    while (o->sizes ? sizes < o->sizes : bytes[sizes] >= 0)
        sizes++;
    run->cases = calloc((size_t)(sizes * planner_count()), sizeof *run->cases);
    if (!run->cases)
        return fail("memory", "no room for the cases");
    for (int i = 0; i < sizes; i++) {
        if (!o->sizes && seconds > longest) {
            fprintf(stderr,
                    "hbench: sizes from %" PRId64 " on are left out, %" PRId64
                    " bytes took %.1f s: -bytes asks for them\n",
                    bytes[i], bytes[i - 1], seconds);
            break;
        }
        if (!add_size(run, o, bytes[i], &seconds))
            return false;
    }
    return true;
}

/* The share of a case in one round. */
static bool measure(struct run *run, struct operation_case *c, int rounds_left)
{
    int64_t count = (c->left + rounds_left - 1) / rounds_left;

    if (count == 0)
        return true;
    c->left -= count;
    return take_singles(run, c, count, &run->results->at[c->result].samples, &c->begins) &&
           take_loop(run, c, count);
}

static bool measure_all(struct run *run, uint64_t seed)
{
    size_t *order = calloc(run->count, sizeof *order);
    bool good = order != NULL || fail("memory", "no room for the order of cases");

    for (int round = 0; good && round < ROUNDS; round++) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "hbench: round %d of %d: %zu cases\n", round + 1, ROUNDS, run->count);
        order_shuffle(order, run->count, &seed);
        good = compare_clocks(run);
        for (size_t i = 0; good && i < run->count; i++)
            good = measure(run, &run->cases[order[i]], ROUNDS - round);
    }
    free(order);
    return good;
}

static void conclude(struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct operation_case *c = &run->cases[i];
        struct result *r = &run->results->at[c->result];
        struct stats begins;

        result_extra(r, "loop", c->loop);
        if (samples_stats(&c->begins, &begins))
            result_extra(r, "begin", begins.median);
        result_extra(r, "clock_error", (double)run->single.clock.error * 1e-9);
    }
}

static bool lead(struct run *run, const struct command *o)
{
    struct step end = {.what = STEP_END};
    bool good =
        compare_clocks(run) && add_all(run, o) && measure_all(run, o->seed) && tell(&end, "");

    if (good)
        conclude(run);
    for (size_t i = 0; i < run->count; i++)
        samples_free(&run->cases[i].begins);
    free(run->cases);
    common_clock_free(&run->single.clock);
    return good;
}

static bool run_operation(const struct command *o, struct results *results)
{
    struct run run = {
        .collective = collective_named(o->bench), .single.lead = first_lead, .results = results};
    bool good = hn_rank() == 0 ? lead(&run, o) : follow(&run);

    load_free(&run.load);
    return good;
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    struct run run = {.collective = collective_named(o->bench)};
    hn_forecast f;

    if (o->sizes && run.collective->sizes[0] == 0) {
        snprintf(wrong, room, "a %s has no data: leave -bytes out", o->bench);
        return false;
    }
    if (!o->plan || strcmp(o->plan, "all") == 0 ||
        forecast(&run, run.collective->sizes[0], o->plan, &f) == HN_OK)
        return true;
    snprintf(wrong, room, "-plan %s: %s", o->plan, hn_error_text());
    return false;
}

/* ---- table ---- */

static void print_model(const struct result *r, double median)
{
    double predicted = result_extra_of(r, "predicted"), bound = result_extra_of(r, "lower_bound");

    if (predicted > 0)
        printf("  %10.3f %5.2f", predicted * 1e3, predicted / median);
    else
        printf("  %10s %5s", "-", "-");
    if (bound > 0)
        printf("  %10.3f %5.2f", bound * 1e3, median / bound);
    else
        printf("  %10s %5s", "-", "-");
}

static void print(const struct results *all)
{
    if (all->count == 0)
        return;
    printf("# hnow %s, %d tasks: ms from an agreed moment until the last task is done\n"
           "# begin: when the last task had begun; loop: Banikazemi's Figure 2; /: predicted / "
           "median, median / bound\n",
           all->at[0].bench, hn_size());
    printf("# clocks agree to within %.3f ms\n", result_extra_of(&all->at[0], "clock_error") * 1e3);
    printf("# %8s %-18s %9s %9s %9s %9s %7s %9s  %10s %5s  %10s %5s\n", "Size", "Plan", "median",
           "min", "mean", "p99", "begin", "loop", "predicted", "/", "bound", "/");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        struct stats s;

        if (!samples_stats(&r->samples, &s))
            continue;
        printf("%10" PRId64 " %-18s %9.3f %9.3f %9.3f %9.3f %7.3f %9.3f", r->bytes, r->plan,
               s.median * 1e3, s.min * 1e3, s.mean * 1e3, s.p99 * 1e3,
               result_extra_of(r, "begin") * 1e3, result_extra_of(r, "loop") * 1e3);
        print_model(r, s.median);
        printf("\n");
    }
}

const struct bench bench_operation = {NULL, NULL, 1, run_operation, print, suits};
