/* main.c - hbench: benchmarks of hnow on the hosts it runs on.
 *
 *     hrun -np 2 hbench p2p
 *
 * Every task runs the same benchmark; task 0 leads, keeps the results and prints them
 * (docs/hbench.md).
 *
 * All tasks read the same command line and come to the same decision, so none of it is sent.
 * Errors of use are printed once, by task 0, and end all tasks with the same status.
 */
#include "bench.h"

#include "hbench_collective.h"
#include "fail.h"
#include "runtime/internal.h"
#include "hnow.h"
#include "hnow_coll.h"

#include <stdio.h>
#include <string.h>

static const struct bench *const benches[] = {&bench_p2p,    &bench_overlap, &bench_model,
                                              &bench_eco,    &bench_hmd,     &bench_mpi,
#ifdef HNOW_JSON
                                              &bench_report,
#endif
                                              &bench_launch, &bench_started};
enum { BENCHES = sizeof benches / sizeof benches[0], FAILED = 1, WRONG_USE = 2 /* exit status */ };
enum { TAG_REPORTED = 6990, REPORT_MS = 2000 /* other tasks end without task 0's message then */ };

/* A name that is no benchmark may be a collective operation, which bench_operation measures. */
static const struct bench *bench_named(const char *name)
{
    for (int i = 0; i < BENCHES; i++)
        if (strcmp(benches[i]->name, name) == 0)
            return benches[i];
    return collective_named(name) ? &bench_operation : NULL;
}

static void print_help(void)
{
    command_help(stdout);
    printf("\nbenchmarks:\n");
    for (int i = 0; i < BENCHES; i++)
        printf("  %-23s %s\n", benches[i]->name, benches[i]->help);
    for (int i = 0; i < collective_count; i++)
        printf("  %-23s %s\n", collectives[i].name, collectives[i].help);
}

/* Returns false, with the reason in `wrong`, if this benchmark cannot run. */
static bool suits(const struct bench *b, const struct command *o, char *wrong, size_t room)
{
    const char *stray = b ? command_stray(o, b->options) : NULL;

    if (!o->bench)
        snprintf(wrong, room, "which benchmark? hbench -help lists them");
    /* In this order: each test relies on those before it. */
    else if (!b)
        snprintf(wrong, room, "there is no benchmark '%s': hbench -help lists them", o->bench);
    else if (stray)
        snprintf(wrong, room, "%s does not follow -%s: hbench -help says what it is for", o->bench,
                 stray);
    else if (hn_size() < b->tasks)
        snprintf(wrong, room, "%s takes %d tasks: hrun -np %d hbench %s", o->bench, b->tasks,
                 b->tasks, o->bench);
    else
        return !b->suits || b->suits(o, wrong, room);
    return false;
}

/* Only task 0 has results, so only it prints. */
static bool run(const struct bench *b, const struct command *o)
{
    struct results results = {0};
    /* Collective: task 0's function leads those of the other tasks. */
    bool good = b->run(o, &results);

    if (good && hn_rank() == 0) {
        if (o->json)
            results_print_json(&results, o->seed, stdout);
        else if (b->print)
            b->print(&results);
    }
    results_free(&results);
    return good;
}

/* All tasks parse the same command line, and task 0 prints its errors.  The first task that ends
 * terminates the job, so the others wait for task 0. */
static void report_error(const char *wrong)
{
    hn_tid zero = hn_group_tid(hn_world(), 0);

    if (hn_rank() > 0) {
        hn_recv_timeout(zero, TAG_REPORTED, NULL, 0, HN_BYTE, REPORT_MS, NULL);
        return;
    }
    fprintf(stderr, "hbench: %s\n", wrong);
    /* Only after the text is printed: the first task that ends may end the whole job. */
    for (int rank = 1; rank < hn_size(); rank++)
        hn_send(hn_group_tid(hn_world(), rank), TAG_REPORTED, NULL, 0, HN_BYTE);
}

/* Returns the exit status.  All tasks decide the same from the same command line. */
static int start(int argc, char **argv)
{
    struct command o;
    char wrong[256];
    int read = command_read(&o, argc, argv);

    if (read == OPTIONS_HELP || read == OPTIONS_VERSION) {
        if (hn_rank() == 0 && read == OPTIONS_HELP)
            print_help();
        else if (hn_rank() == 0)
            printf("hbench %s\n", HNOW_VERSION);
        return 0;
    }
    /* NULL: no benchmark, or an unknown one; suits() says which. */
    const struct bench *b = read == HN_OK && o.bench ? bench_named(o.bench) : NULL;
    if (read != HN_OK)
        snprintf(wrong, sizeof wrong, "%s", hn_error_text());
    bool right = read == HN_OK && suits(b, &o, wrong, sizeof wrong);
    if (right)
        return run(b, &o) ? 0 : FAILED;
    report_error(wrong);
    return WRONG_USE;
}

int main(int argc, char **argv)
{

    if (hn_enrol() != HN_OK) {
        fail_hn("hn_enrol");
        return FAILED;
    }
    hn_coll_compress(hn_world(), 0); /* patterns would shrink more than any program's data */
    int status = start(argc, argv);
    /* An error of the benchmark has precedence. */
    if (hn_exit() != HN_OK && status == 0) {
        fail_hn("hn_exit");
        status = FAILED;
    }
    return printed_status("hbench", status);
}
