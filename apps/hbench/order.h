/* order.h - shuffles the order of cases from a seed.
 *
 * Disturbances of a machine come and go; cases measured one after the other would each get a
 * different share.  So every case is measured in several rounds, and each round takes the cases in
 * another order (as reprompi does).  Equal seeds give equal orders on every machine.
 *
 * The generator is splitmix64, whose state is the seed itself. Its bytes do not depend on the
 * machine, so a run can be repeated elsewhere in the same order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* order[0 ... n-1] becomes a uniformly random permutation of 0 ... n-1 (Fisher and Yates). */
void order_shuffle(size_t *order, size_t n, uint64_t *state);

/* Round `round` (0 ...) of `rounds`: calls take() for each of n cases in random order, until one
 * fails.  Prints the number of the round if stderr is a terminal.  Returns false after printing an
 * error. */
bool order_round(int64_t round, int64_t rounds, size_t n, uint64_t *state,
                 bool (*take)(void *data, size_t which), void *data);
