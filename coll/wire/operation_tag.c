/* operation_tag.c - composes tags (operation_tag.h). */
#include "wire/operation_tag.h"

_Static_assert(TAG_NUMBER_BITS + TAG_ROOT_BITS + TAG_KIND_BITS == 30, "a tag is a positive int");
_Static_assert(KINDS <= 1 << TAG_KIND_BITS, "a tag has room for all kinds");

/* Mixes `what` into TAG_ROOT_BITS bits, different ones in each operation; 0 for 0. */
static unsigned mix(uint32_t what, unsigned number)
{
    return what * ((number & TAG_NUMBERS) * 2654435769u | 1) >>
           (32 - TAG_ROOT_BITS); /* golden ratio */
}

int operation_tag_make(const struct called *called, unsigned number)
{
    unsigned low = number & TAG_NUMBERS;
    bool persistent = called->persistent;
    /* A persistent operation keeps its tag for long, so rounds of numbers are told apart, too. */
    unsigned rounds = persistent ? number >> TAG_NUMBER_BITS : 0;
    unsigned root = (unsigned)called->root, above = mix(root >> TAG_ROOT_BITS, number);
    unsigned roots = (root ^ above ^ rounds) % (1u << TAG_ROOT_BITS);
    unsigned what = (unsigned)called->kind << TAG_ROOT_BITS | roots;
    return (int)((persistent ? (unsigned)TAG_PERSISTENT : 0u) | what << TAG_NUMBER_BITS | low);
}

int operation_tag_with_plan(int tag, uint32_t hash, unsigned number)
{
    return tag ^ (int)(mix(hash, number) << TAG_NUMBER_BITS);
}

unsigned operation_tag_nearest(int tag, unsigned last)
{
    unsigned behind = (last - operation_tag_number(tag)) & TAG_NUMBERS;
    /* More than half a round behind means ahead. */
    return behind <= TAG_NUMBERS / 2 ? last - behind : last - behind + TAG_NUMBERS + 1;
}

bool operation_tag_differs(int tag, int other, bool planned)
{
    const int roots = ((1 << TAG_ROOT_BITS) - 1) << TAG_NUMBER_BITS;
    int differ = tag ^ other;
    return planned ? differ != 0 : (differ & ~roots) != 0;
}
