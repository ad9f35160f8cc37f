/* arborescence.h - the minimum-weight spanning arborescence: the lightest tree of directed edges
 * from a root to all ranks (Chu-Liu/Edmonds).
 */
#pragma once

#include <stdint.h>

/* weight[from * ranks + to] must be >= 0 and below INT64_MAX / ranks. Sets parent[rank] (-1 for the
 * root) and *total, the sum of the weights. Deterministic. HN_OK or HN_ENOMEM. O(n^2) for each
 * round of contractions: usually a few, n / 2 at worst. */
int arborescence(int ranks, int root, const int64_t *weight, int *parent, int64_t *total);
