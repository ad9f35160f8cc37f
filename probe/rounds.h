/* rounds.h - which pairs of hosts are measured together.
 *
 * In a round every host takes part in one pair at most, so the pairs do not share a host's port;
 * all pairs of n hosts fit into n - 1 rounds (n when n is odd): O(n) steps instead of O(n^2).
 */
#ifndef HNOW_ROUNDS_H
#define HNOW_ROUNDS_H

/* Number of rounds of n hosts; 0 when n < 2. */
int rounds_count(int n);
/* The host's partner in a round, -1 when it has none. */
int rounds_partner(int n, int round, int host);

#endif
