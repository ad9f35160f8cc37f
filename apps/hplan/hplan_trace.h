/* hplan_trace.h - what an operation really took, from a file of hrun -trace. */
#pragma once

#include "coll/internal.h"

struct trace;

/* Traces are JSON: where hplan was built without json-c, trace_open() says so. */

/* Reads what a file tells of an operation of so many ranks. HN_OK, or an error with a text: the
 * file cannot be read, is no such file, or says nothing of the operation. */
int trace_open(const char *path, enum operation op, int ranks, struct trace **trace);
void trace_close(struct trace *trace);

/* The plan that the operation followed most often. */
const char *trace_plan_name(const struct trace *trace);

/* The times of the plan's steps (by that name in the trace) in the run of median length, from the
 * begin of the first send on: of a send, the call; of a receive, from the call, or from the send's
 * end if that was later, until the message was there. *runs: how many there were. The
 * caller frees the timing. HN_OK or an error with a text: nobody followed this plan with messages
 * of these sizes. */
int trace_timing(const struct trace *trace, const struct plan *plan, const char *name,
                 struct timing *timing, int *runs);
