/* bench.h - the interface of a benchmark. A benchmark is one or two source files that end with
 * such an entry. main.c knows nothing else of them: it checks the command line against the
 * entry, calls run() in all tasks, and prints. Results are task 0's alone. The other tasks get
 * an empty list, which they must not use. */
#pragma once

#include "command.h"
#include "result.h"

/* One entry of hbench's table of benchmarks (main.c).  All entries are constants. */
struct bench {
    const char *name;
    const char *help;
    /* Words surrounded by blanks, as " bytes iters "; other options of that kind are refused. */
    const char *options; /* those options for some benchmarks only that it supports, command.h */
    /* main.c refuses smaller jobs before run() is called. */
    int tasks; /* minimum number of tasks */
    /* Called by every task of the job.  Task 0 leads, and fills in `results`.  Returns false after
     * printing an error. */
    bool (*run)(const struct command *o, struct results *results);
    /* Task 0: prints the tables; NULL: there are none. */
    void (*print)(const struct results *results);
    /* NULL, or a check of the command line by every task.  Returns false with the reason in
     * `wrong`. */
    bool (*suits)(const struct command *o, char *wrong, size_t room);
};

/* Under hrun, unless their text says otherwise; bench_report exists only with json-c. */
extern const struct bench bench_p2p;
extern const struct bench bench_overlap;
extern const struct bench bench_model;
extern const struct bench bench_eco, bench_hmd, bench_mpi;
extern const struct bench bench_launch, bench_started, bench_report;
/* Runs the collective operations of hbench_collective.h, each of which is a benchmark of its
 * own. */
extern const struct bench bench_operation;
