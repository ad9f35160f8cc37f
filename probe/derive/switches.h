/* switches.h - subnets that hold several switches.
 *
 * Hosts of two switches that are joined by a cable, or of racks, are often as near to each other as
 * to their neighbours; what parts them shows only when many exchange messages at once.
 */
#pragma once

#include <stdint.h>

/* slow[a * n + b], symmetric: how many times longer than alone exchanges between two hosts took
 * while all others exchanged, too, in the mean; 0: unknown.  Joins the hosts that are quick with
 * each other (average linkage) and takes the division whose parts differ most.  rack[host] is
 * numbered by the smallest member; returns the number of racks, 1 where there is no division worth
 * a test, or HN_ENOMEM. */
int switches_divide(int n, const double *slow, int *rack);

/* Hosts of one subnet whose label[host] differs come apart; a host without one (negative) goes with
 * the nearest, by cost[a * n + b], that has one.  Renumbers subnet_of and returns the number of
 * subnets. */
int switches_split(int n, const int64_t *cost, const int *label, int *subnet_of);
