/* hbench_launch.c - the time of hrun: start, one barrier, one line of output, end.
 *
 *     hbench launch -np 8,64 [-hosts FILE]
 *
 * runs `hrun -np N hbench started` repeatedly, itself not under hrun.  A sample is the time from
 * starting hrun until it has ended.  The same run also measures others, in shuffled order.  With
 * -hosts it is one `ssh HOST true` for each host, all at once: nothing that uses ssh can be much
 * faster.  Without -hosts it is the launchers of MPICH and Open MPI, if they are installed, with
 * `true` (a real MPI program takes longer), and PVM, both started for the job and already running
 * (pvm-up).
 *
 * hbench is not under hrun here, hence a job of one task. Each case is a command line
 * (starter.h), and each sample one process from fork() to its end.
 */
#include "bench.h"

#include "fail.h"
#include "hnow_coll.h"
#include "order.h"
#include "starter.h"

#include <inttypes.h>
#include <stdlib.h>

/* Starts of each launcher; maximum number of cases: all launchers for each number of tasks. */
enum { USUAL_ITERS = 5, STARTERS = (3 + STARTER_PEERS) * COMMAND_SIZES + 1 };

/* ---- the program that is started ---- */

/* The barrier proves that all tasks have started and reach each other. */
static bool run_started(const struct command *o, struct results *results)
{
    (void)o;
    (void)results;
    return hn_barrier(hn_world()) == HN_OK || fail_hn("hn_barrier");
}

/* One line of output is part of every job's start, as users see it. */
static void print_started(const struct results *results)
{
    (void)results;
    printf("%d tasks started\n", hn_size());
}

/* ---- the cases ---- */

/* Case i of the results is starter i. */
struct cases {
    struct starter at[STARTERS];
    bool failed[STARTERS]; /* a peer that failed: it has no result */
    size_t count;
    struct results *results;
    struct starter_pvm pvm; /* zero: none */
    bool pvm_runs;
};

/* Adds a case, if it could be made. */
static void add_case(struct cases *cases, bool made)
{
    if (made)
        cases->count++;
    /* A launcher that is not installed is no case. What was made of it is freed. */
    else
        starter_free(&cases->at[cases->count]);
}

/* `true` is the least that a launcher can start.  It favours the peers: hrun's program joins a job
 * and passes a barrier. */
static void add_peers(int64_t tasks, struct cases *cases)
{
    for (int which = 0; which < STARTER_PEERS; which++)
        add_case(cases, starter_peer(&cases->at[cases->count], which, tasks));
    if (!cases->pvm_runs)
        return;
    /* Twice: PVM started for the job, and PVM that runs already. */
    add_case(cases, starter_pvm(&cases->at[cases->count], NULL, tasks));
    add_case(cases, starter_pvm(&cases->at[cases->count], cases->pvm.folder, tasks));
}

static bool add_starters(const struct command *o, struct cases *cases)
{
    static const int64_t usual[] = {8};
    const int64_t *np = o->nps ? o->np : usual;

    for (int i = 0; i < (o->nps ? o->nps : 1); i++) {
        if (!starter_hrun(&cases->at[cases->count++], o->hosts, np[i]))
            return fail("memory", "no room for the commands");
        /* On several hosts the peers would need their own configuration; ssh is the reference
         * there. */
        if (!o->hosts)
            add_peers(np[i], cases);
    }
    return !o->hosts || starter_ssh(&cases->at[cases->count++], o->hosts);
}

/* One result per case, with the same index. */
static bool add_results(const struct command *o, const struct cases *cases, struct results *results)
{
    size_t samples = (size_t)(o->iters ? o->iters : USUAL_ITERS);

    for (size_t i = 0; i < cases->count; i++) {
        struct result *r = results_add(results, "launch", cases->at[i].peer, 0, samples);
        if (!r)
            return false;
        /* Results have no such field, since other benchmarks have one number of tasks. */
        result_extra(r, "tasks", (double)cases->at[i].tasks);
    }
    return true;
}

/* ---- measuring ---- */

/* Takes one sample of a case.  A peer that fails is left out from then on; hrun must not fail. */
static bool take(void *data, size_t which)
{
    struct cases *cases = data;
    const struct starter *s = &cases->at[which];
    double seconds = 0;

    if (cases->failed[which])
        return true;
    /* A failed start is no sample: its time says nothing. */
    cases->failed[which] = !starter_run(s, &seconds);
    if (!cases->failed[which])
        samples_add(&cases->results->at[which].samples, seconds);
    else if (s->peer)
        fprintf(stderr, "hbench: %s with %" PRId64 " tasks failed: left out\n", s->peer, s->tasks);
    else
        return fail("hrun", "it failed, and said why");
    return true;
}

static bool run_launch(const struct command *o, struct results *results)
{
    int64_t rounds = o->iters ? o->iters : USUAL_ITERS;
    struct cases *cases = calloc(1, sizeof *cases);
    uint64_t seed = o->seed;

    /* The cases are large, and so are not on the stack. */
    if (!cases)
        return fail("memory", "no room for the commands");
    cases->results = results;
    cases->pvm_runs = !o->hosts && starter_pvm_up(&cases->pvm);
    /* Case i and result i belong together from here on. */
    bool good = add_starters(o, cases) && add_results(o, cases, results);
    for (int64_t i = 0; good && i < rounds; i++)
        good = order_round(i, rounds, cases->count, &seed, take, cases);
    for (size_t i = 0; i < cases->count; i++)
        starter_free(&cases->at[i]);
    starter_pvm_down(&cases->pvm);
    free(cases);
    return good;
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    (void)o;
    /* Without hrun, hbench is a job of one task. */
    if (hn_size() == 1)
        return true;
    snprintf(wrong, room, "launch starts its jobs itself: run it without hrun");
    return false;
}

/* ---- printing ---- */

/* hrun's median for the same number of tasks, else that of its first case. */
static double median_of_hrun(const struct results *all, double tasks)
{
    for (size_t i = 0; i < all->count; i++)
        if (!all->at[i].peer && result_extra_of(&all->at[i], "tasks") == tasks)
            return result_median(&all->at[i]);
    /* ssh has the number of hosts, which need not be one of -np. */
    return result_median(&all->at[0]);
}

static void print_launch(const struct results *all)
{
    printf("# hnow launch: seconds for start, one barrier, one line of output, end\n");
    printf("# hrun/: the median of hrun over that of the command; ssh: one a host, all at once\n");
    printf("# %8s %8s %9s %9s %9s %9s %8s %7s\n", "Command", "Tasks", "median", "min", "mean",
           "p99", "samples", "hrun/");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        double tasks = result_extra_of(r, "tasks");
        struct stats s;

        if (samples_stats(&r->samples, &s))
            printf("%10s %8.0f %9.3f %9.3f %9.3f %9.3f %8zu %7.2f\n", r->peer ? r->peer : "hrun",
                   tasks, s.median, s.min, s.mean, s.p99, r->samples.count,
                   median_of_hrun(all, tasks) / s.median);
    }
}

const struct bench bench_launch = {"launch",
                                   "time that hrun takes to start and end a job; not under hrun",
                                   " iters np hosts ",
                                   1,
                                   run_launch,
                                   print_launch,
                                   suits};
const struct bench bench_started = {
    "started",   "what launch starts: a barrier and a line of output",
    "",          1,
    run_started, print_started,
    NULL};
