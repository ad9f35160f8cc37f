/* job_stall.h - what the tasks of a job wait for: SIGQUIT and -timeout. */
#pragma once

#include "hrun/job.h"

enum { JOB_ASKED = 400 }; /* bytes of a text that says what a question waits for */

/* Asks all tasks, prints the answers, then calls then(); NULL: nothing.  Does not wait. */
void job_stall(struct job *job, void (*then)(struct job *job));
/* There is a task that could wait for something. */
bool job_stall_is_worth(const struct job *job);
/* WAITS: the answer of a task. */
void job_on_waits(struct job_task *task, struct unpack *in);
