/* caterpillar.c - step s: rank i sends to i + s (Bhat, section 4.2; the usual all-to-all of
 * homogeneous machines).
 *
 * No two ranks send to one receiver in a step, but a step's events may be of very different length,
 * and the short ones wait for the long ones: up to n / 2 times the lower bound (Bhat, theorem 2).
 */
#include "planners/exchange/heuristics.h"

#include "hnow.h"

int exchange_caterpillar(struct exchange *x)
{
    exchange_clear(x);
    for (int step = 0; step < x->ranks; step++)
        for (int from = 0; from < x->ranks; from++)
            exchange_add(x, from, (from + step) % x->ranks);
    return HN_OK;
}
