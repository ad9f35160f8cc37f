/* matrix.h - the delivery times between all ranks for one message size, computed once for many
 * planners. */
#pragma once

#include "model/model.h"

/* Planners that look at all pairs do not serve more ranks than this: 8 bytes a pair. */
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
