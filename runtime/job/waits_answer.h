/* waits_answer.h - reports to hrun what the threads of this task wait for (waits.h). */
#pragma once

#include "base/pack.h"

struct task;

/* Processes WAITS_ASK: the thread that drives the loop sends the answer. */
void waits_answer(struct task *t, struct unpack *fields);
