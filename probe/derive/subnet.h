/* subnet.h - which hosts are near each other: ECO's partition of hosts into subnets. */
#pragma once

#include <stdint.h>

/* Partitions n hosts by the costs of messages between them (Lowekamp and Beguelin, Figure 2).
 * cost[i * n + j] is the cost of a message from i to j, not negative, at most INT64_MAX / 2; a pair
 * counts with the mean of its directions; the diagonal is not looked at.  tolerance is in
 * millionths (ECO: 200000), 0 ... 10^9.  subnet_of[i] becomes the subnet of host i; subnets are
 * numbered by their smallest member.
 *
 * Returns their number, or HN_ENOMEM.  O(n^2 log n). */
int subnet_partition(int n, const int64_t *cost, int64_t tolerance, int *subnet_of);
/* The same for one-way times in nanoseconds that were measured: on a fast network what schedulers
 * and other programs do to a message differs by more than the tolerance, so all times count as if
 * they were 20 us longer. */
int subnet_partition_measured(int n, const int64_t *ns, int64_t tolerance, int *subnet_of);

/* Joins subnets whose hosts are on one wire but differ in what they themselves take for a message,
 * which ECO's rule takes apart.  own[i] is what the sends and receives of host i take (as much as
 * of them is known; 0: unknown).  subnet_of is as subnet_partition() left it.  Returns the number
 * of subnets, or HN_ENOMEM.  O(n^3). */
int subnet_merge(int n, const int64_t *cost, const int64_t *own, int64_t tolerance, int *subnet_of);
