/* medium.c - bus or switch (medium.h).
 *
 * What is compared is the time of the bytes alone.  Of the single transfer the best counts; of the
 * two at once the middle between best and median, because now and then one of them is late and the
 * other one alone for a while.
 */
#include "medium.h"

hn_medium medium_judge(const struct sample *one, const struct sample *two, int64_t small)
{
    /* the answer's byte is in all times but in those of two that send to each other */
    int64_t alone = one->best - 2 * small;
    int64_t both = (two->best + two->median) / 2 - (two->kind == SAMPLE_BOTH ? small : 2 * small);
    if (!one->count || !two->count || one->kind != SAMPLE_WAY || one->bytes != two->bytes ||
        alone < small)
        return HN_MEDIUM_UNKNOWN;
    double ratio = (double)both / (double)alone;
    return ratio > 1.6 ? HN_MEDIUM_BUS : ratio < 1.35 ? HN_MEDIUM_SWITCH : HN_MEDIUM_UNKNOWN;
}
