/* step.h - an order of the leading task to another one: what to do next. Steps are sent between
 * measurements, never during one. A task that has sent or received a step knows exactly which
 * function the other side calls next; there is no other synchronisation. */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

enum { STEP_END = -1 };

/* Sent as HN_INT64, so that any two machines agree.  A benchmark uses the fields that it needs. */
struct step {
    int64_t what; /* the benchmark's own code, or STEP_END */
    int64_t wire, bytes, window;
    int64_t warm, count; /* discarded samples, samples */
};

/* Return false after printing an error. step_receive() blocks. */
bool step_send(hn_tid to, const struct step *s);
bool step_receive(hn_tid from, struct step *s);
/* Serves the leading task's steps until STEP_END. */
bool step_follow(hn_tid leader, bool (*serve)(void *data, const struct step *s), void *data);
/* Task 0: sends to all others. */
bool step_send_all(const struct step *s);
