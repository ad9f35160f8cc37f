/* heat_mesh.c - solves the heat equation on a square that is divided among a mesh of tasks.
 *
 *     hrun -np 4 heat_mesh [CELLS [STEPS]]
 *
 * Each task has a block of cells, with a border one cell wide.  In every step, neighbours exchange
 * their edges in one collective operation, and every cell becomes the mean of its four neighbours.
 * The upper edge of the square is kept at 1, the other edges at 0.
 *
 * Sizes of blocks differ by at most one, so any number of tasks can share any square. The
 * program needs no code for the edges of the square: hnow leaves the places of missing
 * neighbours unchanged.
 */
#include <hnow_coll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UP, DOWN, LEFT, RIGHT, SIDES }; /* order of a mesh's neighbours: dimension 0, then 1 */

static int rows, columns; /* size of this task's block, without the border */

static double *cell(double *block, int row,
                    int column) /* rows and columns from -1 (border) to rows or columns (border) */
{
    return &block[(row + 1) * (columns + 2) + column + 1];
}

static int part(int cells, int parts, int i) /* size of part i of parts */
{
    return cells / parts + (i < cells % parts);
}

/* Sends the block's edges to the four neighbours, and stores theirs in the border.  A task at the
 * edge of the square has no neighbour there; that part of `in` and of the border is unchanged. */
static void exchange(double *block, const hn_topology *mesh, double *out, double *in)
{
    /* One list for both directions, as a task sends as much as it receives. */
    size_t counts[SIDES] = {columns, columns, rows, rows};
    size_t displs[SIDES] = {0, columns, 2 * columns, 2 * columns + rows};
    /* `in` begins with the present border, which stays where no neighbour is. */
    for (int i = 0; i < columns; i++) {
        out[displs[UP] + i] = *cell(block, 0, i);
        out[displs[DOWN] + i] = *cell(block, rows - 1, i);
        in[displs[UP] + i] = *cell(block, -1, i);
        in[displs[DOWN] + i] = *cell(block, rows, i);
    }
    for (int i = 0; i < rows; i++) {
        out[displs[LEFT] + i] = *cell(block, i, 0);
        out[displs[RIGHT] + i] = *cell(block, i, columns - 1);
        in[displs[LEFT] + i] = *cell(block, i, -1);
        in[displs[RIGHT] + i] = *cell(block, i, columns);
    }
    /* Blocks until all four edges have arrived. */
    hn_neighbour_alltoallv(out, counts, displs, in, counts, displs, HN_DOUBLE, mesh);
    for (int i = 0; i < columns; i++) {
        *cell(block, -1, i) = in[displs[UP] + i];
        *cell(block, rows, i) = in[displs[DOWN] + i];
    }
    for (int i = 0; i < rows; i++) {
        *cell(block, i, -1) = in[displs[LEFT] + i];
        *cell(block, i, columns) = in[displs[RIGHT] + i];
    }
}

/* All new values depend on old ones only, hence two blocks. */
static void step(double *block, double *next)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            *cell(next, i, j) = (*cell(block, i - 1, j) + *cell(block, i + 1, j) +
                                 *cell(block, i, j - 1) + *cell(block, i, j + 1)) /
                                4;
    for (int i = 0; i < rows; i++)
        memcpy(cell(block, i, 0), cell(next, i, 0), columns * sizeof(double));
}

int main(int argc, char **argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 200;
    hn_set_errors(HN_ERRORS_FATAL);
    hn_enrol();
    int sizes[2] = {0, 0}, coords[2];
    hn_topology *mesh;
    /* Zeros are free: hnow chooses sizes that are as equal as possible. */
    hn_mesh_sizes(hn_size(), 2, sizes);
    if (cells < sizes[0] || steps < 0)
        hn_abort(2, "usage: heat_mesh [CELLS [STEPS]], with a row of cells for each row of tasks");
    hn_topology_mesh(hn_world(), 2, sizes, NULL, &mesh);
    const hn_group *group = hn_topology_group(mesh);
    /* The rank in the mesh, which hnow may have placed differently from the world. */
    int rank = hn_group_rank(group, hn_mytid());
    hn_topology_coords(mesh, rank, coords);
    rows = part(cells, sizes[0], coords[0]);
    columns = part(cells, sizes[1], coords[1]);

    size_t room = (size_t)(rows + 2) * (columns + 2), edges = 2 * ((size_t)rows + columns);
    double *block = calloc(room, sizeof(double)), *next = calloc(room, sizeof(double));
    double *out = calloc(edges, sizeof(double)), *in = calloc(edges, sizeof(double));
    if (!block || !next || !out || !in)
        hn_abort(1, "heat_mesh: out of memory");
    /* The border is never computed, so this edge stays at 1. */
    for (int j = 0; coords[0] == 0 && j < columns; j++)
        *cell(block, -1, j) = 1;

    for (int i = 0; i < steps; i++) {
        exchange(block, mesh, out, in);
        step(block, next);
    }
    double heat = 0, sum;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            heat += *cell(block, i, j);
    /* Only task 0 of the mesh gets the sum. */
    hn_reduce(&heat, &sum, 1, HN_DOUBLE, HN_SUM, 0, group);
    if (rank == 0)
        printf("%d x %d tasks, %d steps: the mean temperature is %.6f\n", sizes[0], sizes[1], steps,
               sum / cells / cells);
    free(block), free(next), free(out), free(in);
    hn_topology_free(mesh);
    return hn_exit();
}
