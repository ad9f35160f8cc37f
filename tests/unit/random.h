/* random.h - random numbers for property tests: the seed comes from HNOW_SEED or is fixed, is
 * printed when a test fails, and replays the run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t random_seed(void)
{
    const char *seed = getenv("HNOW_SEED");
    return seed ? strtoull(seed, NULL, 10) : 1;
}

/* Does a sanitizer watch, which finds what it finds in the first rounds? Means and spreads of many
 * are not known then. */
static inline bool random_short(void)
{
    return getenv("HNOW_SHORT") != NULL;
}

/* Of so many rounds those that are to be run: an eighth then. */
static inline int random_rounds(int rounds)
{
    return random_short() ? (rounds + 7) / 8 : rounds;
}

/* Of what is gone through one by one, whether this one's turn comes: one in so many then. */
static inline bool random_turn(size_t i, size_t each)
{
    return !random_short() || i % each == 0;
}

/* The next number of a state in [0, n). */
static inline int64_t random_below(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ (*state >> 29);
    return (int64_t)((x * 0x9e3779b97f4a7c15u >> 1) % (uint64_t)n);
}
