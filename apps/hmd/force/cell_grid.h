/* cell_grid.h - sorts atoms by position into clusters of four.
 *
 * Space is divided into columns along z over a grid in x and y.  The atoms of a column are sorted
 * by z and divided into clusters of KERNEL_WIDTH.  So a cluster is about as wide as high, and
 * contains neighbours; the last one of a column is padded with empty slots.
 *
 * Every task sorts all atoms (O(N log N), replicated data) and must get the same order on any
 * processor.  So positions are computed with single IEEE operations (this file is compiled without
 * fused multiply-add), and ties are broken by atom number.
 */
#pragma once

#include <stddef.h>

#include "cell.h"

struct grid_bound { /* bounding box of a cluster */
    double low[3], high[3];
};

/* Owned by struct energy; its arrays grow and are reused from list to list. Slot k belongs to
 * cluster k / KERNEL_WIDTH. `place` and `image` are valid until atoms are sorted again. */
struct grid {
    int natom, nx, ny;
    struct cell cell;
    double low[3]; /* of the atoms inside the box */
    double width[2], size[3];
    double *place; /* 3 * natom: coordinates moved into the box */
    double *image; /* 3 * natom: added to do so (a multiple of the box) */
    int *column;   /* of each atom */
    int *first;    /* nx * ny + 1: first cluster of each column */
    int clusters;
    int *atom; /* KERNEL_WIDTH * clusters: the atom in each slot, -1 if empty */
    int *slot; /* natom: its slot */
    struct grid_bound *bound;
    size_t atom_room, bound_room, first_room;
};

/* Memory for natom atoms; the cell is copied. */
void grid_init(struct grid *g, int natom, const struct cell *cell);
void grid_free(struct grid *g);

/* Sorts the atoms at x (3 * natom, finite). Costs O(N log N). Coordinates need not be inside the
 * box. */
void grid_sort(struct grid *g, const double *x);

/* Returns the clusters *begin ... *end-1 of a column that may have an atom with z from low to
 * high. */
void grid_span(const struct grid *g, int column, double low, double high, int *begin, int *end);

/* Returns the column index of a coordinate among the nx (axis 0) or ny (axis 1) columns, clamped to
 * the grid. */
int grid_column_at(const struct grid *g, int axis, double value);
