/* hmd_run.h - a run of hmd on the hosts of the job, started by task 0 (hn_spawn()). */
#pragma once

#include "result.h"

#include <stdbool.h>
#include <stdint.h>

struct hmd_job {
    const char *options; /* of hmd: its system, separated by blanks; NULL: the bundled one */
    int64_t steps;
    int tasks;       /* of one world, on the hosts with the fewest tasks for their slots */
    bool replicated; /* sums of forces go to all tasks (hmd -decomp replicated) */
};

/* Seconds a step, mean of all tasks. */
struct hmd_times {
    double step, force, comm, wait; /* comm: in operations, less waiting for slower tasks */
};

/* A world of their own on the hosts of this job, whose collectives follow `plan` ("auto": what hrun
 * said, or the best).  Blocks until all have ended; what hmd complains
 * about goes to stderr.  False: it failed, and said why. */
bool hmd_run(const struct hmd_job *job, const char *plan, struct hmd_times *times);

/* A run's sample into its result, which must have room, and the means of all runs' times. */
void hmd_note(struct result *r, double sample, const struct hmd_times *times);
