/* numbering.h - assigns numbers 0, 1, ... to pairs of integers, in the order of their first use.
 *
 * A hash table with open addressing, at most half full; expected O(1).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct numbering {
    struct {
        int a, b;
        int32_t number; /* -1: an empty slot */
    } * slot;
    size_t size; /* 0 or a power of two */
    int32_t count;
};

/* The number of a pair. A new pair gets `count`, which grows by one. -1: out of memory. */
int32_t numbering_of(struct numbering *numbering, int a, int b);
/* The number of a pair; -1: it has none. */
int32_t numbering_find(const struct numbering *numbering, int a, int b);
void numbering_free(struct numbering *numbering);
