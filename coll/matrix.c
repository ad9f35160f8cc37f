/* matrix.c - all delivery times. */
#include "matrix.h"

#include <stdlib.h>

struct matrix *matrix_new(const struct model *model, int64_t bytes)
{
    size_t n = (size_t)model->ranks;
    if (model->ranks > MATRIX_RANKS_MOST)
        return NULL;
    struct matrix *matrix = malloc(sizeof *matrix);
    hn_time *deliver = malloc(n * n * sizeof *deliver);
    if (!matrix || !deliver) {
        free(matrix);
        free(deliver);
        return NULL;
    }
    *matrix = (struct matrix){model->ranks, bytes, deliver};
    for (int from = 0; from < model->ranks; from++)
        for (int to = 0; to < model->ranks; to++)
            *deliver++ = from == to ? 0 : model_deliver(model, from, to, bytes);
    return matrix;
}

void matrix_free(struct matrix *matrix)
{
    if (matrix)
        free(matrix->deliver);
    free(matrix);
}
