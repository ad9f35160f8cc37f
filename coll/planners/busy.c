/* busy.c - disjoint intervals; adjacent ones are merged (busy.h).
 *
 * Reservations of a busy resource are mostly adjacent, so merging keeps the array short, and a
 * search for a gap skips many reservations at once. */
#include "planners/busy.h"

#include "model/array_grow.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first interval that ends after a time; b->count: none. */
static int first_behind(const struct busy *b, hn_time at)
{
    int low = 0, high = b->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (b->span[middle].end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

hn_time busy_until(const struct busy *b, hn_time at, hn_time length)
{
    if (length == 0)
        return at;
    /* A gap between two intervals is too short if the next one begins before the end. */
    for (int i = first_behind(b, at); i < b->count && b->span[i].begin < at + length; i++)
        at = b->span[i].end;
    return at;
}

hn_time busy_last(const struct busy *b)
{
    return b->count > 0 ? b->span[b->count - 1].end : 0;
}

/* Inserts an interval before the one at `place`; false: out of memory. */
static bool insert(struct busy *b, int place, struct busy_span span)
{
    if (!ARRAY_GROW(b->span, b->count, b->room, 8))
        return false;
    memmove(&b->span[place + 1], &b->span[place], (size_t)(b->count - place) * sizeof *b->span);
    b->span[place] = span;
    b->count++;
    return true;
}

bool busy_add(struct busy *b, hn_time begin, hn_time length)
{
    struct busy_span span = {begin, begin + length};
    int next = first_behind(b, begin);
    bool before = next > 0 && b->span[next - 1].end == span.begin;
    bool after = next < b->count && b->span[next].begin == span.end;
    if (length == 0)
        return true;
    /* The new interval closes the gap between two others. */
    if (before && after) {
        b->span[next - 1].end = b->span[next].end;
        b->count--;
        memmove(&b->span[next], &b->span[next + 1], (size_t)(b->count - next) * sizeof *b->span);
    } else if (before) {
        b->span[next - 1].end = span.end;
    } else if (after) {
        b->span[next].begin = span.begin;
    } else {
        return insert(b, next, span);
    }
    return true;
}

void busy_end(struct busy *b)
{
    free(b->span);
}
