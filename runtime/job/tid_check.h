/* tid_check.h - whether a number is a tid, where the program names one (tids.h). */
#pragma once

#include "hnow.h"

struct task;

/* HN_ENOTASK (tid <= 0: HN_EARG) with a text for a number that cannot be a tid: it helps with a
 * rank. */
int tids_refuse(const struct task *t, hn_tid tid);
/* HN_OK when it is the tid of a task of this job, also of one that has ended.  HN_ENOTASK: there
 * was never one of that name.  HN_EARG: tid <= 0.  Blocks for a round
 * trip to hrun where the tid is new.  Without the lock. */
int tids_check(struct task *t, hn_tid tid);
/* The same for whom a message may come from: hosts, too (hn_notify()). */
int tids_source(struct task *t, hn_tid tid);
