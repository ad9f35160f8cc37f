/* assignment.h - the linear assignment problem. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct assignment;

/* Solver for n rows and n columns; weight[row * n + column], all below
 * INT64_MAX / 4 in size. NULL: out of memory. */
struct assignment *assignment_new(int n, const int64_t *weight);
void assignment_free(struct assignment *a);
/* From now on a pair may not be assigned. */
void assignment_forbid(struct assignment *a, int row, int column);

/* Assigns every row its own column with the least total weight; of several such assignments, the
 * lexicographically smallest. *unique says whether there is only one. A complete assignment must
 * exist. O(n^3). */
void assignment_solve(struct assignment *a, int *column_of, bool *unique);
