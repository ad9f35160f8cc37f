/* stall.h - describes where a job hangs.  No I/O.
 *
 *     ranks 0-6: in allreduce (number 12 of its group), step 3: receive from rank 7, for 12 s
 *     rank 7: computes (not inside hnow)
 *
 * Tasks that wait for the same thing share a line.  If that still gives many lines, tasks in the
 * same operation share one, whatever their step and peer.  Members of a group whose n-th operations
 * differ will never match.  That is reported, too.
 *
 * Cost: O(waits * lines).
 *
 * Only the text is made here; job_stall.c asks the tasks and prints.
 */
#pragma once

#include "protocol/control.h"

/* A rank, the tid of a spawned task + STALL_TID, STALL_ANYONE, or STALL_NOBODY. */
typedef int64_t stall_name;
#define STALL_TID    ((stall_name)1 << 32)
#define STALL_ANYONE ((stall_name)-1)
#define STALL_NOBODY ((stall_name)-2)

/* Lines of a report above which tasks are grouped more coarsely: half the height of a terminal. */
enum { STALL_LINES = 12 };

/* States of a task other than waits. */
enum stall_kind {
    STALL_COMPUTES = 100,
    STALL_STRANGER, /* it has not enrolled */
    STALL_LEFT,     /* it has called hn_exit() */
    STALL_SILENT    /* it has not answered */
};

/* What one thread of a task waits for, or the state of a task.  The strings belong to the
 * caller. `said` is used by the report only. */
struct stall_wait {
    stall_name who;
    unsigned kind; /* enum control_wait or enum stall_kind; only the former uses the other fields */
    stall_name peer;
    uint32_t tag, context, milliseconds;
    char *operation;       /* "": none */
    char *question;        /* the question that hrun has not answered; "" or NULL: unknown */
    uint32_t number, step; /* of the operation */
    bool said;
};

/* Calls say() for every line.  Sorts the list, which may contain several entries for a task
 * (threads).  HN_OK or HN_ENOMEM. */
int stall_report(struct stall_wait *waits, size_t n, void (*say)(void *user, const char *line),
                 void *user);
