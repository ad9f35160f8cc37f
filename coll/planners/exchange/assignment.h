/* assignment.h - the linear assignment problem.
 *
 * A solver keeps its potentials between calls, so that a matching without the pairs of the last one
 * costs less than a new start.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct assignment;

/* Makes a solver for n rows and n columns, which copies weight[row * n + column]. Weights must be
 * less than INT64_MAX / 4 in magnitude. NULL: out of memory. */
struct assignment *assignment_new(int n, const int64_t *weight);
void assignment_free(struct assignment *a);
/* Forbids a pair for all later solutions. */
void assignment_forbid(struct assignment *a, int row, int column);

/* Assigns a different column to every row, with the least total weight; of several optimal
 * assignments the lexicographically smallest. *unique is set if there is only one. A complete
 * assignment must exist. O(n^3). */
void assignment_solve(struct assignment *a, int *column_of, bool *unique);
