/* step.h - what the leading task tells another one to do next. */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

enum { STEP_END = -1 };

/* Travels as HN_INT64, so that any two machines agree.  A benchmark uses what it needs of it. */
struct step {
    int64_t what; /* the benchmark's own number, or STEP_END */
    int64_t wire, bytes, window;
    int64_t warm, count; /* samples that are thrown away, samples */
};

/* False: failed, and said why.  hear blocks. */
bool step_tell(hn_tid to, const struct step *s);
bool step_hear(hn_tid from, struct step *s);
/* Serves the leading task's steps until it ends them. */
bool step_follow(hn_tid leader, bool (*serve)(void *data, const struct step *s), void *data);
/* Task 0: to all others. */
bool step_tell_all(const struct step *s);
