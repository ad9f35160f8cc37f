/* others.h - processes hrun's reports about other tasks. */
#pragma once

#include "base/pack.h"

#include <stdbool.h>

struct peer;
struct task;

/* Process frames: the answer to a LOOKUP; a task has ended; the job has more tasks than the
 * world. */
void others_address(struct task *t, struct unpack *u);
void others_end(struct task *t, struct unpack *u);
void others_grown(struct task *t, struct unpack *u);
/* Receives messages that a task sent before it ended (undelivered.h). */
void others_undelivered(struct task *t, struct unpack *u);
/* Whether every other task has ended and everything it sent has been read.  Other tasks are those
 * of the world, or of the whole job once it has grown. */
bool others_ended(struct task *t);
/* Nothing more will arrive from p: fails what waits for it. */
void others_over(struct peer *p, int result);
