/* pairs.c - the table of costs by (from, to).
 *
 * Linear probing. Entries are never removed one by one, so no slot is marked as deleted: a search
 * ends at the first empty slot. At most half of the slots are used. So a search takes 1.5 steps on
 * average, 2.5 for an absent pair (Knuth, volume 3, section 6.4).
 */
#include "net/pairs.h"
#include "runtime/internal.h"

#include <stdlib.h>

/* The multiplier is 2^64 divided by the golden ratio (Knuth, volume 3, section 6.4): its upper bits
 * spread consecutive numbers of hosts evenly. */
static struct pair *find_slot(struct pair *slot, size_t size, int from, int to)
{
    uint64_t hash = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9e3779b97f4a7c15);
    /* The size is a power of two, so a mask replaces the remainder. */
    size_t at = (size_t)(hash >> 32) & (size - 1);
    while (slot[at].from >= 0 && (slot[at].from != from || slot[at].to != to))
        at = (at + 1) & (size - 1);
    return &slot[at];
}

/* Doubles the table.  On an error the old one stays. */
static int pairs_grow(struct pairs *pairs)
{
    size_t size = pairs->size ? 2 * pairs->size : 16;
    /* malloc() and a loop: only `from` needs a value in an empty slot. */
    struct pair *slot = size <= SIZE_MAX / sizeof *slot ? malloc(size * sizeof *slot) : NULL;
    if (!slot)
        return error_set(HN_ENOMEM, "no memory for the costs of %d pairs", pairs->used + 1);
    for (size_t i = 0; i < size; i++)
        slot[i].from = -1;
    for (size_t i = 0; i < pairs->size; i++)
        if (pairs->slot[i].from >= 0)
            *find_slot(slot, size, pairs->slot[i].from, pairs->slot[i].to) = pairs->slot[i];
    free(pairs->slot);
    pairs->slot = slot;
    pairs->size = size;
    return HN_OK;
}

/* At most half of the slots are used.  An entry that is set again keeps its number. The pointer of
 * an earlier pairs_find() is invalid after growing. */
int pairs_set(struct pairs *pairs, int from, int to, hn_pair_cost cost, hn_per_byte wire)
{
    if (2 * ((size_t)pairs->used + 1) > pairs->size) {
        int code = pairs_grow(pairs);
        if (code < 0)
            return code;
    }
    struct pair *slot = find_slot(pairs->slot, pairs->size, from, to);
    int number = slot->from >= 0 ? slot->number : pairs->used++;
    *slot = (struct pair){.from = from, .to = to, .number = number, .cost = cost, .wire = wire};
    return HN_OK;
}

const struct pair *pairs_find(const struct pairs *pairs, int from, int to)
{
    /* An empty table has no slots to search. */
    if (!pairs->used)
        return NULL;
    const struct pair *slot = find_slot(pairs->slot, pairs->size, from, to);
    return slot->from >= 0 ? slot : NULL;
}

/* qsort() compares pointers to entries, since entries may not move. */
static int by_from_and_to(const void *a, const void *b)
{
    const struct pair *x = *(const struct pair *const *)a, *y = *(const struct pair *const *)b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

const struct pair **pairs_sorted(const struct pairs *pairs)
{
    const struct pair **sorted = pairs->used ? malloc((size_t)pairs->used * sizeof *sorted) : NULL;
    if (!sorted)
        return NULL;
    size_t n = 0;
    for (size_t i = 0; i < pairs->size; i++)
        if (pairs->slot[i].from >= 0)
            sorted[n++] = &pairs->slot[i];
    qsort(sorted, n, sizeof *sorted, by_from_and_to);
    return sorted;
}

/* A hole in an open-addressed table would cut off entries behind it, so all entries are
 * reinserted. */
int pairs_remove_member(struct pairs *pairs, int gone)
{
    /* A new table: nothing of the old one is changed until all entries are in it. Numbers of
     * entries are given again, in the order of the slots. */
    struct pairs kept = {0};
    int code = HN_OK;
    for (size_t i = 0; code == HN_OK && i < pairs->size; i++) {
        const struct pair *pair = &pairs->slot[i];
        if (pair->from < 0 || pair->from == gone || pair->to == gone)
            continue;
        /* Numbers above the removed one are lowered. */
        code = pairs_set(&kept, pair->from - (pair->from > gone), pair->to - (pair->to > gone),
                         pair->cost, pair->wire);
    }
    if (code < 0) {
        pairs_free(&kept);
        return code;
    }
    pairs_free(pairs);
    *pairs = kept;
    return HN_OK;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->slot);
    *pairs = (struct pairs){0};
}
