/* hbench_operation.c - measures collective operations (operation_request.h).
 *
 * A case is a size and a plan.  It is measured in two ways:
 *
 *     single   one operation at a time, started at an agreed time of a common clock, complete when
 *              the last task has completed (single.h): min, median, mean, p99; the reliable one
 *     loop     Banikazemi (1999), Figure 2: a loop of operation and barrier, less the same loop of
 *              barriers only, the minimum of all rounds; the usual one in papers. As operation
 *              and barrier overlap, it may be far from the truth, and even negative
 *
 * If hrun has a network file, the results include the model's prediction for the plan, and its
 * lower bound.  An automatic plan is called some hundred times before it is measured.  Every task
 * checks the result of the first operation of every step.  As in all benchmarks (hbench_p2p.c)
 * cases are tried once and then measured in rounds of shuffled order.  Peers measure the same sizes
 * after each round, while hnow's tasks sleep.
 *
 * Task 0 has the request, the cases and all results. The other tasks have the
 * request, too, but learn from steps what comes next, since only task 0 knows times and thereby
 * numbers of calls.
 */
#include "operation_request.h"

#include "clock.h"
#include "fail.h"
#include "followed.h"
#include "lists.h"
#include "order.h"
#include "peer_round.h"
#include "runtime/internal.h"
#include "single.h"
#include "step.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of messages with a plan's name, between a step and its operations. */
enum { TAG_PLAN = 7500 };
/* Rounds over all cases, each with a quarter of the samples; maximum and minimum number of samples
 * of a case, within case_seconds. */
enum { ROUNDS = 4, MOST = 200, LEAST = 4 };
enum { CALLS_LEAST = 16, CALLS_MOST = 500 }; /* calls before an automatic plan is measured */
static const double case_seconds = 0.5;      /* for all samples of a case beyond LEAST */
static const double longest = 2;             /* default sizes end where an operation takes longer */
static const double loop_longest = 0.5;      /* slower operations are not measured in a loop */
static const int64_t first_lead = 1000000;   /* ns */
static const char automatic[] = "auto", every[] = "all";

/* What a step asks the other tasks for.  CLOCK is followed by the comparison of clocks.  SINGLE and
 * LOOP are followed by the name of a plan (TAG_PLAN), and then by `count` operations. */
enum what { CLOCK, SINGLE, LOOP };

/* One row of the tables: a size with a plan.  Task 0 owns all cases; the others know only the step
 * at hand. */
struct operation_case {
    int64_t bytes;
    int64_t samples; /* samples in all rounds */
    double seconds;  /* duration according to the trial */
    char plan[OPERATION_PLAN_ROOM];
    /* Index in the results, which may move when they grow. */
    size_t result;
    struct samples begins, since; /* see struct single */
    struct followed followed;     /* plans of the measured calls */
    /* minimum over the rounds; INFINITY: not measured in a loop */
    double loop;
};

/* A task's state. */
struct run {
    const struct operation_request *spec;
    const struct collective *collective;
    /* This task's buffers, which grow with the sizes. */
    struct load load;
    char plan[OPERATION_PLAN_ROOM]; /* the plan currently set; "": hrun's */
    /* Task 0's: */
    struct single single;
    struct followed *followed; /* records plans of measured calls; NULL: none are measured now */
    struct results *results;
    struct operation_case *cases;
    size_t count;
    /* From 0; see share(). */
    int round;
    struct peer_round peers;
};

/* ---- all tasks ---- */

/* Records the plan of the last call; takes some hundred nanoseconds. */
static bool note_plan(struct followed *followed)
{
    char name[OPERATION_PLAN_ROOM];

    if (hn_plan_followed(hn_world(), name, sizeof name) != HN_OK)
        return fail_hn("hn_plan_followed");
    return followed_note(followed, name) || fail("memory", "no room for the name of a plan");
}

/* One operation of all tasks: the call that single.h and the loops measure. */
static bool once(void *data)
{
    struct run *run = data;

    if (run->collective->run(&run->load) != HN_OK)
        return fail_hn(run->collective->name);
    /* After the call, so that the time of the note is not measured by single.h. */
    return !run->followed || note_plan(run->followed);
}

/* Sets the plan and the data, and executes one operation to warm up and to check. */
static bool prepare(struct run *run, const struct step *s, const char *plan)
{
    if (strcmp(plan, run->plan) != 0) {
        if (hn_set_plan(hn_world(), *plan ? plan : NULL) != HN_OK)
            return fail_hn("hn_set_plan");
        snprintf(run->plan, sizeof run->plan, "%s", plan);
    }
    if (!load_fill(&run->load, run->collective, s->bytes) || !once(run))
        return false;
    /* Every task checks its own result; one that is wrong ends the benchmark. */
    return load_is_correct(&run->load, run->collective) ||
           fail(run->collective->name, "the result is wrong: please report it");
}

/* *seconds becomes the mean time of a barrier, or (run) of an operation with a barrier.  The
 * barrier before the clock starts aligns the tasks.
 *
 * Without the barrier after each operation, successive operations would overlap as in a pipeline.
 * A broadcast would cost its root only the time of its sends. */
static bool barriers(int64_t count, struct run *run, double *seconds)
{

    if (hn_barrier(hn_world()) != HN_OK)
        return fail_hn("hn_barrier");
    int64_t start = clock_now();
    for (int64_t i = 0; i < count; i++)
        if ((run && !once(run)) || hn_barrier(hn_world()) != HN_OK)
            return fail_hn("hn_barrier");
    /* By this task's own clock; the caller combines the tasks. */
    *seconds = clock_since(start) / (double)count;
    return true;
}

/* Figure 2; *seconds is valid in task 0. Both loops of a round see the same state of the machine,
 * so their difference means more than that of two averages. */
static bool loop(struct run *run, int64_t count, double *seconds)
{
    double barrier = 0, local = 0;

    if (!barriers(count, NULL, &barrier) || !barriers(count, run, &local))
        return false;
    /* The slowest task determines the duration of a loop.  This reduction itself is not measured.
     */
    if (hn_reduce(&local, seconds, 1, HN_DOUBLE, HN_MAX, 0, hn_world()) != HN_OK)
        return fail_hn("hn_reduce");
    *seconds -= barrier;
    return true;
}

/* ---- all tasks but 0 ---- */

/* Answers one step.  Task 0 calls the same functions in the same order, and all of them contain
 * collective operations: the two sides must stay in step, or both wait for ever. */
static bool serve(void *data, const struct step *s)
{
    hn_tid leader = hn_group_tid(hn_world(), 0);
    struct run *run = data;
    char plan[OPERATION_PLAN_ROOM];
    double ignored;

    if (s->what == CLOCK)
        return common_clock_answer();
    /* Names have a fixed length, so one receive is enough. */
    if (hn_recv(leader, TAG_PLAN, plan, OPERATION_PLAN_ROOM, HN_CHAR, NULL) != HN_OK)
        return fail_hn("hn_recv");
    return prepare(run, s, plan) &&
           (s->what == SINGLE ? single_follow(once, run) : loop(run, s->count, &ignored));
}

/* ---- task 0 ---- */

/* Sends a step, followed by the name of its plan. */
static bool send_step(const struct step *s, const char plan[OPERATION_PLAN_ROOM])
{
    if (!step_send_all(s))
        return false;
    /* The step first: its receiver then knows that a name follows. */
    for (int rank = 1; rank < hn_size(); rank++)
        if (hn_send(hn_group_tid(hn_world(), rank), TAG_PLAN, plan, OPERATION_PLAN_ROOM, HN_CHAR) !=
            HN_OK)
            return fail_hn("hn_send");
    return true;
}

/* Begins a comparison of clocks with all tasks, and takes its leading part. */
static bool compare_clocks(struct run *run)
{
    struct step s = {.what = CLOCK};

    /* The others answer in serve() from here on. */
    return step_send_all(&s) && common_clock_compare(&run->single.clock);
}

/* counts: these are samples of the case. */
static bool take_singles(struct run *run, struct operation_case *c, int64_t count,
                         struct samples *samples, bool counts)
{
    struct step s = {.what = SINGLE, .bytes = c->bytes, .count = count};

    /* A trial's samples are separate, and its begins are not recorded. */
    run->single.samples = samples;
    run->single.begins = counts ? &c->begins : NULL;
    run->single.since = counts ? &c->since : NULL;
    if (!send_step(&s, c->plan) || !prepare(run, &s, c->plan))
        return false;
    run->followed = counts ? &c->followed : NULL;
    bool good = single_lead(&run->single, count, once, run);
    run->followed = NULL;
    return good;
}

static bool take_loop(struct run *run, struct operation_case *c, int64_t count)
{
    struct step s = {.what = LOOP, .bytes = c->bytes, .count = count};
    double seconds;

    if (!send_step(&s, c->plan) || !prepare(run, &s, c->plan) || !loop(run, count, &seconds))
        return false;
    /* The minimum of all rounds, as in the paper. */
    c->loop = fmin(c->loop, seconds);
    return true;
}

/* Measures the time of one operation. */
static bool try_case(struct run *run, struct operation_case *c, double *seconds)
{
    struct samples samples = {0};
    /* prepare() has made one call before, so this is the second. */
    bool good = take_singles(run, c, 1, &samples, false);

    if (good)
        *seconds = samples.at[0];
    samples_free(&samples);
    return good;
}

/* Makes unmeasured calls, as many as fit in the time of a case: during its first calls an automatic
 * plan tries alternatives. Returns without any if only a few would fit. The measured calls should
 * be those of a program that has run for a while. In operations that take long, a program waits for
 * the trials as well, so they are not hidden there. */
static bool settle(struct run *run, struct operation_case *c, double took)
{
    double calls = fmin(CALLS_MOST, case_seconds / took);

    if (calls < CALLS_LEAST)
        return true;
    if (!take_loop(run, c, (int64_t)calls))
        return false;
    /* These calls were no measurement. */
    c->loop = INFINITY;
    return true;
}

/* A forecast for many-multicasts (operations with COLLECTIVE_LISTS), which need the whole list of
 * messages and not only a size.  lists_new() makes the same list as the operation itself. */
static int predict_lists(int64_t bytes, const char *plan, hn_forecast *f)
{
    hn_multicast_message *messages = lists_new(hn_size(), (size_t)bytes);
    int error = messages
                    ? hn_forecast_multimulticast(hn_world(), messages, hn_size(), HN_BYTE, plan, f)
                    : HN_ENOMEM;

    free(messages);
    return error;
}

int operation_predict(const struct collective *c, int64_t bytes, const char *plan, hn_forecast *f)
{
    size_t count;
    hn_type type;

    /* NULL asks for the plan that an operation would follow. */
    plan = strcmp(plan, automatic) == 0 ? NULL : plan;
    if (c->flags & COLLECTIVE_LISTS)
        return predict_lists(bytes, plan, f);
    collective_elements(c, bytes, &count, &type);
    return hn_forecast_plan(hn_world(), c->name, count, type, 0, plan, f);
}

/* Adds what the network file predicts.  Without a measured file the result carries the plan's name
 * only. */
static void add_prediction(struct result *r, const hn_forecast *f)
{
    snprintf(r->plan, sizeof r->plan, "%s", f->plan);
    if (!f->measured)
        return;
    /* Picoseconds become seconds. */
    result_extra(r, "predicted", (double)f->makespan * 1e-12);
    if (f->lower_bound > 0)
        result_extra(r, "lower_bound", (double)f->lower_bound * 1e-12);
}

/* Adds the case of a size and a plan, if the plan supports the operation; *seconds becomes at most
 * its time.  The plan chosen automatically is known only after a trial has ended the previous
 * one. */
static bool add_plan(struct run *run, int64_t bytes, const char *asked, double *seconds)
{
    bool automatically = strcmp(asked, automatic) == 0;
    int64_t iters = run->spec->iters;
    hn_forecast f = {0};
    double took = 0;
    int error = automatically ? HN_OK : operation_predict(run->collective, bytes, asked, &f);

    /* The planner does not serve the operation: no error, but no case either. */
    if (error == HN_EPLAN)
        return true;
    if (!ARRAY_ROOM(run->cases, run->count + 1))
        return fail("memory", "no room for the cases");
    /* Not counted yet: a failure leaves an unused entry, which is overwritten. */
    struct operation_case *c = &run->cases[run->count];
    *c = (struct operation_case){.bytes = bytes, .result = run->results->count, .loop = INFINITY};
    snprintf(c->plan, sizeof c->plan, "%s", f.plan);
    if (error == HN_OK && !try_case(run, c, &took))
        return false;
    /* Only now is the plan of `auto` the one that a running program would follow. */
    if (automatically && !settle(run, c, took))
        return false;
    if (error == HN_OK && automatically)
        error = operation_predict(run->collective, bytes, asked, &f);
    if (error != HN_OK)
        return fail_hn("forecast");
    c->seconds = took;
    /* As many as fit into case_seconds, within limits, unless -iters says otherwise. */
    c->samples = iters ? iters : (int64_t)fmin(MOST, fmax(LEAST, case_seconds / took));
    struct result *r = results_add(run->results, run->collective->name, NULL, bytes, 0);
    if (!r)
        return false;
    snprintf(r->asked, sizeof r->asked, "%s", asked);
    add_prediction(r, &f);
    run->count++;
    *seconds = fmin(*seconds, took);
    return true;
}

/* Adds each planner that supports the operation, with its best variant for this size. */
static bool add_planners(struct run *run, int64_t bytes, double *seconds)
{
    /* The list of planners is the library's own, so that new ones are measured, too. */
    for (int i = 0; hn_planner_name(i); i++) {
        char name[OPERATION_PLAN_ROOM];

        snprintf(name, sizeof name, "%s*", hn_planner_name(i));
        if (!add_plan(run, bytes, name, seconds))
            return false;
    }
    return true;
}

/* Adds all cases of one size; *seconds: the time of the fastest. */
static bool add_size(struct run *run, int64_t bytes, double *seconds)
{
    const struct operation_request *w = run->spec;

    /* Stays so if no plan serves this size. */
    *seconds = INFINITY;
    for (int i = 0; i < w->plans; i++)
        if (!(strcmp(w->plan[i], every) == 0 ? add_planners(run, bytes, seconds)
                                             : add_plan(run, bytes, w->plan[i], seconds)))
            return false;
    return true;
}

/* In the order of sizes: the time of one decides whether the next default size is measured. */
static bool add_all(struct run *run)
{
    const struct operation_request *w = run->spec;
    double seconds = 0;

    for (int i = 0; i < w->sizes; i++) {
        if (!w->patient && seconds > longest) {
            fprintf(stderr,
                    "hbench: sizes from %" PRId64 " on are left out, %" PRId64
                    " bytes took %.1f s: -bytes asks for them\n",
                    w->bytes[i], w->bytes[i - 1], seconds);
            break;
        }
        /* Trials of this size; their time decides about the next one. */
        if (!add_size(run, w->bytes[i], &seconds))
            return false;
    }
    return run->count > 0 || fail(run->collective->name, "no plan that was asked for serves it");
}

/* Returns a case's number of samples in one round. The shares of all rounds add up to the case's
 * samples, and differ by at most one. */
static int64_t share(const struct operation_case *c, int round)
{
    /* The first rounds get one more, if the number is not a multiple. */
    return (c->samples + ROUNDS - 1 - round) / ROUNDS;
}

/* Takes a case's samples of this round. */
static bool measure(void *data, size_t which)
{
    struct run *run = data;
    struct operation_case *c = &run->cases[which];
    int64_t count = share(c, run->round);

    if (count == 0)
        return true;
    /* Both ways of measuring in one round, so that they see the same machine. */
    return take_singles(run, c, count, &run->results->at[c->result].samples, true) &&
           (c->seconds > loop_longest || take_loop(run, c, count));
}

/* Runs the peers for one round: each size once, whatever the number of plans. */
static bool measure_peers(struct run *run)
{
    struct peer_case *cases = calloc(run->count, sizeof *cases);
    size_t n = 0;

    if (!cases)
        return fail("memory", "no room for the peers' cases");
    for (size_t i = 0; i < run->count; i++) {
        const struct operation_case *c = &run->cases[i];
        int64_t count = share(c, run->round);
        if (count > 0 && (i == 0 || c->bytes != c[-1].bytes))
            /* Cases of one size are adjacent, because add_size() adds them together. */
            cases[n++] = (struct peer_case){run->collective->name, c->bytes, 1, 0, count};
    }
    /* Failures of peers are reported there, and do not end the benchmark. */
    if (n > 0)
        peer_round_measure(&run->peers, cases, n, run->results);
    free(cases);
    return true;
}

/* Clocks are compared in each round: two quartzes may differ by 100 us after a second. */
static bool measure_all(struct run *run)
{
    uint64_t seed = run->spec->seed;
    bool good = true;

    /* Clocks, then hnow's cases in random order, then the peers. */
    for (run->round = 0; good && run->round < ROUNDS; run->round++)
        good = compare_clocks(run) &&
               order_round(run->round, ROUNDS, run->count, &seed, measure, run) &&
               measure_peers(run);
    return good;
}

/* Adds to the results what is known only after the last round. */
static void conclude(struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct operation_case *c = &run->cases[i];
        struct result *r = &run->results->at[c->result];
        struct stats begins, since;

        /* Slow operations have no loop. */
        if (c->loop < INFINITY)
            result_extra(r, "loop", c->loop);
        if (samples_stats(&c->begins, &begins))
            result_extra(r, "begin", begins.median);
        if (samples_stats(&c->since, &since))
            result_extra(r, "since_begin", since.median);
        result_extra(r, "clock_error", (double)run->single.clock.error * 1e-9);
    }
}

/* Task 0: the clocks are needed by the trials already, so they are compared before. */
static bool lead(struct run *run)
{
    struct step end = {.what = STEP_END};
    bool good = compare_clocks(run) && add_all(run) && measure_all(run) && step_send_all(&end);

    /* The other tasks leave their loop now; what follows needs none of them. */
    if (good)
        conclude(run);
    return good;
}

/* Automatic plans may change at any call.  The results name the one that most measured calls used,
 * with its predicted time. */
static bool note_followed(struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct result *r = &run->results->at[run->cases[i].result];
        const char *plan = followed_most(&run->cases[i].followed);
        hn_forecast f = {0};

        if (strcmp(r->asked, automatic) != 0 || !plan)
            continue;
        /* The other tasks have no cases, so their loop is empty. */
        if (operation_predict(run->collective, r->bytes, plan, &f) != HN_OK)
            return fail_hn("forecast");
        add_prediction(r, &f);
    }
    return true;
}

/* A plan's name may contain commas within parentheses.  hn_plan_name_length() knows that syntax;
 * other words ("auto", "all") end at the next comma. */
size_t operation_plan_length(const char *text)
{
    size_t plan = hn_plan_name_length(text);

    return plan ? plan : strcspn(text, ",");
}

bool operation_read_plans(struct operation_request *spec, const char *text)
{
    spec->plans = 0;
    if (!text)
        text = automatic;
    /* Each turn takes one name; the increment skips the comma. */
    for (;; text++) {
        size_t length = operation_plan_length(text);

        if (length == 0 || length >= OPERATION_PLAN_ROOM || spec->plans == OPERATION_PLANS)
            return false;
        snprintf(spec->plan[spec->plans++], OPERATION_PLAN_ROOM, "%.*s", (int)length, text);
        text += length;
        if (*text == '\0')
            return true;
    }
}

/* A collective call.  At the end hrun's plan is set again. */
bool operation_measure(const struct operation_request *spec, struct results *results)
{
    struct run run = {.spec = spec,
                      .collective = spec->collective,
                      .single.lead = first_lead,
                      .results = results};
    bool good =
        peer_round_open(&run.peers, spec->peer, spec->peers, hn_size()) &&
        (hn_rank() == 0 ? lead(&run) : step_follow(hn_group_tid(hn_world(), 0), serve, &run));

    if (good && hn_set_plan(hn_world(), NULL) != HN_OK)
        good = fail_hn("hn_set_plan");
    good = good && note_followed(&run);
    for (size_t i = 0; i < run.count; i++) {
        /* Only these belong to the cases; the samples of results belong to the results. */
        samples_free(&run.cases[i].begins);
        samples_free(&run.cases[i].since);
        followed_free(&run.cases[i].followed);
    }
    free(run.cases);
    common_clock_free(&run.single.clock);
    peer_round_close(&run.peers);
    load_free(&run.load);
    return good;
}
