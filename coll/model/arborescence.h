/* arborescence.h - the lightest tree that reaches all ranks from a root along directed edges. */
#pragma once

#include <stdint.h>

/* weight[from * ranks + to] >= 0, below INT64_MAX / ranks. parent[] becomes every rank's parent, -1
 * of the root; *total the sum of the weights. The same input gives the same tree. HN_OK or
 * HN_ENOMEM. O(n^2) for each round of contractions: mostly a few, n / 2 at worst. */
int arborescence(int ranks, int root, const int64_t *weight, int *parent, int64_t *total);
