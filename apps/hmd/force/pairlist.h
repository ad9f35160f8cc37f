/* pairlist.h - the neighbour list: which clusters a task computes, and against which others.
 *
 * A list holds the pairs of clusters that have two atoms nearer than cutnb, each pair once (for
 * every periodic image that is near).  It stays good until some atom has moved by half of what
 * cutnb leaves beyond ctofnb.
 *
 * Of a pair of clusters, the one that gets it into its row alternates with their numbers, so that
 * rows are equally long.  The matrix of pairs is cut into `rows` contiguous ranges of clusters of
 * equal estimated cost, and each of these by the other cluster of a pair into tasks / rows columns,
 * where clusters are dealt out one by one: the task at place p of the ring (share.h) has column
 * p % columns of range p / columns.
 * With one column a task has all pairs of its rows.  The estimate is made by every task for all
 * rows from the same numbers, so the ranges fit together without a message.  Cost: estimate O(N) on
 * every task, the list itself O(N / tasks).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cell_grid.h"
#include "kernel.h"
#include "share.h"

struct pairlist {
    struct kernel_row *row;
    size_t rows, row_room;
    int *j;
    uint16_t *mask;
    size_t n, j_room, mask_room;
    uint16_t *block; /* clusters: pairs of the open row's cluster that do not count */
    size_t block_room;
    double *cost; /* clusters: estimated */
    size_t cost_room;
    size_t pairs; /* atom pairs in the list */
};

/* The request for a list. */
struct pairlist_request {
    const struct grid *grid;
    double cutoff;                /* cutnb; huge without a cut-off */
    const int *excluded_first;    /* natom + 1: where an atom's excluded partners begin */
    const int *excluded;          /* the partners, of both atoms of a pair */
    const unsigned char *special; /* natom: the atom's type has pairs that are in the tables only */
    int rank;
    int rows; /* of parts: a divisor of the number of tasks */
    const struct share *share;
};

void pairlist_build(struct pairlist *l, const struct pairlist_request *q);
void pairlist_free(struct pairlist *l);
