/* matrix.h - delivery times between all pairs of ranks for one message size, computed once and used
 * by many planners.
 */
#pragma once

#include "model/model.h"

/* Upper limit of ranks for planners that compare all pairs: 8 bytes a pair, 128 MiB. */
enum { MATRIX_RANKS_MOST = 4096 };

struct matrix {
    int ranks;
    int64_t bytes;
    hn_time *deliver; /* [from * ranks + to] */
};

/* NULL: out of memory, or too many ranks. O(n^2). */
struct matrix *matrix_new(const struct model *model, int64_t bytes);
void matrix_free(struct matrix *matrix);

static inline hn_time matrix_at(const struct matrix *matrix, int from, int to)
{
    return matrix->deliver[(size_t)from * (size_t)matrix->ranks + (size_t)to];
}
