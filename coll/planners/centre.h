/* centre.h - which ranks lie in the middle of a network: from where the farthest is least far. */
#pragma once

#include "model/matrix.h"

struct reach {
    int rank;
    hn_time farthest; /* the longest delivery from here plus the longest to here */
};

/* All ranks, those with the least reach first, and of equals those with the least number. The
 * caller frees it. NULL: out of memory. O(n^2). */
struct reach *centre_order(const struct matrix *matrix);
