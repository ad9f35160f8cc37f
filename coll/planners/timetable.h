/* timetable.h - what a message takes of ports and wires, and when all of that is free: private to
 * gossip and detours.
 */
#pragma once

#include "model/prices.h"

#include "runtime/internal.h"

struct timetable {
    int n;
    int64_t bytes;            /* of a middling message: what prices and times are of */
    struct prices none, full; /* what messages of 0 and `bytes` occupy */
    hn_time *start, *each;    /* [from * n + to]: until a message of 0 bytes has arrived, and how
                                 much longer that of `bytes` takes */
    struct busy *busy;        /* [resource] */
    struct arena arena;       /* of the arrays */
};

/* Of a model, in which nothing has been taken. HN_OK or HN_ENOMEM; timetable_end() in every case. */
int timetable_begin(struct timetable *t, const struct model *model, int64_t bytes);
void timetable_end(struct timetable *t);
/* Nothing is taken any more. */
void timetable_clear(struct timetable *t);

/* When all that the way `e` (from * n + to) takes is free for so many bytes, from a time on; fills:
 * also between messages that have been put on it. */
hn_time timetable_earliest(const struct timetable *t, int e, int64_t bytes, hn_time at, bool fills);
/* When a message that begins at a time has arrived, and has left all that it takes. */
hn_time timetable_arrival(const struct timetable *t, int e, int64_t bytes, hn_time begin);
/* Takes the way for a message; false: out of memory. */
bool timetable_reserve(struct timetable *t, int e, int64_t bytes, hn_time begin);
