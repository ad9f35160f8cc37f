/* pairs.h - a hash table of costs by (from, to), for what a model defines pair by pair.
 *
 * Open addressing, at most half full, expected O(1).  Memory grows with the entries, not with the
 * number of hosts squared: 10^5 hosts in a few subnets need none. Pairs are ordered: (a, b) and (b,
 * a) are two entries. The table owns nothing but its slots. Entries move when it grows, so a
 * pointer to one is valid only until the next pairs_set().
 */
#pragma once

#include "hnow_net.h"

/* One slot. The number identifies a link's channel (hn_net_way()), so it must not depend on the
 * hash. */
struct pair {
    int from, to; /* from is -1 in an empty slot */
    int number;   /* 0, 1, ... in the order of insertion */
    hn_pair_cost cost;
    hn_per_byte wire; /* of a link that transfers share; 0: not shared */
};

/* All zero is an empty table, which needs no memory. */
struct pairs {
    struct pair *slot;
    size_t size; /* 0 or a power of two */
    int used;
};

/* Inserts or replaces a cost.  Returns HN_OK or HN_ENOMEM. */
int pairs_set(struct pairs *pairs, int from, int to, hn_pair_cost cost, hn_per_byte wire);
/* NULL: no entry. */
const struct pair *pairs_find(const struct pairs *pairs, int from, int to);
/* Returns all entries, ordered by from, then to.  The caller frees the array of pairs->used
 * pointers.  NULL: out of memory, or no entries. */
const struct pair **pairs_sorted(const struct pairs *pairs);
/* Removes all pairs with member `gone` and decrements the numbers above it.  Returns HN_OK or
 * HN_ENOMEM. */
int pairs_remove_member(struct pairs *pairs, int gone);
void pairs_free(struct pairs *pairs);
