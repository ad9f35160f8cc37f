/* medium.c - bus or switch (medium.h). */
#include "derive/medium.h"
#include "thresholds.h"

double medium_slower(const struct sample *together, int64_t small)
{
    /* the answer's byte is in all times except those of two that send to each other */
    int64_t one = together->alone - 2 * small;
    int64_t two = together->best - (together->about == ABOUT_BUS ? small : 2 * small);
    if (!together->alone || !together->count || one < small || two <= 0)
        return 0;
    return (double)two / (double)one;
}

hn_medium medium_judge(double slower)
{
    if (slower <= 0)
        return HN_MEDIUM_UNKNOWN;
    return slower > MEDIUM_BUS_TIMES      ? HN_MEDIUM_BUS
           : slower < MEDIUM_SWITCH_TIMES ? HN_MEDIUM_SWITCH
                                          : HN_MEDIUM_UNKNOWN;
}
