/* centre.h - the ranks in the centre of a network: those with the smallest eccentricity. */
#pragma once

#include "model/matrix.h"
#include "model/timed.h"

/* Returns all ranks by ascending eccentricity, which is the time: the longest delivery from the
 * rank plus the longest delivery to it. The caller frees the result. NULL: out of memory. O(n^2).
 */
struct timed *centre_order(const struct matrix *matrix);
