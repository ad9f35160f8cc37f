/* notification.h - messages of the runtime itself: what hn_notify() has asked for. */
#pragma once

#include "hnow.h"

struct task;
struct unpack;

/* A NOTICE frame: becomes a message in this task's inbox, behind all that its task has sent. */
void notification_receive(struct task *t, struct unpack *fields);
/* Nothing more comes from a task, or (the tid of a host) from the tasks there. */
void notification_release(struct task *t, hn_tid who);
/* Forgets those that wait. */
void notification_clear(struct task *t);
