/* hmd_run.h - runs hmd on the hosts of the job, started by task 0 (hn_spawn()). The two
 * benchmarks with hmd (eco, hmd) share these: they differ in what they vary, plans or numbers of
 * tasks. */
#pragma once

#include "result.h"

#include <stdbool.h>
#include <stdint.h>

struct hmd_job {
    const char *options; /* hmd's options for the system, separated by blanks; NULL: the bundled
                            system */
    int64_t steps;
    int tasks;       /* of a separate world, on the hosts with the fewest tasks per slot */
    bool replicated; /* forces are summed to all tasks (hmd -decomp replicated) */
};

/* Seconds per step, mean of all tasks. */
struct hmd_times {
    double step, force, comm, wait; /* comm: in operations, without waiting for slower tasks */
};

/* Runs hmd in a separate world on the hosts of this job, with collectives that follow `plan`
 * ("auto": hrun's plan, or the best).  Blocks until all tasks have ended. hmd's errors go to
 * stderr.  Returns false after printing an error. */
bool hmd_run(const struct hmd_job *job, const char *plan, struct hmd_times *times);

/* Adds a run's sample to its result, which must have room, and updates the means of all runs'
 * times. */
void hmd_note(struct result *r, double sample, const struct hmd_times *times);
