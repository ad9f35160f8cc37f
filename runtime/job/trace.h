/* trace.h - records what a task sends, receives and waits for (hrun -trace).
 *
 * Records are written to memory that the agent shares (trace_record.h): without a message, a lock,
 * or a system call except for the clock.  When the memory is full, later records are counted and
 * dropped.  Without -trace, task.trace is NULL, and a call costs one branch.
 */
#pragma once

#include "engine/engine.h"
#include "hnow.h"
#include "job/task.h"
#include "protocol/trace_record.h"

/* Maps the memory that HNOW_TRACE_FD names.  NULL: the job is not traced, or the memory is
 * invalid. */
struct trace *trace_open(void);
void trace_close(struct trace *trace);

/* The time when an event begins; 0: it is not traced. */
static inline uint64_t trace_begin(const struct task *t)
{
    return t && t->trace ? engine_now() : 0;
}

/* Records an event from `begun` until now. */
void trace_note(struct task *t, uint64_t begun, enum trace_kind kind, hn_tid peer,
                const hn_info *info, uint64_t number);

/* The same, unless begun is 0. */
static inline void trace_message(struct task *t, uint64_t begun, enum trace_kind kind, hn_tid peer,
                                 const hn_info *info, uint64_t number)
{
    if (begun)
        trace_note(t, begun, kind, peer, info, number);
}

/* A collective operation of the calling thread.  Until trace_leave(), records of its messages
 * contain the name, plan and step.  The strings must live that long. */
struct trace_span {
    uint64_t begun; /* 0: not traced */
    const char *operation, *plan;
    int step;
};
struct trace_span trace_enter(const char *operation, const char *plan);
void trace_step(int step);
/* Adds to the step, which may be negative. */
void trace_step_by(int steps);
void trace_leave(const struct trace_span *span);
