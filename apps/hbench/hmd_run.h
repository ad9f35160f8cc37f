/* hmd_run.h - a run of hmd on the hosts of the job, started by task 0 (hn_spawn()). */
#ifndef HBENCH_HMD_RUN_H
#define HBENCH_HMD_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct hmd_job {
    const char *options; /* of hmd: its system, separated by blanks; NULL: the bundled one */
    int64_t steps;
};

/* Seconds a step, mean of all tasks. */
struct hmd_times {
    double step, force, comm, wait; /* comm: in operations, less waiting for slower tasks */
};

/* As many tasks as this job has, one world of their own on the same hosts, whose collectives follow
 * `plan` ("auto": what hrun said, or the best).  Blocks until all have ended; what hmd complains
 * about goes to stderr.  False: it failed, and said why. */
bool hmd_run(const struct hmd_job *job, const char *plan, struct hmd_times *times);

#endif
