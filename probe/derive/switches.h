/* switches.h - detects several switches in one subnet.
 *
 * Hosts of two switches joined by a cable, or of two racks, are often as near to each other as to
 * their neighbours.  The difference shows only while many hosts exchange messages at once.
 */
#pragma once

#include <stdint.h>

/* Divides the hosts of a subnet into racks. slow[a * n + b], symmetric, is the mean factor by which
 * exchanges of two hosts slow down while all others exchange, too; 0: unknown.  Joins hosts that
 * are fast with each other (average linkage) and takes the division with the largest difference.
 * rack[host] is numbered by the smallest member.  Returns the number of racks, 1 if no division is
 * worth a test, or HN_ENOMEM. */
int switches_divide(int n, const double *slow, int *rack);

/* Splits subnets whose hosts have different label[host].  A host without a label (negative) joins
 * the nearest one, by cost[a * n + b], that has one.  Renumbers subnet_of and returns the number of
 * subnets. */
int switches_split(int n, const int64_t *cost, const int *label, int *subnet_of);
