/* bench.h - a benchmark: what every one of them is given and gives back. */
#pragma once

#include "command.h"
#include "result.h"

struct bench {
    const char *name;
    const char *help;
    const char *options; /* which of the options for some benchmarks only it follows, command.h */
    int tasks;           /* how many it needs at least */
    /* Called by every task of the job.  Task 0 leads, and fills `results`.  False: it failed, and
     * has said why. */
    bool (*run)(const struct command *o, struct results *results);
    /* Task 0: the tables for people. */
    void (*print)(const struct results *results);
    /* NULL, or: false: the command line does not suit it; `wrong` says why, on every task. */
    bool (*suits)(const struct command *o, char *wrong, size_t room);
};

extern const struct bench bench_p2p;
extern const struct bench bench_overlap;
extern const struct bench bench_model;
extern const struct bench bench_eco, bench_hmd, bench_mpi;
extern const struct bench bench_launch, bench_started, bench_report;
/* Every collective operation of hbench_collective.h is a benchmark of its own; this is how they
 * run. */
extern const struct bench bench_operation;
