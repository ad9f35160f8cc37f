/* trace_file.h - the file of hrun -trace: Chrome's trace-event format, as Perfetto and
 * chrome://tracing open it (Google: "Trace Event Format", 2016).
 *
 *     process   a host
 *     thread    a task; further threads of a task that call hnow have rows of their own
 *     "X"       an event with begin and duration: send, isend, recv, wait, probe, a collective
 *     "s", "f"  an arrow from the event that sent a message to the one that received it
 *     "M"       names of hosts and tasks
 *     otherData the version, the hosts with the error bounds of their clocks, what was dropped
 *
 * Times are microseconds of hrun's clock since hrun began.  Events are written as they come; behind
 * them always is an end, which the next events overwrite.  So the file is valid JSON whenever
 * hrun ends, also by kill -9.  Memory: none that grows.
 */
#pragma once

#include "base/clock.h"
#include "base/replace.h"
#include "protocol/trace_record.h"
#include "hrun/diagnosis/timeline.h"

#include <stdbool.h>
#include <stdio.h>

/* The open file; its position is always behind the last event. */
struct trace_file {
    FILE *file; /* out's */
    struct replacement out;
    bool some;     /* an event was written */
    bool seekable; /* a file of its own */
    uint64_t begun;
};

/* The host and task of an event. */
struct trace_row {
    uint32_t host, task; /* number, tid */
    const struct timeline *timeline;
};

/* Opens the file and writes its beginning.  An older file remains until the first end is written.
 * HN_ESYS, HN_ENOMEM, with a text that names the file; the same for trace_file_end(). */
int trace_file_open(struct trace_file *trace, const char *path, uint64_t now);
void trace_file_record(struct trace_file *trace, const struct trace_row *row,
                       const struct trace_record *record);
/* thread: index in the task, from 0. */
void trace_file_name_host(struct trace_file *trace, uint32_t host, const char *name);
void trace_file_name_task(struct trace_file *trace, const struct trace_row *row, unsigned thread,
                          uint32_t rank, const char *program);
/* Writes the end of the file: where it can be overwritten, or as the last. rest() writes the
 * content of otherData. */
int trace_file_end(struct trace_file *trace, bool last, void (*rest)(FILE *file, void *arg),
                   void *arg);
void trace_file_close(struct trace_file *trace);
