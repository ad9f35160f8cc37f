/* cell_grid.c - see cell_grid.h. */
#include "cell_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "mem.h"

void grid_init(struct grid *g, int natom, const struct cell *cell)
{
    memset(g, 0, sizeof *g);
    g->natom = natom;
    g->cell = *cell;
    g->place = mem_new(3 * (size_t)natom, sizeof(double));
    g->image = mem_new(3 * (size_t)natom, sizeof(double));
    g->column = mem_new((size_t)natom, sizeof(int));
    g->slot = mem_new((size_t)natom, sizeof(int));
}

void grid_free(struct grid *g)
{
    mem_free(g->place);
    mem_free(g->image);
    mem_free(g->column);
    mem_free(g->slot);
    mem_free(g->first);
    mem_free(g->atom);
    mem_free(g->bound);
    memset(g, 0, sizeof *g);
}

/* Finds the shift that moves each atom into the box. floor() moves coordinates into [0, 1) of each
 * vector. One multiplication for boxes with right angles: the result must be equal on all
 * processors. */
static void grid_images(struct grid *g, const double *x)
{
    const struct cell *c = &g->cell;
    for (size_t i = 0; i < (size_t)g->natom; i++) {
        double n[3], *image = g->image + 3 * i;
        for (int k = 0; k < 3; k++) {
            double fraction = cell_tilted(c) ? cell_fraction(c, k, x + 3 * i)
                                             : x[3 * i + (size_t)k] * c->inverse[k][k];
            /* Whole numbers of box vectors. */
            n[k] = -floor(fraction);
            image[k] = c->box[k] * n[k];
        }
        if (cell_tilted(c))
            cell_vector(c, n, image);
    }
}

/* Moves atoms into the box and determines their extent. */
static void grid_place(struct grid *g, const double *x)
{
    double high[3];
    grid_images(g, x);
    for (int k = 0; k < 3; k++) {
        g->low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
        for (int i = 0; i < g->natom; i++) {
            size_t n = 3 * (size_t)i + (size_t)k;
            double p = g->place[n] = x[n] + g->image[n];
            g->low[k] = p < g->low[k] ? p : g->low[k];
            high[k] = p > high[k] ? p : high[k];
        }
        g->size[k] = high[k] - g->low[k];
    }
}

/* Chooses the width of columns so that four atoms at the mean density fill a cube; at most as many
 * columns as atoms. */
static void grid_layout(struct grid *g)
{
    double volume = 1;
    for (int k = 0; k < 3; k++)
        volume *= g->size[k] > 1 ? g->size[k] : 1;
    double side = cbrt(KERNEL_WIDTH * volume / g->natom);
    double n[2];
    for (int k = 0; k < 2; k++) {
        n[k] = floor(g->size[k] / side);
        n[k] = n[k] < 1 ? 1 : n[k] > 4096 ? 4096 : n[k];
    }
    /* Long thin systems would have more columns than atoms: the longer side is halved until they
     * fit. */
    while (n[0] * n[1] > g->natom)
        n[n[1] > n[0]] = ceil(n[n[1] > n[0]] / 2);
    g->nx = (int)n[0];
    g->ny = (int)n[1];
    g->width[0] = g->size[0] > 0 ? g->size[0] / n[0] : 1;
    g->width[1] = g->size[1] > 0 ? g->size[1] / n[1] : 1;
}

/* Places beyond the edge belong to the first or last column. */
int grid_column_at(const struct grid *g, int axis, double value)
{
    int last = (axis ? g->ny : g->nx) - 1;
    double c = floor((value - g->low[axis]) / g->width[axis]);
    return c < 0 ? 0 : c > last ? last : (int)c;
}

/* For sorting the atoms of a column by height. */
struct grid_key {
    double z;
    int atom;
};

/* The atom number makes the order total, so qsort()'s instability does not matter. */
static int grid_compare(const void *pa, const void *pb)
{
    const struct grid_key *a = pa, *b = pb;
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    return (a->atom > b->atom) - (a->atom < b->atom);
}

/* Empty slots do not count. */
static void grid_bound_of(struct grid *g, int cluster)
{
    struct grid_bound *b = &g->bound[cluster];
    for (int k = 0; k < 3; k++) {
        b->low[k] = HUGE_VAL;
        b->high[k] = -HUGE_VAL;
        for (int s = 0; s < KERNEL_WIDTH; s++) {
            int i = g->atom[cluster * KERNEL_WIDTH + s];
            if (i < 0)
                continue;
            double p = g->place[3 * (size_t)i + (size_t)k];
            b->low[k] = p < b->low[k] ? p : b->low[k];
            b->high[k] = p > b->high[k] ? p : b->high[k];
        }
    }
}

/* Numbers the clusters; start[c] becomes the index of column c's first atom in a dense order.
 * start[] must be zero on entry and has one element more than columns. */
static void grid_count(struct grid *g, int *start)
{
    int columns = g->nx * g->ny;
    mem_grow(&g->first, &g->first_room, (size_t)columns + 1, sizeof *g->first);
    for (int i = 0; i < g->natom; i++) {
        const double *p = &g->place[3 * (size_t)i];
        g->column[i] = grid_column_at(g, 0, p[0]) * g->ny + grid_column_at(g, 1, p[1]);
        start[g->column[i] + 1]++;
    }
    g->clusters = 0;
    for (int c = 0; c < columns; c++) {
        g->first[c] = g->clusters;
        /* Each column is filled up to whole clusters. */
        g->clusters += (start[c + 1] + KERNEL_WIDTH - 1) / KERNEL_WIDTH;
        start[c + 1] += start[c];
    }
    g->first[columns] = g->clusters;
}

/* O(n log n) in the number of atoms of a column. The order depends only on places, so every task
 * gets the same. */
void grid_sort(struct grid *g, const double *x)
{
    grid_place(g, x);
    grid_layout(g);
    int columns = g->nx * g->ny;
    int *start = mem_new((size_t)columns + 1, sizeof *start);
    int *fill = mem_new((size_t)columns, sizeof *fill);
    struct grid_key *key = mem_new((size_t)g->natom, sizeof *key);
    grid_count(g, start);
    for (int i = 0; i < g->natom; i++)
        key[start[g->column[i]] + fill[g->column[i]]++] =
            (struct grid_key){g->place[3 * (size_t)i + 2], i};
    mem_grow(&g->atom, &g->atom_room, (size_t)g->clusters * KERNEL_WIDTH, sizeof *g->atom);
    mem_grow(&g->bound, &g->bound_room, (size_t)g->clusters, sizeof *g->bound);
    for (int s = 0; s < g->clusters * KERNEL_WIDTH; s++)
        g->atom[s] = -1;
    /* Keys are contiguous for each column now, because `start` was counted first (counting
     * sort). */
    for (int c = 0; c < columns; c++) {
        int n = start[c + 1] - start[c];
        qsort(key + start[c], (size_t)n, sizeof *key, grid_compare);
        for (int k = 0; k < n; k++) {
            int i = key[start[c] + k].atom;
            g->slot[i] = g->first[c] * KERNEL_WIDTH + k;
            g->atom[g->slot[i]] = i;
        }
    }
    for (int c = 0; c < g->clusters; c++)
        grid_bound_of(g, c);
    mem_free(start);
    mem_free(fill);
    mem_free(key);
}

/* Binary search, which is correct because clusters of a column ascend in z. */
void grid_span(const struct grid *g, int column, double low, double high, int *begin, int *end)
{
    int a = g->first[column], b = g->first[column + 1], stop = b;
    while (a < b) { /* first cluster that extends above low */
        int middle = (a + b) / 2;
        if (g->bound[middle].high[2] < low)
            a = middle + 1;
        else
            b = middle;
    }
    *begin = a;
    b = stop;
    while (a < b) { /* first cluster that begins above high */
        int middle = (a + b) / 2;
        if (g->bound[middle].low[2] <= high)
            a = middle + 1;
        else
            b = middle;
    }
    *end = a;
}
