/* centre.c - sorts ranks by eccentricity (centre.h). */
#include "planners/centre.h"

#include <stdlib.h>

static hn_time reach_of(const struct matrix *matrix, int rank)
{
    hn_time there = 0, back = 0;
    for (int other = 0; other < matrix->ranks; other++) {
        hn_time to = matrix_at(matrix, rank, other), from = matrix_at(matrix, other, rank);
        there = to > there ? to : there;
        back = from > back ? from : back;
    }
    return there + back;
}

static int nearer(const void *one, const void *two)
{
    const struct reach *a = one, *b = two;
    if (a->farthest != b->farthest)
        return a->farthest < b->farthest ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

struct reach *centre_order(const struct matrix *matrix)
{
    size_t n = (size_t)matrix->ranks;
    struct reach *order = malloc(n * sizeof *order);
    if (!order)
        return NULL;
    for (int rank = 0; rank < matrix->ranks; rank++)
        order[rank] = (struct reach){rank, reach_of(matrix, rank)};
    qsort(order, n, sizeof *order, nearer);
    return order;
}
