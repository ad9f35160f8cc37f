/* centre.h - the ranks in the centre of a network: those with the smallest eccentricity. */
#pragma once

#include "model/matrix.h"

struct reach {
    int rank;
    hn_time farthest; /* longest delivery from this rank + longest delivery to it */
};

/* All ranks by ascending eccentricity, among equals by rank. The caller frees the result. NULL: out
 * of memory. O(n^2). */
struct reach *centre_order(const struct matrix *matrix);
