/* notice.h - messages of the runtime itself: what hn_notify() has asked for. */
#ifndef HNOW_NOTICE_H
#define HNOW_NOTICE_H

#include "hnow.h"

struct task;
struct unpack;

/* A NOTICE frame: becomes a message in this task's inbox, behind all that its task has sent. */
void notice_take(struct task *t, struct unpack *fields);
/* Nothing more comes from a task, or (the tid of a host) from the tasks there. */
void notice_release(struct task *t, hn_tid who);
/* Forgets those that wait. */
void notice_clear(struct task *t);

#endif
