/* hbench_mpi.c - `hbench mpi PROGRAM`: an MPI program under hrun and other launchers, in turns.
 *
 * A sample is the time from starting the launcher until it has ended, as its user sees it.  Each
 * launcher gets the hosts of this job with their numbers of tasks; the job's own tasks sleep
 * meanwhile.  All launchers run the same file, so it must be linked with a library that the peer
 * has and hnow replaces: Open MPI's, or MPICH's.
 *
 * The job of hbench itself names the hosts. Task 0 runs all programs as child processes; peers
 * reach the hosts by a script that task 0 keeps open (peer_round.h).
 */
#include "bench.h"

#include "clock.h"
#include "fail.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "order.h"
#include "peer_round.h"
#include "self.h"
#include "step.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* RUNS: default number of runs under each launcher.  LIMIT: seconds after which timeout(1) ends a
 * run as failed.  LAST_LINE: bytes of the program's last output line, which is printed. */
enum { RUNS = 5, LIMIT = 3600, LAST_LINE = 1024 };

/* A launcher, without the program's arguments; case i of the results is launcher i. */
struct launcher {
    char *command;
    bool failed; /* a peer that failed: it is not run again */
};

/* Task 0's state.  The launchers are lead()'s. */
struct mpi_bench {
    const struct command *command;
    struct launcher *launcher;
    struct results *results;
};

/* ---- hrun's command ---- */

/* Makes the job's hosts file an unnamed file, which hrun reads through this process. -1: failed.
 * The file that hrun was given may have changed, or may have been a pipe; the job has its text. */
static int hosts_again(const char *text, size_t length)
{
    /* Nothing remains in the file system, and hrun may read it several times. */
    int fd = memfd_create("hosts", MFD_CLOEXEC);

    if (fd >= 0 && write(fd, text, length) == (ssize_t)length)
        return fd;
    fail_system("hosts");
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Maps rank i to the host of this job's rank i. The measured job must have the same tasks on the
 * same hosts as the peers, whatever the hosts file says about slots. */
static void print_map(FILE *out)
{
    fprintf(out, " -map ");
    for (int rank = 0; rank < hn_size(); rank++)
        fprintf(out, "%s%s", rank > 0 ? "," : "", hn_host_of(hn_group_tid(hn_world(), rank)));
}

/* hosts: the result of hosts_again(), or -1 if the job has no hosts file. */
static char *hrun_command(int hosts)
{
    char hrun[PATH_MAX], *text = NULL;
    size_t length;
    FILE *out = self_tool("hrun", hrun) ? open_memstream(&text, &length) : NULL;

    if (!out)
        return NULL;
    /* The same limit as for peers: a program that hangs must not stop the series. */
    fprintf(out, "timeout %d %s -np %d", LIMIT, hrun, hn_size());
    if (hosts >= 0) {
        fprintf(out, " -hosts /proc/%d/fd/%d", (int)getpid(), hosts);
        print_map(out);
    }
    fclose(out);
    return text;
}

/* ---- one run ---- */

/* Returns the launcher with the program's arguments, each quoted; the caller frees it. */
static char *whole_command(const char *command, char *const *program)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    fprintf(out, "exec %s", command);
    for (int i = 0; program[i]; i++) {
        fputs(" '", out);
        for (const char *c = program[i]; *c; c++)
            /* A quote ends the quoted text, is written by itself, and begins it again. */
            if (*c == '\'')
                fputs("'\\''", out);
            else
                putc(*c, out);
        putc('\'', out);
    }
    /* No launcher may take the terminal's input. */
    fputs(" </dev/null 2>&1", out);
    fclose(out);
    return text;
}

/* Reads all output; keeps the last line that is not empty, which has the reason of a failure. */
static void read_output(FILE *in, char last[LAST_LINE])
{
    char line[LAST_LINE];

    *last = '\0';
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        /* Lines longer than the array arrive in pieces, of which the last counts. */
        if (*line)
            memcpy(last, line, sizeof line);
    }
}

/* Returns false if the program failed or could not be started.  stderr is read with stdout, so
 * `last` may have the reason. */
static bool run_program(const char *command, char *const *program, double *seconds,
                        char last[LAST_LINE])
{
    /* Composing the command takes microseconds; a launcher takes at least milliseconds. */
    int64_t start = clock_now();
    /* The shell replaces itself by the launcher (exec), so its own time is small, and its status is
     * the launcher's. */
    char *text = whole_command(command, program);
    FILE *in = text ? popen(text, "r") : NULL;

    free(text);
    if (!in)
        return fail_system("popen");
    read_output(in, last);
    int status = pclose(in);
    *seconds = clock_since(start);
    return status == 0;
}

/* Runs a launcher.  A peer that fails is left out from then on; hrun must not fail. */
static bool take(void *data, size_t which)
{
    const struct mpi_bench *b = data;
    const struct command *o = b->command;
    struct launcher *l = &b->launcher[which];
    struct result *r = &b->results->at[which];
    char last[LAST_LINE];
    double seconds = 0;

    if (l->failed)
        return true;
    l->failed = !run_program(l->command, (char *const *)o->file, &seconds, last);
    if (l->failed)
        fprintf(stderr, "hbench: %s %s failed: %s\n", l->command, o->file[0], last);
    else
        samples_add(&r->samples, seconds);
    /* hrun's failure ends the benchmark, as there would be nothing to compare with. */
    return !l->failed || r->peer;
}

/* ---- all runs ---- */

/* Result 0 is hrun's, and those of the peers follow in their order, as the launchers do. */
static bool measure(const struct command *o, struct launcher *all, struct results *results)
{
    struct mpi_bench b = {o, all, results};
    uint64_t seed = o->seed;
    int64_t runs = o->iters ? o->iters : RUNS;
    bool good = true;

    /* -1 is hrun. */
    for (int i = -1; i < o->peers; i++) {
        struct result *r =
            results_add(results, "mpi", i < 0 ? NULL : o->peer[i].name, 0, (size_t)runs);
        if (!r)
            return false;
        result_extra(r, "tasks", hn_size());
    }
    for (int64_t i = 0; good && i < runs; i++)
        good = order_round(i, runs, results->count, &seed, take, &b);
    return good;
}

/* Task 0.  The texts of the peers' commands belong to `round`. */
static bool lead(const struct command *o, const struct peer_round *round, struct results *results)
{
    struct launcher all[PEERS_MOST + 1] = {0};
    struct step end = {.what = STEP_END};
    const char *text;
    size_t length;
    int hosts = -1;

    if (hn_job_text("hosts", &text, &length) != HN_OK)
        return fail_hn("hosts");
    unsetenv("HNOW_AGENT_FD"); /* launched tasks do not belong to this job */
    /* Without a hosts file all tasks are on this host, and hrun needs none either. */
    if (length > 0 && (hosts = hosts_again(text, length)) < 0)
        return false;
    all[0].command = hrun_command(hosts);
    for (int i = 0; i < o->peers; i++)
        all[i + 1].command = (char *)round->peer[i].command;
    bool good = all[0].command ? measure(o, all, results) : fail("hrun", "no room for its command");
    free(all[0].command);
    if (hosts >= 0)
        close(hosts);
    /* After an error the job ends, so the other tasks need no step. */
    return good && step_send_all(&end);
}

/* All other tasks wait for the end in a receive, and use no processor. */
static bool run_mpi(const struct command *o, struct results *results)
{
    struct peer_round round;
    struct step s;
    bool good =
        peer_round_open(&round, o->peer, o->peers, hn_size()) &&
        (hn_rank() == 0 ? lead(o, &round, results) : step_receive(hn_group_tid(hn_world(), 0), &s));

    peer_round_close(&round);
    return good;
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    if (o->files > 0)
        return true;
    snprintf(wrong, room, "mpi: which program? hrun -np 4 hbench mpi -peer openmpi PROGRAM");
    return false;
}

static void print_mpi(const struct results *all)
{
    printf("# mpi: seconds from start to end of the launcher; hrun/: the median of hrun over it\n");
    printf("# %8s %8s %9s %9s %9s %8s %7s\n", "launcher", "tasks", "median", "low", "high", "runs",
           "hrun/");
    /* hrun's own row has 1.00 in the last column. */
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        struct stats s;

        if (samples_stats(&r->samples, &s))
            printf("%10s %8.0f %9.3f %9.3f %9.3f %8zu %7.2f\n", r->peer ? r->peer : "hrun",
                   result_extra_of(r, "tasks"), s.median, s.low, s.high, r->samples.count,
                   result_median(&all->at[0]) / s.median);
    }
}

const struct bench bench_mpi = {
    "mpi", "an MPI program under hrun and under each -peer", " iters peer ", 1, run_mpi, print_mpi,
    suits};
