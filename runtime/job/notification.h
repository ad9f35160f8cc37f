/* notification.h - messages that the runtime sends at the program's request (hn_notify()). */
#pragma once

#include "hnow.h"

struct task;
struct unpack;

/* Processes a NOTIFICATION frame.  It becomes a message in this task's inbox, behind everything
 * that the ended task has sent. */
void notification_receive(struct task *t, struct unpack *fields);
/* Nothing more will arrive from a task, or (the tid of a host) from the tasks there: delivers the
 * notifications that waited for that. */
void notification_release(struct task *t, hn_tid who);
/* Drops the notifications that wait. */
void notification_clear(struct task *t);
