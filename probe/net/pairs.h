/* pairs.h - a table of costs by (from, to), for what a model states pair by pair.
 *
 * Open addressing, at most half full, expected O(1); memory for what is stated only, so that 10^5
 * hosts in a few subnets cost nothing here.
 */
#pragma once

#include "hnow_net.h"

struct pair {
    int from, to; /* from is -1 in an empty slot */
    int number;   /* 0, 1, ... in the order of first statement */
    hn_pair_cost cost;
    hn_per_byte wire; /* of a link that transfers share; 0: they share nothing */
};

struct pairs {
    struct pair *slot;
    size_t size; /* 0 or a power of two */
    int used;
};

/* States a cost, replacing what was there: HN_OK or HN_ENOMEM. */
int pairs_set(struct pairs *pairs, int from, int to, hn_pair_cost cost, hn_per_byte wire);
/* NULL: nothing stated. */
const struct pair *pairs_find(const struct pairs *pairs, int from, int to);
/* All that is stated, ordered by from, then to; the caller frees the array of pairs->used
 * pointers.  NULL: out of memory, or nothing stated. */
const struct pair **pairs_sorted(const struct pairs *pairs);
/* Forgets all pairs with a member gone and lowers the numbers above it by one. */
int pairs_remove_member(struct pairs *pairs, int gone);
void pairs_free(struct pairs *pairs);
