/* bench.h - the interface of a benchmark. */
#pragma once

#include "command.h"
#include "result.h"

/* One entry of hbench's table of benchmarks (main.c).  All entries are constants. */
struct bench {
    const char *name;
    const char *help;
    const char *options; /* those options for some benchmarks only that it supports, command.h */
    int tasks;           /* minimum number of tasks */
    /* Called by every task of the job.  Task 0 leads, and fills in `results`.  Returns false after
     * printing an error. */
    bool (*run)(const struct command *o, struct results *results);
    /* Task 0: prints the tables; NULL: there are none. */
    void (*print)(const struct results *results);
    /* NULL, or a check of the command line by every task.  Returns false with the reason in
     * `wrong`. */
    bool (*suits)(const struct command *o, char *wrong, size_t room);
};

extern const struct bench bench_p2p;
extern const struct bench bench_overlap;
extern const struct bench bench_model;
extern const struct bench bench_eco, bench_hmd, bench_mpi;
extern const struct bench bench_launch, bench_started, bench_report;
/* Runs the collective operations of hbench_collective.h, each of which is a benchmark of its
 * own. */
extern const struct bench bench_operation;
