/* caterpillar.c - in step s rank i sends to rank i + s (Bhat 1998b, section 4.2; the usual
 * all-to-all of homogeneous machines).
 *
 * In a step no two ranks send to the same receiver. But events of a step may differ in length, and
 * short ones wait for long ones. So the makespan is up to n / 2 times the lower bound (Bhat 1998b,
 * theorem 2). It serves as a baseline. Cost: O(n^2).
 */
#include "planners/exchange/heuristics.h"

#include "hnow.h"

/* Step 0 has the events of ranks with themselves, which cost nothing unless the diagonal does. */
int exchange_caterpillar(struct exchange *x)
{
    exchange_clear(x);
    for (int step = 0; step < x->ranks; step++)
        for (int from = 0; from < x->ranks; from++)
            exchange_add(x, from, (from + step) % x->ranks);
    return HN_OK;
}
