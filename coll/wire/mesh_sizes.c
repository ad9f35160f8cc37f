/* mesh_sizes.c - hn_mesh_sizes(): the sizes of a mesh for a number of tasks, as equal as possible
 * (as MPI_Dims_create): the largest size is minimal, then the next one, and so on.
 *
 * Cost: tries the divisors of the number in ascending order; at most some 100 microseconds.
 */
#include "hnow_coll.h"

#include "runtime/internal.h"

#include <stdbool.h>
#include <stdio.h>

/* The smallest divisor of a number that is >= least; 1 <= least <= number. Up to the square root
 * divisors are tried; above it their cofactors, downwards. */
static int divisor_from(int number, int least)
{
    int d = least;
    for (; d <= number / d; d++)
        if (number % d == 0)
            return d;
    int other = number / d; /* divisors above the root: the cofactor is below it */
    while (number % other != 0)
        other--;
    return number / other;
}

/* Whether a product of `count` sizes <= most can reach the number. */
static bool reaches(int most, int count, int number)
{
    int64_t power = 1;
    for (int i = 0; i < count && power < number; i++)
        power *= most;
    return power >= number;
}

/* The largest of `count` sizes <= most whose product is the number, as equal as possible; 0: there
 * are no such sizes. The others must not exceed it, so they are searched with it as the limit. */
static int largest_of(int number, int count, int most)
{
    for (int d = 1; number > 1 && d <= number && d <= most; d++) {
        d = divisor_from(number, d);
        if (d <= most && reaches(d, count, number) &&
            (count == 1 || largest_of(number / d, count - 1, d) > 0))
            return d;
    }
    return number == 1;
}

/* Sets HN_EARG with a text: the given sizes do not divide or make the number of tasks. */
static int refuse(const char *what, int tasks, int dimensions, const int *sizes)
{
    char text[128] = "";
    size_t used = 0;
    for (int d = 0; d < dimensions && used < sizeof text; d++)
        if (sizes[d] != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", used ? " x " : "",
                                     sizes[d]);
    return error_set(HN_EARG, "mesh: %s do not %s %d tasks", text, what, tasks);
}

/* Sizes other than 0 are given by the caller and kept; `left` is what the free ones must make. */
int hn_mesh_sizes(int tasks, int dimensions, int *sizes)
{
    int left = tasks, open = 0;
    REFUSE_NULL(sizes);
    if (tasks < 1)
        return error_set(HN_EARG, "mesh: no tasks");
    for (int d = 0; d < dimensions; d++) {
        if (sizes[d] < 0 || (sizes[d] > 0 && left % sizes[d] != 0))
            return refuse("divide", tasks, dimensions, sizes);
        left /= sizes[d] ? sizes[d] : 1;
        open += sizes[d] == 0;
    }
    if (open == 0 && left > 1)
        return refuse("make", tasks, dimensions, sizes);
    /* Each size is at least as large as those that follow, so they descend. */
    for (int d = 0; d < dimensions; d++)
        if (sizes[d] == 0) {
            sizes[d] = largest_of(left, open--, left);
            left /= sizes[d];
        }
    return HN_OK;
}
