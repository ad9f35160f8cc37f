/* rounds.h - which pairs of hosts are measured together.
 *
 * In a round every host takes part in one pair at most, so the pairs do not share a host's port;
 * all pairs of n hosts fit into n - 1 rounds (n when n is odd): O(n) steps instead of O(n^2).
 */
#pragma once

#include <stdbool.h>

/* Number of rounds of n hosts; 0 when n < 2. */
int rounds_count(int n);
/* The host's partner in a round, -1 when it has none. */
int rounds_partner(int n, int round, int host);

struct rounds_pair {
    int from, to;
    bool taken; /* by a round before */
};

/* The next round of some pairs (not all need be there): fills chosen with the places of pairs that
 * are not taken, marks these taken and returns their number; 0 when all are.  In a round no host
 * is in two pairs, and no two pairs lie between the same two groups, because they may share a link;
 * group[host] is 0 ... n-1.  busy is scratch memory, rounds_scratch(n) numbers, 0 at
 * first. */
#define rounds_scratch(n) ((size_t)(n) * (size_t)(n) + (size_t)(n) + 1)
int rounds_next(struct rounds_pair *pair, int count, int n, const int *group, int *busy,
                int *chosen);
/* The hosts of `count` pairs in other pairs, as far as they find one of their own part among them:
 * pairs within parts, to compare with those across.  Their number.  count is at most
 * SWITCH_HOSTS_MOST / 2. */
int rounds_within(const int *from, const int *to, int count, const int *part, int *first,
                  int *second);
