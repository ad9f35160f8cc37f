/* match_index.h - finds entries of a long queue by sender, tag and context.
 *
 * The queues of match.h are lists in order of time, which are searched from their heads.  After a
 * search that has passed MATCH_INDEX_LONG entries, a queue gets an index: a hash table.  Its
 * buckets are lists in order of time, too.  A search without wildcards then looks at one bucket.
 * Entries with wildcards have a bucket of their own.  Short queues have no index and no cost.
 */
#pragma once

#include "hnow.h"
#include "base/list.h"

#include <stdbool.h>

enum {
    MATCH_INDEX_LONG = 64, /* entries; a search of so many takes as long as some small messages */
    MATCH_INDEX_BITS = 14, /* 256 KiB; as many messages as an inbox holds are some 20 a bucket */
    MATCH_INDEX_BUCKETS = 1 << MATCH_INDEX_BITS
};

/* One for each queue.  All zeros: the queue has no index. */
struct match_index {
    struct list_node *buckets; /* the last one is for entries with wildcards */
};

/* Makes an index without entries, unless there is one.  False: out of memory, or there was one. */
bool match_index_make(struct match_index *x);
void match_index_free(struct match_index *x);
/* The bucket for these values, which may be HN_ANY.  The index must have been made. */
struct list_node *match_index_bucket(const struct match_index *x, hn_tid from, int tag,
                                     hn_context context);

static inline bool match_index_is_exact(hn_tid from, int tag)
{
    return from != HN_ANY && tag != HN_ANY;
}

/* The bucket for entries with wildcards. */
static inline struct list_node *match_index_wild(const struct match_index *x)
{
    return &x->buckets[MATCH_INDEX_BUCKETS];
}
