/* timetable.h - reservations of ports and media: finds the earliest time at which a message can use
 * its route. Times are in ps. Private to gossip and detours.
 */
#pragma once

#include "model/prices.h"

#include "runtime/internal.h"

struct timetable {
    int n;
    int64_t bytes; /* of a typical message, for which times are computed; those of other lengths
                      are interpolated */
    struct prices none, full; /* times for which messages of 0 and `bytes` bytes occupy resources */
    hn_time *start, *each;    /* [from * n + to]: delivery time of an empty message, and the
                                 additional time of `bytes` */
    struct busy *busy;        /* [resource]: reserved intervals */
    struct arena arena;       /* of the arrays */
};

/* Makes an empty timetable for a model and so many messages of `bytes` bytes on average. HN_OK,
 * HN_ENOMEM, or HN_EPLAN if the sum of their times may overflow; call timetable_end() in any case.
 */
int timetable_begin(struct timetable *t, const struct model *model, int64_t bytes,
                    int64_t messages);
void timetable_end(struct timetable *t);
/* Removes all reservations. */
void timetable_clear(struct timetable *t);

/* The earliest time from `at` on at which all resources of a route (edge e = from * n + to) are
 * free for a message. fills: gaps between reservations may be used; else only the time after the
 * last one. */
hn_time timetable_find(const struct timetable *t, int e, int64_t bytes, hn_time at, bool fills);
/* The time at which a message that begins at `begin` has arrived and all its resources are free. */
hn_time timetable_arrival(const struct timetable *t, int e, int64_t bytes, hn_time begin);
/* Reserves the route for a message; false: out of memory. */
bool timetable_reserve(struct timetable *t, int e, int64_t bytes, hn_time begin);
