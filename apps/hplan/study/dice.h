/* dice.h - seeded random numbers that are equal on every machine: integers only. */
#pragma once

#include "probe/internal.h"
#include "apps/splitmix.h"

#include <stdint.h>

/* Equal on every machine, since only integers of 64 bits are used; not for cryptography. */
struct dice {
    uint64_t state;
};

/* The next 64 bits. */
static inline uint64_t dice_next(struct dice *dice)
{
    return splitmix_next(&dice->state);
}

/* A uniform number in low ... high (within 2^-64 of the span). The upper half of a product (Lemire)
 * needs no division. high - low must be below 2^64 - 1. */
static inline int64_t dice_range(struct dice *dice, int64_t low, int64_t high)
{
    return low + (int64_t)wide_upper((uint64_t)(high - low) + 1, dice_next(dice));
}

/* A separate sequence for each part of a study, independent of what other parts draw. The
 * multiplier is odd and large, so parts 0, 1, 2, ... give seeds far apart. */
static inline struct dice dice_of(uint64_t seed, int64_t part)
{
    struct dice dice = {seed ^ (uint64_t)part * 0xd1342543de82ef95u};
    dice_next(&dice);
    return dice;
}
