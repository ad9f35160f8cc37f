/* busy.h - the intervals in which a port or a medium is reserved: private to timetable.c. Times are
 * in ps. */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

/* Disjoint intervals in ascending order; adjacent ones are merged. A zeroed struct has none. */
struct busy {
    struct busy_span {
        hn_time begin, end;
    } * span;
    int count, room;
};

/* The earliest time from `at` on at which an interval of this length is free. O(log n), and O(1)
 * for each interval that is skipped. */
hn_time busy_until(const struct busy *b, hn_time at, hn_time length);
/* The end of the last reservation; 0: there is none. */
hn_time busy_last(const struct busy *b);
/* Reserves an interval, which must be free; false: out of memory. */
bool busy_add(struct busy *b, hn_time begin, hn_time length);
void busy_end(struct busy *b);
