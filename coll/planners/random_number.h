/* random_number.h - deterministic random numbers for searches, so that all members of a group find
 * the same plan.
 */
#pragma once

#include <stdint.h>

/* Returns the next number in [0, n), from the upper bits of Knuth's MMIX generator. The caller
 * initializes *state. */
static inline int random_number(uint64_t *state, int n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)n);
}
