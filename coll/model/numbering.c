/* numbering.c - open addressing with linear probing.
 *
 * The size is a power of two and at most half of the slots are used, so probes are few and always
 * end. Entries are never removed. */
#include "model/numbering.h"

#include <stdbool.h>
#include <stdlib.h>

/* The slot of a pair, or the free one in which it belongs. */
static size_t slot_of(const struct numbering *n, int a, int b)
{
    uint64_t h = ((uint64_t)(uint32_t)a << 32 | (uint32_t)b) * 0x9e3779b97f4a7c15u;
    size_t at = (h >> 24) & (n->size - 1);
    while (n->slot[at].number >= 0 && (n->slot[at].a != a || n->slot[at].b != b))
        at = (at + 1) & (n->size - 1);
    return at;
}

/* Doubles the table.  On an error the old one stays. */
static bool grow(struct numbering *n)
{
    struct numbering larger = {.size = n->size ? 2 * n->size : 128, .count = n->count};
    larger.slot = malloc(larger.size * sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < larger.size; i++)
        larger.slot[i].number = -1;
    for (size_t i = 0; i < n->size; i++)
        if (n->slot[i].number >= 0)
            larger.slot[slot_of(&larger, n->slot[i].a, n->slot[i].b)] = n->slot[i];
    free(n->slot);
    *n = larger;
    return true;
}

int32_t numbering_of(struct numbering *n, int a, int b)
{
    if (2 * (size_t)n->count >= n->size && !grow(n))
        return -1;
    size_t at = slot_of(n, a, b);
    if (n->slot[at].number < 0) {
        n->slot[at].a = a;
        n->slot[at].b = b;
        n->slot[at].number = n->count++;
    }
    return n->slot[at].number;
}

int32_t numbering_find(const struct numbering *n, int a, int b)
{
    return n->size ? n->slot[slot_of(n, a, b)].number : -1;
}

void numbering_free(struct numbering *n)
{
    free(n->slot);
}
