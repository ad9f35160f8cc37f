/* trace.h - a task notes what it sends, receives and waits for (hrun -trace).
 *
 * Records go to memory that the agent shares (trace_record.h): no message, no lock and no system
 * call but the clock's.  When the room is used up, later records are counted and dropped.  Without
 * -trace task.trace is NULL, and a call costs the branch that sees it.
 */
#pragma once

#include "engine/engine.h"
#include "hnow.h"
#include "job/task.h"
#include "protocol/trace_record.h"

/* Maps the memory that HNOW_TRACE_FD names; NULL: this job is not traced, or that is not possible.
 */
struct trace *trace_open(void);
void trace_close(struct trace *trace);

/* When something begins: 0 when nothing is to be noted. */
static inline uint64_t trace_begin(const struct task *t)
{
    return t && t->trace ? engine_now() : 0;
}

void trace_note(struct task *t, uint64_t begun, enum trace_kind kind, hn_tid peer,
                const hn_info *info, uint64_t number);

/* Notes what began then and ends now; nothing when begun is 0. */
static inline void trace_message(struct task *t, uint64_t begun, enum trace_kind kind, hn_tid peer,
                                 const hn_info *info, uint64_t number)
{
    if (begun)
        trace_note(t, begun, kind, peer, info, number);
}

/* A collective operation of the calling thread: until trace_leave() its messages carry name, plan
 * and step.  The texts must live so long. */
struct trace_span {
    uint64_t begun; /* 0: not traced */
    const char *operation, *plan;
    int step;
};
struct trace_span trace_enter(const char *operation, const char *plan);
void trace_step(int step);
/* So many steps further on (back). */
void trace_step_by(int steps);
void trace_leave(const struct trace_span *span);
