/* hplan_trace.h - measured times of an operation, from a file of hrun -trace.
 *
 * The result has the form of a simulation (struct timing), so that a drawing shows both side by
 * side.
 */
#pragma once

/* Owns everything that was read, also the texts that its functions return. */
#include "coll/internal.h"

struct trace;

/* Traces are JSON: if hplan was built without json-c, trace_open() returns an error. */

/* Reads the events of an operation of so many ranks. Returns HN_OK, or an error with a text: the
 * file cannot be read, is no trace, or does not contain the operation. */
int trace_open(const char *path, enum operation op, int ranks, struct trace **trace);
void trace_close(struct trace *trace);

/* The plan that the operation followed most often. Counted at rank 0, since all ranks follow one
 * plan. "": no call of the operation. */
const char *trace_plan_name(const struct trace *trace);

/* Computes the times of a plan's steps (`name` in the trace) in the run of median length, from the
 * begin of the first send. A send lasts as long as its call. A receive lasts from its call, or from
 * the end of the send if that is later, until the message has arrived. *runs: number of runs. The
 * caller frees the timing. Returns HN_OK, or an error with a text: no run followed this plan with
 * messages of these sizes. */
int trace_timing(const struct trace *trace, const struct plan *plan, const char *name,
                 struct timing *timing, int *runs);
