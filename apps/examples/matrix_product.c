/* matrix_product.c - the product of two square matrices whose rows are divided among the tasks.
 *
 *     hrun -np 4 matrix_product [N]
 *
 * Each task has some rows of A, B and C = A B.  In each step one task broadcasts its rows of B, and
 * all tasks add their contribution to C.  The next broadcast is in progress while a task computes,
 * so network and processor work at the same time.
 *
 * Memory of a task: its rows of A, B and C, and two buffers of rows of B. No task ever has the
 * whole of B.
 */
#include <hnow_coll.h>
#include <stdio.h>
#include <stdlib.h>

static int n, size;

/* Rows of a task are consecutive; numbers of rows differ by at most one. */
static int first_row(int rank)
{
    return (int)((long)n * rank / size);
}
static int row_count(int rank)
{
    return first_row(rank + 1) - first_row(rank);
}

static double *matrix(int rows)
{
    /* One more, so that a task without rows gets memory as well. */
    double *made = calloc((size_t)rows * n + 1, sizeof(double));
    if (made == NULL)
        hn_abort(1, "matrix_product: out of memory");
    return made;
}

/* Adds to c the product of count columns of a, from column `first` on, and the rows b. */
static void add(double *c, const double *a, const double *b, int rows, int first, int count)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < count; k++)
            for (int j = 0; j < n; j++)
                c[(size_t)i * n + j] += a[(size_t)i * n + first + k] * b[(size_t)k * n + j];
}

/* Starts the broadcast of rank's rows of B into buffers[rank % 2].  Two buffers: one is received
 * while the other is used. */
static hn_request *send_rows(double *const buffers[2], const double *b, int rank)
{
    hn_request *request;
    size_t count = (size_t)row_count(rank) * n;
    for (size_t i = 0; rank == hn_rank() && i < count; i++)
        buffers[rank % 2][i] = b[i];
    /* Collective: every task starts the same broadcasts in the same order. */
    hn_ibcast(buffers[rank % 2], count, HN_DOUBLE, rank, hn_world(), &request);
    return request;
}

int main(int argc, char **argv)
{
    hn_set_errors(HN_ERRORS_FATAL);
    hn_enrol();
    n = argc > 1 ? atoi(argv[1]) : 200;
    size = hn_size();
    int rank = hn_rank(), rows = row_count(rank);
    if (n < 1)
        hn_abort(2, "usage: matrix_product [N], N at least 1");
    double *a = matrix(rows), *b = matrix(rows), *c = matrix(rows);
    double *buffers[2] = {matrix(n / size + 1), matrix(n / size + 1)};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            a[(size_t)i * n + j] = first_row(rank) + i + j;          /* A[i][j] = i + j */
            b[(size_t)i * n + j] = first_row(rank) + i == j ? 2 : 0; /* B = 2 I */
        }

    /* The time of the product alone, by this task's clock. */
    double began = hn_wtime();
    hn_request *request = send_rows(buffers, b, 0);
    for (int step = 0; step < size; step++) {
        hn_wait(request, NULL);
        /* Started before the computation, so that it is in progress meanwhile. */
        if (step + 1 < size)
            request = send_rows(buffers, b, step + 1);
        add(c, a, buffers[step % 2], rows, first_row(step), row_count(step));
    }
    double seconds = hn_wtime() - began;

    int wrong = 0, all = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            wrong += c[(size_t)i * n + j] != 2 * a[(size_t)i * n + j];
    hn_reduce(&wrong, &all, 1, HN_INT, HN_SUM, 0, hn_world());
    if (rank == 0)
        printf("%d x %d on %d tasks in %.3f s: %d elements are wrong\n", n, n, size, seconds, all);
    free(a), free(b), free(c), free(buffers[0]), free(buffers[1]);
    return hn_exit();
}
