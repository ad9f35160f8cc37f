/* cell_grid.h - atoms sorted by place into clusters of four.
 *
 * Space is cut into columns along z over a grid in x and y; the atoms of a column are sorted by z
 * and cut into clusters of KERNEL_WIDTH.  A cluster is then about as wide as it is high and holds
 * neighbours; the last of a column is filled up with empty places.
 *
 * Every task sorts all atoms (O(N log N), replicated data) and must come to the same order,
 * whatever its processor: places are computed with single IEEE operations (this file is
 * compiled without fused multiply-add) and ties are broken by atom number.
 */
#pragma once

#include <stddef.h>

#include "cell.h"

struct grid_bound { /* of a cluster: the box around its atoms */
    double low[3], high[3];
};

struct grid {
    int natom, nx, ny;
    struct cell cell;
    double low[3]; /* of the atoms as placed */
    double width[2], size[3];
    double *place; /* 3 * natom: coordinates moved into the box */
    double *image; /* 3 * natom: what was added to do so (a multiple of the box) */
    int *column;   /* of each atom */
    int *first;    /* nx * ny + 1: first cluster of each column */
    int clusters;
    int *atom; /* KERNEL_WIDTH * clusters: the atom at a place, -1 where empty */
    int *slot; /* natom: its place */
    struct grid_bound *bound;
    size_t atom_room, bound_room, first_room;
};

void grid_init(struct grid *g, int natom, const struct cell *cell);
void grid_free(struct grid *g);

/* Sorts the atoms at x (3 * natom, finite). */
void grid_sort(struct grid *g, const double *x);

/* The clusters *begin ... *end-1 of a column that can have an atom with z from low to high. */
void grid_span(const struct grid *g, int column, double low, double high, int *begin, int *end);

/* Places of a coordinate among the nx (axis 0) or ny (axis 1) columns, kept inside the grid. */
int grid_column_at(const struct grid *g, int axis, double value);
