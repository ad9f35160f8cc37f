/* hmd_bench.c - `hbench hmd`: hmd on increasing numbers of tasks, and parallel efficiency.
 *
 * hmd is started (hmd_run.h) with each number of tasks in turn, in rounds of shuffled order; a
 * sample is the mean step of a run.  Parallel efficiency is the time of one task divided by tasks x
 * time.  It is meaningful if every task has processors of its own, and all are alike. hbench's own
 * tasks sleep meanwhile.
 *
 * Results have one index with the numbers of tasks. Speed-up is the median of the base over that
 * of a row.
 */
#include "bench.h"

#include "hmd_run.h"
#include "hnow.h"
#include "order.h"
#include "step.h"

#include <inttypes.h>

/* Defaults of -iters and -steps: runs on each number of tasks, and steps of each. */
enum { RUNS = 3, STEPS = 50 };

/* The numbers of tasks: those of -np, else the powers of two, and all tasks. */
static int numbers(const struct command *o, int64_t np[COMMAND_SIZES])
{
    int n = 0;

    for (; n < o->nps; n++)
        np[n] = o->np[n];
    if (n > 0)
        return n;
    /* An int has at most 31 powers of two, and the array has 64 places. */
    for (int64_t tasks = 1; tasks < hn_size(); tasks *= 2)
        np[n++] = tasks;
    np[n++] = hn_size();
    return n;
}

/* Task 0's state; case i of the results has np[i] tasks. */
struct hmd_bench {
    const struct command *command;
    int64_t np[COMMAND_SIZES];
    struct results *results;
};

/* One run of hmd. */
static bool take(void *data, size_t which)
{
    const struct hmd_bench *b = data;
    struct hmd_job job = {.options = b->command->hmd,
                          .steps = b->command->steps ? b->command->steps : STEPS,
                          .tasks = (int)b->np[which]};
    struct hmd_times times;

    if (!hmd_run(&job, "auto", &times))
        return false;
    /* The whole step is the sample here; its parts are means of all runs. */
    hmd_note(&b->results->at[which], times.step, &times);
    return true;
}

/* Runs are shuffled over the numbers of tasks, so a slow phase of the machine affects all. */
static bool measure(struct hmd_bench *b, int n)
{
    uint64_t seed = b->command->seed;
    int64_t runs = b->command->iters ? b->command->iters : RUNS;
    bool good = true;

    for (int i = 0; i < n; i++) {
        struct result *r = results_add(b->results, "hmd", NULL, 0, (size_t)runs);
        if (!r)
            return false;
        result_extra(r, "tasks", (double)b->np[i]);
    }
    for (int64_t run = 0; good && run < runs; run++)
        good = order_round(run, runs, (size_t)n, &seed, take, b);
    return good;
}

/* The first result with the fewest tasks.  If that is one task, its processors count as fully
 * used. */
static const struct result *base_of(const struct results *all)
{
    const struct result *base = NULL;

    /* Usually the first result, but -np may have any order. */
    for (size_t i = 0; i < all->count; i++)
        if (!base || result_extra_of(&all->at[i], "tasks") < result_extra_of(base, "tasks"))
            base = &all->at[i];
    return base;
}

/* 1 for the base itself; 0.5 if half of the processors' time is lost. */
static double efficiency(const struct result *r, const struct result *base)
{
    double work = result_extra_of(base, "tasks") * result_median(base);

    return work / (result_extra_of(r, "tasks") * result_median(r));
}

/* Task 0.  Efficiencies are computed last, because their base may be any of the results. */
static bool lead(const struct command *o, struct results *results)
{
    struct hmd_bench b = {.command = o, .results = results};
    struct step end = {.what = STEP_END};
    /* Other tasks wait for the step at the end. */
    bool good = measure(&b, numbers(o, b.np));

    for (size_t i = 0; good && i < results->count; i++)
        result_extra(&results->at[i], "efficiency", efficiency(&results->at[i], base_of(results)));
    return good && step_send_all(&end);
}

/* Other tasks wait for the only step there is: the end. */
static bool run(const struct command *o, struct results *results)
{
    struct step s;

    return hn_rank() == 0 ? lead(o, results) : step_receive(hn_group_tid(hn_world(), 0), &s);
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    /* hmd's tasks run on this job's hosts, so there cannot be more than its tasks. */
    for (int i = 0; i < o->nps; i++)
        if (o->np[i] < 1 || o->np[i] > hn_size()) {
            snprintf(wrong, room, "hmd: -np %" PRId64 ": from 1 to the %d tasks of this job",
                     o->np[i], hn_size());
            return false;
        }
    return true;
}

static void print(const struct results *all)
{
    const struct result *base = base_of(all);
    struct stats s;

    if (!base)
        return;
    printf("# hmd: ms a step, median, least and most of %zu runs; means of the tasks' computing, "
           "communication and\n# waiting; efficiency: time of %.0f task%s / (tasks x time)\n",
           base->samples.count, result_extra_of(base, "tasks"),
           result_extra_of(base, "tasks") > 1 ? "s x tasks" : "");
    printf("# %4s %10s %10s %10s %10s %10s %10s %9s %10s\n", "np", "step", "least", "most", "force",
           "comm", "wait", "speed-up", "efficiency");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        if (!samples_stats(&r->samples, &s))
            continue;
        printf("%6.0f %10.3f %10.3f %10.3f %10.3f %10.3f %10.3f %9.2f %10.2f\n",
               result_extra_of(r, "tasks"), s.median * 1e3, s.min * 1e3, s.p99 * 1e3,
               result_extra_of(r, "force") * 1e3, result_extra_of(r, "comm") * 1e3,
               result_extra_of(r, "wait") * 1e3, result_median(base) / s.median,
               result_extra_of(r, "efficiency"));
    }
}

const struct bench bench_hmd = {"hmd",
                                "hmd on more and more tasks: speed-up and parallel efficiency",
                                " iters np steps hmd ",
                                1,
                                run,
                                print,
                                suits};
