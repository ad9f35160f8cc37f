/* job_trace.h - writes the file of -trace.
 *
 * Without -trace all functions but job_trace_begin() have no effect.
 */
#pragma once

#include "hrun/job.h"

/* Creates the file.  False: impossible, and the reason is printed. */
bool job_trace_begin(struct job *job);
void job_trace_end(struct job *job);
/* The host is up: starts to measure its clock.  CLOCK: processes an answer with its clock. */
void job_trace_host(struct job_host *host);
void job_trace_clock(struct job_host *host, struct unpack *in);
/* Stores a task's records: the fields of a TRACE frame after the tid. */
void job_trace_records(struct job_task *task, struct unpack *in);
