/* site.h - groups subnets into sites, the level above subnets. */
#pragma once

#include <stdint.h>

/* Groups the subnets group[host] (0 ... groups-1) into sites by distance, not by rate. cost[i * n +
 * j] is the time of a single byte in nanoseconds. site_of[group] is numbered in the order of the
 * groups.  Returns the number of sites, or HN_ENOMEM.  O(n^2 + groups^2 log groups). */
int site_partition(int n, const int64_t *cost, int groups, const int *group, int *site_of);
