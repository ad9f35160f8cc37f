/* job_stall.h - reports what the tasks of a job wait for: SIGQUIT and -timeout.
 *
 * The state of a report is in job->stall (job.h). There is one at a time.
 */
#pragma once

#include "hrun/job.h"

enum { JOB_ASKED = 400 }; /* bytes of a description of what a question waits for */

/* Asks all tasks, and returns at once.  Later prints the answers, then calls then(), unless it is
 * NULL. */
void job_stall(struct job *job, void (*then)(struct job *job));
/* Whether any task could be waiting. */
bool job_stall_is_worth(const struct job *job);
/* Processes WAITS: the answer of a task. */
void job_on_waits(struct job_task *task, struct unpack *in);
