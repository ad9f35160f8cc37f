/* jacobi.c - Jacobi iteration for heat on a torus, whose grid is divided into one block per task.
 *
 *     hrun -np 4 jacobi 400 200          cells along each side of a block, steps
 *
 * The tasks form a two-dimensional torus, which hnow maps to the network.  In every step a task
 * computes its inner cells while the edges of its block travel to the four neighbours.  Meanwhile
 * an allreduce adds up the change of the previous step.
 *
 * Every call is checked here, unlike in the other examples: check() shows what a program does
 * that does not end with HN_ERRORS_FATAL.
 */
#include <hnow_coll.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the task, and so the job, if a call has failed. */
static void check(int error, const char *what)
{
    if (error != HN_OK) {
        fprintf(stderr, "jacobi: %s: %s\n", what, hn_error_text());
        exit(1);
    }
}

static int side;               /* cells along a side of the block */
static double *now, *next;     /* [side + 2][side + 2]: the block and a frame around it */
static double *edges, *frames; /* [4][side]: to and from the neighbours above, below, left and
                                  right */

/* Row and column 0 are the frame; the block begins at 1. */
static double *cell(double *block, int row, int column)
{
    return &block[(size_t)row * (size_t)(side + 2) + (size_t)column];
}

/* Computes one cell of the next step.  Returns the amount of its change. */
static double relax(int row, int column)
{
    double mean =
        (*cell(now, row - 1, column) + *cell(now, row + 1, column) + *cell(now, row, column - 1) +
         *cell(now, row, column + 1) + *cell(now, row, column)) /
        5;
    *cell(next, row, column) = mean;
    return fabs(mean - *cell(now, row, column));
}

/* The edges are not next to each other in memory, so they are copied before they are sent. */
static void copy_edges(void)
{
    for (int i = 0; i < side; i++) {
        edges[i] = *cell(now, 1, i + 1);
        edges[side + i] = *cell(now, side, i + 1);
        edges[2 * side + i] = *cell(now, i + 1, 1);
        edges[3 * side + i] = *cell(now, i + 1, side);
    }
}

/* The order of the four parts is the same as in copy_edges(): above, below, left, right. */
static void set_frame(void)
{
    for (int i = 0; i < side; i++) {
        *cell(now, 0, i + 1) = frames[i];
        *cell(now, side + 1, i + 1) = frames[side + i];
        *cell(now, i + 1, 0) = frames[2 * side + i];
        *cell(now, i + 1, side + 1) = frames[3 * side + i];
    }
}

/* Computes the cells along the four sides of the block, which need the neighbours' edges. */
static double relax_border(void)
{
    double change = 0;
    for (int i = 1; i <= side; i++)
        change += relax(1, i) + (side > 1 ? relax(side, i) : 0);
    /* Corners belong to the rows above, so they are left out here. */
    for (int i = 2; i < side; i++)
        change += relax(i, 1) + relax(i, side);
    return change;
}

/* Computes one step.  Communication overlaps with the inner cells, which need no neighbour. */
static double step(const hn_topology *torus)
{
    hn_request *exchange;
    double change = 0;
    copy_edges();
    /* Returns at once. `edges` and `frames` must not be used until the wait. */
    check(hn_ineighbour_alltoall(edges, (size_t)side, frames, HN_DOUBLE, torus, &exchange),
          "exchange");
    for (int row = 2; row < side; row++)
        for (int column = 2; column < side; column++)
            change += relax(row, column);
    check(hn_wait(exchange, NULL), "exchange");
    set_frame();
    change += relax_border();
    /* The blocks change roles instead of being copied. */
    double *swap = now;
    now = next;
    next = swap;
    return change;
}

/* The sum of changes is a persistent operation: set up once, started in every step. */
static void run(const hn_topology *torus, int steps)
{
    const hn_group *group = hn_topology_group(torus);
    hn_request *sum;
    double mine = 0, all = 0;
    int rank = hn_group_rank(group, hn_mytid());
    *cell(now, 1, 1) = rank == 0 ? 1000 : 0; /* all the heat starts in one cell */
    check(hn_allreduce_init(&mine, &all, 1, HN_DOUBLE, HN_SUM, group, &sum), "hn_allreduce_init");
    for (int i = 0; i < steps; i++) {
        double change = step(torus); /* meanwhile the sum of the previous step is in progress */
        /* The sum lags one step behind, which does not matter for a progress report. */
        if (i > 0)
            check(hn_wait(sum, NULL), "sum");
        if (rank == 0 && i > 0 && i % 50 == 0)
            printf("step %d: change %g\n", i, all);
        mine = change;
        check(hn_start(sum), "hn_start");
    }
    check(hn_wait(sum, NULL), "sum");
    /* Only after its last wait. */
    check(hn_request_free(sum), "hn_request_free");
    /* The mean of five keeps the total heat, so the result shows that nothing was lost. */
    mine = 0;
    for (int row = 1; row <= side; row++)
        for (int column = 1; column <= side; column++)
            mine += *cell(now, row, column);
    check(hn_reduce(&mine, &all, 1, HN_DOUBLE, HN_SUM, 0, group), "hn_reduce");
    if (rank == 0)
        printf("after %d steps the heat is %.6f\n", steps, all);
}

int main(int argc, char **argv)
{
    int sizes[2] = {0, 0}, periodic[2] = {1, 1}, steps = argc > 2 ? atoi(argv[2]) : 200;
    hn_topology *torus;

    side = argc > 1 ? atoi(argv[1]) : 200;
    if (side < 1 || side > 20000 || steps < 1) {
        fprintf(stderr, "usage: jacobi [SIDE [STEPS]]\n");
        return 2;
    }
    check(hn_enrol(), "hn_enrol");
    check(hn_mesh_sizes(hn_size(), 2, sizes), "hn_mesh_sizes");
    /* Periodic in both dimensions: every task has four neighbours, possibly itself. */
    check(hn_topology_mesh(hn_world(), 2, sizes, periodic, &torus), "hn_topology_mesh");
    now = calloc((size_t)(side + 2) * (size_t)(side + 2), sizeof *now);
    next = calloc((size_t)(side + 2) * (size_t)(side + 2), sizeof *next);
    edges = calloc(4 * (size_t)side, sizeof *edges);
    frames = calloc(4 * (size_t)side, sizeof *frames);
    if (!now || !next || !edges || !frames) {
        fprintf(stderr, "jacobi: not enough memory for %d x %d cells\n", side, side);
        return 1;
    }
    run(torus, steps);
    hn_topology_free(torus);
    free(now);
    free(next);
    free(edges);
    free(frames);
    check(hn_exit(), "hn_exit");
    return 0;
}
