/* centre.h - the ranks in the centre of a network: those with the smallest eccentricity. */
#pragma once

#include "model/matrix.h"

struct reach {
    int rank;
    hn_time farthest; /* ps: longest delivery from this rank + longest delivery to it */
};

/* Returns all ranks by ascending eccentricity, among equals by rank, in an array that the caller
 * frees. NULL: out of memory. O(n^2). */
struct reach *centre_order(const struct matrix *matrix);
