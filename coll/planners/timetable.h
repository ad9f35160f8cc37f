/* timetable.h - reservations of ports and media: the earliest time at which a message can use its
 * route. Private to gossip and detours.
 */
#pragma once

#include "model/prices.h"

#include "runtime/internal.h"

struct timetable {
    int n;
    int64_t bytes; /* of a typical message, for which prices and times are computed; others are
                      interpolated */
    struct prices none, full; /* times for which messages of 0 and `bytes` bytes occupy resources */
    hn_time *start, *each;    /* [from * n + to]: delivery time of an empty message, and how much
                                 longer that of `bytes` takes */
    struct busy *busy;        /* [resource]: reserved intervals */
    struct arena arena;       /* of the arrays */
};

/* An empty timetable for a model. HN_OK or HN_ENOMEM; call timetable_end() in either case. */
int timetable_begin(struct timetable *t, const struct model *model, int64_t bytes);
void timetable_end(struct timetable *t);
/* Removes all reservations. */
void timetable_clear(struct timetable *t);

/* The earliest time from `at` on at which all resources of a route (edge e = from * n + to) are
 * free for a message. fills: gaps between earlier reservations count, too. */
hn_time timetable_find(const struct timetable *t, int e, int64_t bytes, hn_time at, bool fills);
/* The time at which a message that begins at `begin` has arrived and left all its resources. */
hn_time timetable_arrival(const struct timetable *t, int e, int64_t bytes, hn_time begin);
/* Reserves the route for a message; false: out of memory. */
bool timetable_reserve(struct timetable *t, int e, int64_t bytes, hn_time begin);
