/* launch.c - how long hrun takes: start, one barrier, one line of output, end.
 *
 *     hbench launch -np 8,64 [-hosts FILE]
 *
 * runs, itself not under hrun, `hrun -np N hbench started` again and again; a sample is the time
 * from starting hrun until it has ended.  Numbers of tasks take turns, in shuffled order.
 */
#include "bench.h"

#include "clock.h"
#include "fail.h"
#include "hnow_coll.h"
#include "order.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_ITERS = 5 };

/* Where this program is, and the hrun that belongs to it. */
struct programs {
    char self[PATH_MAX], hrun[PATH_MAX];
};

/* ---- the program that is started ---- */

static bool run_started(const struct command *o, struct results *results)
{
    (void)o;
    (void)results;
    return hn_barrier(hn_world()) == HN_OK || fail_hn("hn_barrier");
}

static void print_started(const struct results *results)
{
    (void)results;
    printf("%d tasks started\n", hn_size());
}

/* ---- finding hrun ---- */

/* hrun is beside hbench where it is installed, two directories up where it was built, else on the
 * PATH. */
static bool find_programs(struct programs *p)
{
    static const char *const places[] = {"", "../../"};
    ssize_t length = readlink("/proc/self/exe", p->self, sizeof p->self - 1);
    size_t directory;

    if (length < 0)
        return fail_system("/proc/self/exe");
    p->self[length] = '\0';
    directory = (size_t)(strrchr(p->self, '/') + 1 - p->self);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n = snprintf(p->hrun, sizeof p->hrun, "%.*s%shrun", (int)directory, p->self, places[i]);
        if (n > 0 && (size_t)n < sizeof p->hrun && access(p->hrun, X_OK) == 0)
            return true;
    }
    strcpy(p->hrun, "hrun");
    return true;
}

/* ---- measuring ---- */

/* The child: nothing comes in, and what comes out is not shown. */
static void become(char **argv)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0)
        execvp(argv[0], argv);
    fail_system(argv[0]);
    _exit(127);
}

static bool start_once(const struct programs *p, const char *hosts, int64_t np, double *seconds)
{
    char tasks[24], *argv[8];
    int64_t start = clock_now();
    int n = 0, status;
    pid_t pid;

    snprintf(tasks, sizeof tasks, "%" PRId64, np);
    argv[n++] = (char *)p->hrun;
    if (hosts) {
        argv[n++] = "-hosts";
        argv[n++] = (char *)hosts;
    }
    argv[n++] = "-np";
    argv[n++] = tasks;
    argv[n++] = (char *)p->self;
    argv[n++] = "started";
    argv[n] = NULL;
    pid = fork();
    if (pid < 0)
        return fail_system("fork");
    if (pid == 0)
        become(argv);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return fail_system("waitpid");
    *seconds = clock_since(start);
    return status == 0 || fail("hrun", "it failed, and said why");
}

static bool add_cases(const struct command *o, const int64_t *np, int nps, struct results *results)
{
    size_t count = (size_t)(o->iters ? o->iters : USUAL_ITERS);

    for (int i = 0; i < nps; i++) {
        struct result *r = results_add(results, "launch", NULL, NULL, 0);
        if (!r || !samples_reserve(&r->samples, count))
            return fail("memory", "no room for the results");
        result_extra(r, "tasks", (double)np[i]);
    }
    return true;
}

/* One sample of each case. */
static bool take_round(const struct programs *p, const struct command *o, const int64_t *np,
                       struct results *results, uint64_t *seed)
{
    size_t order[COMMAND_SIZES];

    order_shuffle(order, results->count, seed);
    for (size_t i = 0; i < results->count; i++) {
        double seconds = 0;
        if (!start_once(p, o->hosts, np[order[i]], &seconds))
            return false;
        samples_add(&results->at[order[i]].samples, seconds);
    }
    return true;
}

static bool run_launch(const struct command *o, struct results *results)
{
    static const int64_t usual[] = {8};
    const int64_t *np = o->nps ? o->np : usual;
    int64_t rounds = o->iters ? o->iters : USUAL_ITERS;
    struct programs programs;
    uint64_t seed = o->seed;

    if (!find_programs(&programs) || !add_cases(o, np, o->nps ? o->nps : 1, results))
        return false;
    for (int64_t i = 0; i < rounds; i++)
        if (!take_round(&programs, o, np, results, &seed))
            return false;
    return true;
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    (void)o;
    if (hn_size() == 1)
        return true;
    snprintf(wrong, room, "launch starts its jobs itself: run it without hrun");
    return false;
}

static void print_launch(const struct results *all)
{
    printf("# hnow launch: seconds for start, one barrier, one line of output, end\n");
    printf("# %8s %9s %9s %9s %9s %8s\n", "Tasks", "median", "min", "mean", "p99", "samples");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        struct stats s;

        if (samples_stats(&r->samples, &s))
            printf("%10.0f %9.3f %9.3f %9.3f %9.3f %8zu\n", result_extra_of(r, "tasks"), s.median,
                   s.min, s.mean, s.p99, r->samples.count);
    }
}

const struct bench bench_launch = {"launch",
                                   "time that hrun takes to start and end a job; not under hrun",
                                   1,
                                   run_launch,
                                   print_launch,
                                   suits};
const struct bench bench_started = {
    "started", "what launch starts: a barrier and a line of output", 1, run_started, print_started,
    NULL};
