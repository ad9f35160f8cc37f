/* match_index.c - the hash table of a long queue (match_index.h). */
#include "match/match_index.h"

#include <stdint.h>
#include <stdlib.h>

bool match_index_make(struct match_index *x)
{
    if (x->buckets)
        return false;
    x->buckets = malloc((MATCH_INDEX_BUCKETS + 1) * sizeof *x->buckets);
    for (int i = 0; x->buckets && i <= MATCH_INDEX_BUCKETS; i++)
        list_init(&x->buckets[i]);
    return x->buckets;
}

void match_index_free(struct match_index *x)
{
    free(x->buckets);
    x->buckets = NULL;
}

/* Fibonacci hashing: consecutive tags, and consecutive tids, are spread over all buckets.  The
 * factors are 2^64 divided by the golden ratio, and the same for 2^32. */
struct list_node *match_index_bucket(const struct match_index *x, hn_tid from, int tag,
                                     hn_context context)
{
    uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)tag;

    if (!match_index_is_exact(from, tag))
        return match_index_wild(x);
    key = (key ^ (uint64_t)(uint32_t)context * 0x9e3779b1u) * 0x9e3779b97f4a7c15u;
    return &x->buckets[key >> (64 - MATCH_INDEX_BITS)];
}
