/* order.h - the order of cases, shuffled from a seed.
 *
 * What disturbs a machine comes and goes; cases that are measured one after the other would each
 * get another share of it.  So every case is measured in several rounds, and each round takes the
 * cases in another order (as reprompi does).  Equal seeds give equal orders on every machine.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* order[0 ... n-1]: a permutation of 0 ... n-1, all equally likely (Fisher and Yates). */
void order_shuffle(size_t *order, size_t n, uint64_t *state);
