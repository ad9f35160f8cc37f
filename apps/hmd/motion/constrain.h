/* constrain.h - bonds of fixed length: SHAKE, and SETTLE for rigid water.
 *
 * Constraints form groups of connected atoms; each group is solved separately.  A group of three
 * atoms with two equal bonds and a constrained third side is rigid water, which is solved in closed
 * form (Miyamoto & Kollman, J.  Comput.  Chem. 13, 952 (1992)).  Other groups are solved by
 * repeated corrections of one bond after the other (Ryckaert, Ciccotti & Berendsen, J.  Comput.
 * Phys. 23, 327 (1977)) until all are within the tolerance.
 */
#pragma once

#include "err.h"
#include "system.h"

/* SHAKE's words: none, BONH, BOND. */
enum constrain_kind { CONSTRAIN_NONE, CONSTRAIN_HYDROGEN, CONSTRAIN_BONDS };

/* x_i - x_j|^2 = r2. */
struct constrain_pair {
    int i, j;
    double r2; /* squared length */
};

/* A range of the pairs, whose atoms hang together. */
struct constrain_group {
    int first, pairs; /* its constraints */
    int low, high;    /* its first and last atom */
    int water;        /* 0; else pair[first] is O-H, pair[first+1] O-H', pair[first+2] H-H' */
};

/* Made once for a run, equal on all tasks, and not changed by solving. The integrator has a copy
 * with its own masses; arrays are shared. */
struct constrain {
    const struct system *s;
    const double *mass; /* masses that weight corrections; by default the system's */
    double tolerance;   /* relative, of lengths */
    struct constrain_pair *pair;
    struct constrain_group *group;
    int pairs, groups;
};

/* Constrains the bonds selected by `kind`: those with a hydrogen (an atom lighter than 3.6 amu), or
 * all. Ties between two frozen atoms, and those marked loose, are left out. */
void constrain_init(struct constrain *c, const struct system *s, enum constrain_kind kind,
                    double tolerance);
void constrain_free(struct constrain *c);

/* Divides the atoms into `size` contiguous, about equal blocks that divide neither a group nor a
 * lone pair from its hosts.  Block r is first[r] ... first[r + 1] - 1. */
void constrain_blocks(const struct constrain *c, int size, int *first);

/* Corrects the positions y (3 * natom) of all groups within [low, high) along the bonds of the
 * reference x.  Adds the sum of m (x_i - x_1) . (correction of y_i) over the groups, along x, y and
 * z, to virial[3] (with forces m correction / dt^2 this is their virial); m is c->mass.  ERR_RUN,
 * naming atoms, if a group does not converge in 1000 rounds. */
int constrain_apply(const struct constrain *c, const double *x, double *y, int low, int high,
                    double *virial, struct err *e);

/* Removes from the forces f (3 * natom) on the atoms of all groups what would change a length at x:
 * the rest is tangential to the constraint surface.  Frozen atoms must have no force. For
 * minimisation: moves along the result keep lengths to first order. */
void constrain_project(const struct constrain *c, const double *x, double *f);
