/* busy.h - when a port or a wire is taken, and when it is free: private to ways. */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

/* Spans of time in their order; neighbours do not touch. Zeros: always free. */
struct busy {
    struct busy_span {
        hn_time begin, end;
    } * span;
    int count, room;
};

/* The first time from `at` on from which it is free for so long. */
hn_time busy_until(const struct busy *b, hn_time at, hn_time length);
/* From when on nothing has taken it yet. */
hn_time busy_last(const struct busy *b);
/* Takes it for a time in which it is free; false: out of memory. */
bool busy_add(struct busy *b, hn_time begin, hn_time length);
void busy_end(struct busy *b);
