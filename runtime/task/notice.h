/* notice.h - messages of the runtime itself: what hn_notify() has asked for. */
#ifndef HNOW_NOTICE_H
#define HNOW_NOTICE_H

struct task;
struct unpack;

/* A NOTICE frame: becomes a message in this task's inbox. */
void notice_take(struct task *t, struct unpack *fields);

#endif
