/* tid_check.h - validates tids that the program passes (tids.h). */
#pragma once

#include "hnow.h"

struct task;

/* The name of its host, for error texts; "?": unknown. */
const char *tids_host(hn_tid tid);
/* Returns HN_ENOTASK (tid <= 0: HN_EARG) with a text for a number that cannot be a tid.  The text
 * has a hint if the number is a rank. */
int tids_refuse(const struct task *t, hn_tid tid);
/* HN_OK if it is the tid of a task of this job, running or ended.  HN_ENOTASK: there was never such
 * a task.  HN_EARG: tid <= 0.  Blocks for a round trip to hrun if the tid is unknown.  Without the
 * lock. */
int tids_check(struct task *t, hn_tid tid);
/* The same for a sender of messages, which may also be a host (hn_notify()). */
int tids_source(struct task *t, hn_tid tid);
