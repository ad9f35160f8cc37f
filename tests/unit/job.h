/* job.h - a whole job in one test: forked tasks, and a small stand-in for their agent.
 *
 * job_run() forks n children; each enrols, runs body() and leaves.  The parent plays the agent
 * (WELCOME, LOOKUP, contexts, ENDED; no hrun, no hosts file) until all have ended.
 */
#pragma once

enum { JOB_MAX = 64, JOB_PATHS = 5 };

/* The ways between tasks of one host, as HNOW_LOCAL names them. */
extern const char *const job_paths[JOB_PATHS];

/* What the value of hrun's -plan is in jobs from now on. */
extern const char *job_plan;

/* Returns the number of tasks that did not end with status 0.  A body that returns false, or a
 * failed assertion in it (job_check), ends its task with status 1.  A job that is not over after
 * ten times the `seconds` that an idle machine may take is killed and counts as failed. */
int job_run(int n, int seconds, _Bool (*body)(void));

/* The same on several hosts h0, h1, ... (in turns), of which the job has this network file. */
int job_run_on(int n, int hosts, const char *net, int seconds, _Bool (*body)(void));

/* Like an assertion, inside a task: prints what failed and ends the task with status 1. */
#define job_check(condition) job_check_(condition, #condition, __FILE__, __LINE__)
void job_check_(_Bool condition, const char *text, const char *file, int line);
