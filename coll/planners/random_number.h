/* random_number.h - deterministic random numbers for searches, so that all members of a group find
 * the same plan.
 */
#pragma once

#include <stdint.h>

/* The next number in [0, n). Upper bits of Knuth's MMIX generator. */
static inline int random_number(uint64_t *state, int n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)n);
}
