/* waits_answer.h - telling hrun what the threads of this task wait for (waits.h). */
#pragma once

#include "base/pack.h"

struct task;

/* hrun asks (WAITS_ASK): the answer is sent by whoever drives the loop. */
void waits_answer(struct task *t, struct unpack *fields);
