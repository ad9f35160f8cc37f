/* order.h - shuffles the order of cases from a seed.
 *
 * Disturbances of a machine come and go; cases measured one after the other would each get a
 * different share.  So every case is measured in several rounds, and each round takes the cases in
 * another order (as reprompi does).  Equal seeds give equal orders on every machine.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* order[0 ... n-1] becomes a uniformly random permutation of 0 ... n-1 (Fisher and Yates). */
void order_shuffle(size_t *order, size_t n, uint64_t *state);
