/* kmeans.c - k-means clustering of points that are divided among the tasks.
 *
 *     hrun -np 4 kmeans [POINTS]
 *
 * Every task assigns its own points to the nearest of K centres.  One allreduce adds up the
 * coordinates and the number of points of each centre.  A reduce with a user-defined operator finds
 * the point that is farthest from its centre.
 *
 * Points never move between tasks. What travels in a round is K * (D + 1) numbers, however many
 * points there are.
 */
#include <hnow_coll.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { K = 3 /* clusters */, D = 2 /* coordinates of a point */, ROUNDS = 20 };

struct far { /* an operand of the operator: three doubles that are never split */
    double distance, x, y;
};

/* The operator: keeps the operand with the larger distance. count is in doubles. */
static void farther(const void *left, const void *right, void *result, size_t count, hn_type type,
                    void *data)
{
    (void)type, (void)data;
    const struct far *a = left, *b = right;
    struct far *best = result;
    /* hnow passes whole operands: hn_op_new() is given their length. */
    for (size_t i = 0; i < count / 3; i++)
        best[i] = a[i].distance >= b[i].distance ? a[i] : b[i];
}

static double square(double x)
{
    return x * x;
}

static int nearest(const double *point, double centres[K][D], double *distance)
{
    int best = 0;
    *distance = INFINITY;
    for (int k = 0; k < K; k++) {
        double d = sqrt(square(point[0] - centres[k][0]) + square(point[1] - centres[k][1]));
        if (d < *distance)
            *distance = d, best = k;
    }
    return best;
}

int main(int argc, char **argv)
{
    hn_set_errors(HN_ERRORS_FATAL);
    hn_enrol();
    int points = argc > 1 ? atoi(argv[1]) : 3000, rank = hn_rank(), size = hn_size();
    if (points < 1)
        hn_abort(2, "usage: kmeans [POINTS], at least 1");
    /* Consecutive points; the numbers of any two tasks differ by at most one. */
    int first = (int)((long)points * rank / size), last = (int)((long)points * (rank + 1) / size);
    double(*point)[D] = calloc(last - first + 1, sizeof *point);
    if (point == NULL)
        hn_abort(1, "kmeans: out of memory");
    for (int i = first; i < last; i++) { /* three clusters, around (0, 0), (10, 0) and (5, 8) */
        static const double middle[K][D] = {{0, 0}, {10, 0}, {5, 8}};
        /* Seeded by the point's number: the points do not depend on the number of tasks. */
        srand48(i);
        for (int d = 0; d < D; d++)
            point[i - first][d] = middle[i % K][d] + 2 * drand48() - 1;
    }

    double centres[K][D] = {{1, 1}, {9, 1}, {5, 6}};
    for (int round = 0; round < ROUNDS; round++) {
        double sum[K][D + 1] = {0}, distance; /* sums of coordinates, and number of points */
        for (int i = 0; i < last - first; i++) {
            int k = nearest(point[i], centres, &distance);
            for (int d = 0; d < D; d++)
                sum[k][d] += point[i][d];
            sum[k][D]++;
        }
        /* In place: the sums replace the task's own contribution, in all tasks. */
        hn_allreduce(HN_IN_PLACE, sum, K * (D + 1), HN_DOUBLE, HN_SUM, hn_world());
        for (int k = 0; k < K; k++)
            for (int d = 0; d < D && sum[k][D] > 0; d++)
                centres[k][d] = sum[k][d] / sum[k][D];
    }

    hn_op op;
    /* -1 is less than any distance, so a task without points contributes nothing. */
    struct far mine = {-1, 0, 0}, farthest;
    for (int i = 0; i < last - first; i++) {
        struct far here = {0, point[i][0], point[i][1]};
        nearest(point[i], centres, &here.distance);
        if (here.distance > mine.distance)
            mine = here;
    }
    hn_op_new(farther, NULL, 3, 1, &op); /* 3 doubles are one operand; 1: commutative */
    hn_reduce(&mine, &farthest, 3, HN_DOUBLE, op, 0, hn_world());
    hn_op_free(op);
    if (rank == 0) {
        for (int k = 0; k < K; k++)
            printf("centre %d: (%.1f, %.1f)\n", k, centres[k][0], centres[k][1]);
        printf("the farthest point is %.1f from its centre\n", farthest.distance);
    }
    free(point);
    return hn_exit();
}
