/* pairlist.h - the neighbour list: the cluster pairs that a task computes.
 *
 * A list contains the pairs of clusters with two atoms nearer than cutnb, each pair once (for every
 * near periodic image).  It is valid until some atom has moved by half of cutnb - ctofnb.
 *
 * The cluster of a pair that gets it into its row alternates with their numbers, so that rows have
 * equal length.  The rows are divided into contiguous ranges, in the order of the ring (share.h):
 * each task gets its share of the estimated cost.  Every task makes the estimate for all rows from
 * the same numbers, so the ranges match without a message.  Cost: estimate O(N) on every task, the
 * list itself O(N / tasks).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cell_grid.h"
#include "kernel.h"
#include "share.h"

/* Owned by struct energy. Arrays grow and are reused. mask[k] belongs to j[k]; rows refer to ranges
 * of j. */
struct pairlist {
    struct kernel_row *row;
    size_t rows, row_room;
    int *j;
    uint16_t *mask;
    size_t n, j_room, mask_room;
    uint16_t *block; /* clusters: excluded pairs of the open row's cluster */
    size_t block_room;
    double *cost; /* clusters: estimated */
    size_t cost_room;
};

/* The request for a list. Everything is equal on all tasks but `rank`. */
struct pairlist_request {
    const struct grid *grid;
    double cutoff;                /* cutnb; huge without a cut-off */
    const int *excluded_first;    /* natom + 1: index of an atom's first excluded partner */
    const int *excluded;          /* the partners, of both atoms of a pair */
    const unsigned char *special; /* natom: the atom's type has pairs that are only in the tables */
    const unsigned char *fixed;   /* natom, or NULL: pairs of two fixed atoms are left out */
    int rank;
    const struct share *share;
};

void pairlist_build(struct pairlist *l, const struct pairlist_request *q);
void pairlist_free(struct pairlist *l);
