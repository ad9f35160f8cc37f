/* timed.h - sorting by time.
 *
 * Among equal times the lower number comes first. So the result does not depend on the C library's
 * qsort(), and all members of a group make the same plan.
 */
#pragma once

#include "hnow_net.h"

/* Structs whose first member is a struct timed can be sorted by these functions, too. */
struct timed {
    hn_time time;
    int number; /* of a rank, a message, a step ... */
};

/* For qsort(). */
static inline int timed_ascending(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->number - y->number;
}

/* The longest time first. */
static inline int timed_descending(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time ? -1 : 1) : x->number - y->number;
}
