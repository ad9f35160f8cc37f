/* timed.h - sorting by times.
 *
 * Among equal times the lower number comes first, so that all members make the same plan whatever
 * the sorting algorithm of their C library is.
 */
#pragma once

#include "hnow_net.h"

/* Structs that begin with one are sorted by it, too. */
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
