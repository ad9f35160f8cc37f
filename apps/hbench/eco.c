/* eco.c - `hbench eco -table N`: the measurements of ECO's paper, on the hosts of the job.
 *
 * Table 3 has single broadcasts (operation_request.h).  Tables 4 to 7 have the communication time
 * of a molecular dynamics program: hmd is started on the same hosts (hmd_run.h) with each pattern
 * in turn, in rounds of shuffled order; its communication time per step is one sample.  In Table 5
 * the tasks of hbench, which otherwise sleep, generate ambient traffic (traffic.h).  Table 7 also
 * has shifts on a ring, along the network and in random order (ring_shift.h).
 *
 * Task 0 leads with steps (step.h), which the others serve. hmd is a job of its own on the same
 * hosts; hbench's tasks wait for the next step meanwhile, without using processors.
 * A row is a plan. Rows that the user excludes still have a result, so that results and rows
 * keep the same index.
 */
#include "bench.h"

#include "apps/splitmix.h"
#include "clock.h"
#include "eco_table.h"
#include "fail.h"
#include "hmd_run.h"
#include "hnow.h"
#include "operation_request.h"
#include "order.h"
#include "ring_shift.h"
#include "step.h"
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

/* Samples of Table 3; runs of hmd with each pattern, and steps of each; shifts on the ring along
 * the network, and on all RINGS random rings together. */
enum { BROADCASTS = 1000, RUNS = 5, STEPS = 20, SHIFTS = 100, SHIFT_BYTES = 16000, RINGS = 10 };
enum { NUMBERS = 4096, PLAN_NAME = 32 }; /* elements for which the best root is predicted */
enum { BROADCAST_BYTES = 16000, USUAL_RATE = 150000 };
/* Orders of task 0; `count` of TRAFFIC is a seed, `bytes` of SHIFT a size. */
enum what { TRAFFIC, CLOCK, RING, SHIFT };

/* A task's state for Tables 4 to 7. */
struct eco {
    const struct eco_table *table;
    const struct command *command;
    int32_t *ring; /* room for hn_size() ranks */
    /* task 0's: */
    struct results *results;
    uint64_t seed;
    int64_t traffic; /* bytes sent */
    /* Of all runs together, with traffic; the printed rate is traffic / seconds. */
    double seconds; /* duration */
};

/* ---- all tasks but 0 ---- */

/* Answers one step.  The default is SHIFT. */
static bool serve(void *eco, const struct step *s)
{
    struct eco *e = eco;

    switch (s->what) {
    case TRAFFIC:
        /* Returns when task 0 ends the traffic. */
        return traffic_make(e->command->traffic ? e->command->traffic : USUAL_RATE,
                            (uint64_t)s->count);
    case CLOCK:
        return common_clock_answer();
    case RING:
        return ring_along(e->ring);
    default:
        return ring_shift_follow(s->bytes);
    }
}

/* ---- task 0 ---- */

/* Sends a step to all other tasks. */
static bool send_step(int64_t what, int64_t bytes, int64_t count)
{
    struct step s = {.what = what, .bytes = bytes, .count = count};

    return step_send_all(&s);
}

/* Finds the root with the best prediction for ECO's trees, for an operation without a root. The
 * paper's trees begin at the first task. Where an operation has no root of its own, any task may be
 * the root, and a slow or distant first one is the worst choice. */
static bool best_root(const char *operation, const char *stages, size_t count, char plan[PLAN_NAME])
{
    hn_forecast forecast;
    hn_time least = 0;

    for (int root = 0; root < hn_size(); root++) {
        char name[PLAN_NAME], at[16] = "";
        if (root > 0)
            snprintf(at, sizeof at, "@%d", root);
        snprintf(name, sizeof name, "%s%s:eco,eco", stages, at);
        if (hn_forecast_plan(hn_world(), operation, count, HN_DOUBLE, 0, name, &forecast) != HN_OK)
            return fail_hn(name);
        /* The first root is kept among equals. */
        if (root > 0 && forecast.makespan >= least)
            continue;
        least = forecast.makespan;
        strcpy(plan, name);
    }
    return true;
}

/* Returns the plan of a row for hmd; one with the best root depends on the network. */
static bool find_plan(const struct eco_row *row, char *plan, size_t room)
{
    char gather[PLAN_NAME], sums[PLAN_NAME];

    snprintf(plan, room, "%s", row->plan);
    if (strcmp(row->plan, ECO_BEST_ROOT) != 0)
        return true;
    /* hmd uses both operations; each has a best root of its own. */
    if (!best_root("allgather", "gather+bcast", NUMBERS / (size_t)hn_size(), gather) ||
        !best_root("allreduce", "reduce+bcast", NUMBERS, sums))
        return false;
    snprintf(plan, room, "%s,%s", gather, sums);
    return true;
}

/* Runs hmd, with ambient traffic if the table requires it. The traffic begins before hmd and ends
 * after it, so its rate is measured over the whole run, the start of hmd included. */
static bool run_hmd(struct eco *e, const struct eco_row *row, const char *plan,
                    struct hmd_times *times)
{
    struct hmd_job job = {.options = e->command->hmd,
                          .steps = e->command->steps ? e->command->steps : STEPS,
                          .tasks = hn_size(),
                          .replicated = !row->blocks};
    int64_t begin = clock_now(), sent;

    if (!e->table->traffic)
        return hmd_run(&job, plan, times);
    /* A seed must not be negative in a step's signed field. */
    if (!send_step(TRAFFIC, 0, (int64_t)(splitmix_next(&e->seed) >> 1)))
        return false;
    /* The traffic is stopped even if hmd fails, or the other tasks would send for ever. */
    bool good = hmd_run(&job, plan, times);
    if (!traffic_stop(&sent))
        return false;
    e->traffic += sent;
    e->seconds += clock_since(begin);
    return good;
}

/* True if a row is measured: those whose plan -plan names, and ECO's in any case, since the tables
 * print ratios to it. */
static bool is_wanted(const struct command *o, const struct eco_table *t, size_t row)
{
    const char *plan = t->row[row].plan, *wanted = o->plan;
    size_t own = operation_plan_length(plan);

    /* Row 0 is ECO, the base of all ratios. */
    if (row == 0 || !wanted)
        return true;
    /* The list's words are separated by commas, and a plan's own commas are within its length. */
    for (; *wanted; wanted += wanted[0] == ',') {
        size_t n = operation_plan_length(wanted);
        if (n == own && strncmp(wanted, plan, n) == 0)
            return true;
        wanted += n;
    }
    return false;
}

/* One result per row, in the order of rows, so that index and row agree (eco_table.h prints by
 * number).  Rows that -plan excludes keep a result without samples. */
static bool add_rows(struct eco *e, size_t runs)
{
    for (int i = 0; i < eco_table_rows(e->table); i++) {
        struct result *r = results_add(e->results, "hmd", NULL, 0, runs);
        if (!r)
            return false;
        /* The plan as the table has it; r->plan gets the one that is used. */
        snprintf(r->asked, sizeof r->asked, "%s", e->table->row[i].plan);
    }
    return true;
}

/* One run of hmd with the plan of a row. */
static bool take_row(void *data, size_t which)
{
    struct eco *e = data;
    const struct eco_row *row = &e->table->row[which];
    struct result *r = &e->results->at[which];
    struct hmd_times times;

    if (!is_wanted(e->command, e->table, which))
        return true;
    if (!find_plan(row, r->plan, sizeof r->plan) || !run_hmd(e, row, r->plan, &times))
        return false;
    /* The communication time of a step is the sample: that is what the paper has. */
    hmd_note(r, times.comm, &times);
    return true;
}

/* `traffic` is the average over all runs of the table, in bytes per second of all tasks. */
static bool measure_hmd(struct eco *e)
{
    size_t rows = (size_t)eco_table_rows(e->table);
    int64_t runs = e->command->iters ? e->command->iters : RUNS;
    bool good = add_rows(e, (size_t)runs);

    /* Every round runs each row once, in another order. */
    for (int64_t run = 0; good && run < runs; run++)
        good = order_round(run, runs, rows, &e->seed, take_row, e);
    for (size_t i = 0; good && i < rows; i++) {
        result_extra(&e->results->at[i], "blocks", e->table->row[i].blocks);
        if (e->table->traffic)
            result_extra(&e->results->at[i], "traffic", (double)e->traffic / e->seconds);
    }
    return good;
}

/* Clocks are compared for each ring again, since they drift during the shifts of the others. */
static bool measure_ring(struct eco *e, const char *name, int64_t count, struct common_clock *clock)
{
    struct result *r = results_add(e->results, "ring_shift", NULL, SHIFT_BYTES, (size_t)count);

    if (!r)
        return false;
    snprintf(r->plan, sizeof r->plan, "%s", name);
    /* The order must be that of serve(): each step is followed by its function on both sides. */
    return send_step(CLOCK, 0, 0) && common_clock_compare(clock) &&
           send_step(SHIFT, SHIFT_BYTES, 0) &&
           ring_shift_lead(e->ring, SHIFT_BYTES, count, clock, &r->samples);
}

/* Random rings differ, so a few samples are taken on each of several. */
static bool measure_rings(struct eco *e)
{
    struct common_clock clock = {0};
    char name[32];
    bool good = send_step(RING, 0, 0) && ring_along(e->ring) &&
                measure_ring(e, "along the network", SHIFTS, &clock);

    /* A random ring may be a good one by chance, hence several. */
    for (int i = 0; good && i < RINGS; i++) {
        snprintf(name, sizeof name, "random order %d", i + 1);
        good = ring_random(e->ring, &e->seed) && measure_ring(e, name, SHIFTS / RINGS, &clock);
    }
    common_clock_free(&clock);
    return good;
}

/* Rings are shifted after hmd, whose runs must not compete with them. */
static bool lead(struct eco *e)
{
    /* STEP_END ends the other tasks' loops, also without rings. */
    return measure_hmd(e) && (!e->table->ring || measure_rings(e)) && send_step(STEP_END, 0, 0);
}

/* ---- the benchmark ---- */

/* Table 3.  Its rows are the plans of one operation, so operation_measure() does the rest. */
static bool broadcasts(const struct command *o, const struct eco_table *t, struct results *results)
{
    /* Static, as the request refers to it while it is measured. */
    static const int64_t bytes[] = {BROADCAST_BYTES};
    struct operation_request spec = {.collective = collective_named("bcast"),
                                     .bytes = bytes,
                                     .sizes = 1,
                                     .iters = o->iters ? o->iters : BROADCASTS,
                                     .peer = o->peer,
                                     .peers = o->peers,
                                     .seed = o->seed};

    for (size_t i = 0; i < (size_t)eco_table_rows(t); i++)
        if (is_wanted(o, t, i))
            snprintf(spec.plan[spec.plans++], sizeof spec.plan[0], "%s", t->row[i].plan);
    return operation_measure(&spec, results);
}

/* Tables 4 to 7. */
static bool programs(const struct command *o, const struct eco_table *t, struct results *results)
{
    struct eco e = {.table = t,
                    .command = o,
                    .ring = calloc((size_t)hn_size(), sizeof *e.ring),
                    .results = results,
                    .seed = o->seed};
    /* Every task needs the ring's ranks: the first ring is found by a collective call. */
    bool good = !e.ring          ? fail("memory", "no room for a ring")
                : hn_rank() == 0 ? lead(&e)
                                 : step_follow(hn_group_tid(hn_world(), 0), serve, &e);

    free(e.ring);
    return good;
}

static bool run(const struct command *o, struct results *results)
{
    const struct eco_table *t = eco_table(o->table);
    bool good = t->broadcast ? broadcasts(o, t, results) : programs(o, t, results);

    /* print() finds the table's number again in the first result. */
    for (size_t i = 0; i < results->count; i++)
        result_extra(&results->at[i], "table", t->number);
    return good;
}

/* Traffic flows between tasks 1 ... n - 1, each of which needs a partner. */
static bool suits(const struct command *o, char *wrong, size_t room)
{
    if (!eco_table(o->table))
        snprintf(wrong, room, "eco: which table? -table %d to -table %d", ECO_FIRST, ECO_LAST);
    else if (eco_table(o->table)->traffic && hn_size() < 3)
        snprintf(wrong, room, "eco: traffic takes 3 tasks: hrun -np 3");
    else
        return true;
    return false;
}

static void print(const struct results *all)
{
    if (all->count > 0)
        eco_table_print(eco_table((int64_t)result_extra_of(&all->at[0], "table")), all);
}

/* At least two tasks: a single one has no communication. */
const struct bench bench_eco = {"eco",
                                "the tables of ECO's paper, with -table 3 ... 7",
                                " iters plan peer table steps hmd traffic ",
                                2,
                                run,
                                print,
                                suits};
