/* others.h - what hrun says of the other tasks, and what follows from it. */
#pragma once

#include "base/pack.h"

#include <stdbool.h>

struct peer;
struct task;

/* Frames: the answer to a LOOKUP; a task has ended; the job has more tasks than the world. */
void others_address(struct task *t, struct unpack *u);
void others_end(struct task *t, struct unpack *u);
void others_grown(struct task *t, struct unpack *u);
/* Takes messages that a task sent before it ended (undelivered.h). */
void others_undelivered(struct task *t, struct unpack *u);
/* Whether every other task has ended and all it sent has been read: those of the world, or of the
 * whole job once it has grown. */
bool others_ended(struct task *t);
/* Nothing more will arrive from p: all that wait for it are notified. */
void others_over(struct peer *p, int result);
