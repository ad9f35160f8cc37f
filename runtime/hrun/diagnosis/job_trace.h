/* job_trace.h - the file of -trace. */
#pragma once

#include "hrun/job.h"

/* Creates the file of -trace.  False: it cannot, and the reason is printed. */
bool job_trace_begin(struct job *job);
void job_trace_end(struct job *job);
/* The host is up: its clock is measured from now on; an answer of its clock. */
void job_trace_host(struct job_host *host);
void job_trace_clock(struct job_host *host, struct unpack *in);
/* Takes a task's records: the fields of a TRACE frame behind the tid. */
void job_trace_records(struct job_task *task, struct unpack *in);
