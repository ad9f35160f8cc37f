/* subnet.h - ECO's partition of hosts into subnets by distance. */
#pragma once

#include <stdint.h>

/* Partitions n hosts by the costs of messages between them (Lowekamp and Beguelin, Figure 2).
 * cost[i * n + j] is the cost from i to j, 0 ... INT64_MAX / 2.  A pair counts with the mean of
 * both directions; the diagonal is ignored. tolerance is in millionths, 0 ... 10^9 (ECO: 200000).
 * subnet_of[i] becomes the subnet of host i; subnets are numbered by their smallest member.
 *
 * Returns the number of subnets, or HN_ENOMEM.  O(n^2 log n). */
int subnet_partition(int n, const int64_t *cost, int64_t tolerance, int *subnet_of);
/* The same for measured one-way times in nanoseconds.  On a fast network the noise of schedulers
 * and other programs exceeds the tolerance, so 20 us are added to all times. */
int subnet_partition_measured(int n, const int64_t *ns, int64_t tolerance, int *subnet_of);

/* Joins subnets whose hosts share a wire but differ in their own time for a message: ECO's rule
 * separates them. own[i] is the time of sends and receives of host i, as far as known; 0: unknown.
 * subnet_of is the result of subnet_partition().  Returns the number of subnets, or HN_ENOMEM.
 * O(n^3). */
int subnet_merge(int n, const int64_t *cost, const int64_t *own, int64_t tolerance, int *subnet_of);
