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

struct timed *centre_order(const struct matrix *matrix)
{
    size_t n = (size_t)matrix->ranks;
    struct timed *order = malloc(n * sizeof *order);
    if (!order)
        return NULL;
    for (int rank = 0; rank < matrix->ranks; rank++)
        order[rank] = (struct timed){reach_of(matrix, rank), rank};
    qsort(order, n, sizeof *order, timed_ascending);
    return order;
}
