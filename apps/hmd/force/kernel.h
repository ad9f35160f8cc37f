/* kernel.h - the innermost loops: all pairs of a list of cluster pairs.
 *
 * Atoms are in clusters of four, sorted by position (cell_grid.h), as structures of arrays, so that
 * the four atoms of a cluster are one vector of doubles.  A cluster pair is sixteen interactions:
 * each of the four i atoms with the vector of j atoms.  Only one vector per coordinate is loaded
 * and stored.  (Method: Pall & Hess, Comput.  Phys.  Commun. 184, 2641 (2013).)
 *
 * kernel.c is compiled once for the baseline architecture and, on x86-64, once more for AVX2 and
 * FMA; kernel_pick() selects what the processor supports.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "scheme.h"

enum { KERNEL_WIDTH = 4 }; /* atoms in a cluster, doubles in a vector */

/* Atoms in cluster order; arrays of KERNEL_WIDTH * clusters, aligned.  Empty slots have q = se = 0,
 * and are far away from everything and from each other. Structures of arrays in one piece of memory
 * (energy.c). */
struct kernel_atoms {
    double *x, *y, *z;    /* Angstrom */
    double *fx, *fy, *fz; /* forces, added to */
    double *q;            /* charge * sqrt(C / eps) */
    double *se, *rm;      /* sqrt(eps), Rmin / 2 */
    int *type;            /* row and column in the pair tables */
};

/* The j clusters that interact with an i cluster shifted by a box vector; `first` is their index in
 * the list. All pairs of a row have the same shift, which is added to the i atoms once. */
struct kernel_row {
    int ci;
    double shift[3];
    size_t first;
    uint32_t plain, special; /* number of j clusters without masks, and then of those with a mask or
                                a pair of NBFIX */
};

/* The virial needs only the shifts: the part of the atoms in the box follows from positions and
 * forces afterwards. */
struct kernel_job {
    const struct scheme *scheme;
    struct kernel_atoms atoms;
    const struct kernel_row *row;
    size_t rows;
    const int *j;         /* j clusters of the rows */
    const uint16_t *mask; /* bit 4 * (i atom) + (j atom): the pair counts */
    const double *a, *b;  /* pair tables A and B, ntype * ntype */
    int ntype;
    const double *ewald; /* cubics of erf(kappa r) / r over r^2, ewald.h */
    double ewald_scale;  /* converts r^2 to intervals of the table */
    int ewald_last;      /* the last interval */
    double virial[3]; /* along x, y, z: sum over rows of shift * force on the i cluster; added to */
    double elec, vdw; /* results, added to (only by kernels with energy) */
};

typedef void kernel_fn(struct kernel_job *job);

/* Returns the kernel for these schemes, with or without energies, for this processor. */
kernel_fn *kernel_pick(enum scheme_elec elec, enum scheme_vdw vdw, int energy);
/* The instruction set: "avx2" or "plain". */
const char *kernel_name(void);
