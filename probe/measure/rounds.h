/* rounds.h - schedules pairs of hosts into rounds that are measured together.
 *
 * In a round every host takes part in at most one pair, so pairs do not share a host's port.  All
 * pairs of n hosts fit in n - 1 rounds (n if n is odd): O(n) steps instead of O(n^2).
 */
#pragma once

#include <stdbool.h>

/* Number of rounds of n hosts; 0 if n < 2. */
int rounds_count(int n);
/* The host's partner in a round; -1: none. */
int rounds_partner(int n, int round, int host);

struct rounds_pair {
    int from, to;
    bool taken; /* by an earlier round */
};

/* Chooses the next round from a list of pairs.  Stores the indices of chosen pairs, marks them
 * taken and returns their number; 0: all are taken.  In a round no host is in two pairs, and no two
 * pairs are between the same two groups, because they may share a link. group[host] is 0 ... n-1.
 * busy is scratch memory of rounds_scratch(n) numbers, initially 0. */
#define rounds_scratch(n) ((size_t)(n) * (size_t)(n) + (size_t)(n) + 1)
int rounds_next(struct rounds_pair *pair, int count, int n, const int *group, int *busy,
                int *chosen);
/* Pairs the hosts of `count` pairs anew, within their own parts where possible, for comparison with
 * the pairs across.  Returns the number of new pairs. count is at most SWITCH_HOSTS_MOST / 2. */
int rounds_within(const int *from, const int *to, int count, const int *part, int *first,
                  int *second);
