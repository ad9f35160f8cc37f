/* system.h - the molecule as the energy functions need it: atoms and terms with their parameters.
 *
 * Made from a PSF and a force field (bind.c, exclude.c); after that nothing knows about names any
 * more.  Units: Angstrom, kcal/mol, amu, electron charges, radians.  Every task holds all of it.
 */
#pragma once

#include "cell.h"

#include "err.h"
#include "param.h"
#include "psf.h"

struct system_bond { /* k (r - r0)^2; also a Urey-Bradley term */
    int i, j;
    double k, r0;
};

struct system_tie { /* any bond of the structure and its length, for constraints */
    int i, j;
    double r0;
    int loose; /* never constrained, whatever the run ties (SHAKE SELE) */
};

struct system_angle { /* k (theta - theta0)^2 */
    int i, j, k;
    double force, theta0;
};

struct system_torsion { /* n > 0: k (1 + cos(n phi - delta)); n = 0: k (phi - delta)^2 */
    int i, j, k, l, n;
    double force, delta;
    double width; /* n = 0: nothing as near as this to delta, k (|phi - delta| - width)^2 beyond */
};

struct system_cross {
    int atom[8];
    int map;
};

struct system_map { /* a CMAP with its derivatives, cmap.c */
    int n;
    double *value; /* n * n * 4: f, df/dphi, df/dpsi, d2f/dphi dpsi, by grid step */
};

struct system_pair14 {
    int i, j;
    double qq, a, b; /* C q q e14fac / eps; eps Rmin^12, 2 eps Rmin^6 with the 1-4 parameters */
};

struct system_anchor { /* k (x - at)^power along each axis: a restraint to a place */
    int atom, power;
    double k[3], at[3];
};

/* How hosts place a lone pair, see lonepair.h. */
enum lonepair_kind { LONEPAIR_CENTRE, LONEPAIR_LINE, LONEPAIR_RELATIVE, LONEPAIR_BISECTOR };

struct system_lonepair {
    int atom;
    enum lonepair_kind kind;
    int first, hosts; /* in system.lonepair_host, lonepair_weight */
    double v[3];      /* line: distance, scale; relative and bisector: along the axes */
};

/* Lennard-Jones, by atom and by type. */
struct system_lj {
    double *sqrt_eps, *rmin2;
    int *type;              /* 0 ... ntype-1 */
    unsigned char *special; /* the atom's type has pairs that do not combine by sums of Rmin */
    int ntype;
    double *a, *b;         /* ntype * ntype pair tables */
    double tail_a, tail_b; /* their sums over all atoms twice, for LRC; 0 without */
};

/* The terms between atoms that bonds join. */
struct system_terms {
    struct system_tie *tie;
    struct system_bond *bond, *urey;
    struct system_angle *angle;
    struct system_torsion *dihedral, *improper;
    struct system_cross *cross;
    struct system_map *map;
    struct system_pair14 *pair14;
    int ntie, nbond, nurey, nangle, ndihedral, nimproper, ncross, nmap, npair14;
};

/* Restraints of the script, beside the force field; the script's memory. */
struct system_held {
    const struct system_anchor *anchor;
    int nanchor;
    const struct system_torsion *twist; /* restraints to dihedral angles */
    int ntwist;
    /* By atom: it stays where it is (NULL: none does); the script's, or the PSF's. */
    const unsigned char *frozen;
    int nfrozen; /* lone pairs not counted */
};

struct system {
    int natom;
    double *mass, *charge; /* a lone pair's mass is 0; charge times sqrt(C / eps) */
    struct system_lj lj;
    struct system_terms term;
    int *excluded_first; /* natom + 1 */
    int *excluded;       /* sorted partners: 1-2, 1-3, 1-4 and the PSF's own */
    struct system_lonepair *lonepair;
    int *lonepair_host;
    double *lonepair_weight; /* of the hosts, where the centre counts */
    int nlonepair;
    struct cell cell; /* the periodic boundary, if there is one */
    int fixed;        /* degrees of freedom that constraints take (a run sets it) */
    struct system_held held;
};

/* Which terms are left out (hmd -skip). */
struct system_skip {
    int bond, angle, urey, dihedral, improper, cmap, vdw, elec;
    int harm, cdih; /* a script's restraints */
};

/* Gives every term of the PSF its parameters.  0, or a status with a message that names term, atoms
 * and files when one is missing.  *s must be given to system_free() in either case. */
int system_make(struct system *s, const struct psf *psf, struct param *p,
                const struct system_skip *skip, const double box[3], struct err *e);
void system_free(struct system *s);

/* Number of degrees of freedom of all but lone pairs and frozen atoms, less `fixed`; where none is
 * frozen the centre of mass is at rest, and there is no rotation in vacuum (CHARMM). */
int system_freedom(const struct system *s);
/* Whether an atom is held where it is. */
int system_frozen(const struct system *s, int atom);
/* Takes the forces on frozen atoms out of those on the atoms first ... last-1 (f[0] is of `first`).
 */
void system_hold(const struct system *s, double *f, int first, int last);

/* exclude.c: fills excluded_first, excluded and the atoms of pair14 from bonds and lone pairs, by
 * CHARMM's NBXMOD (1 to 5, or negative: without the PSF's own list). */
void system_exclude(struct system *s, const struct psf *psf, int nbxmod);

/* whole.c: multiples of the box (3 * natom) that, added to x, make every molecule whole. */
void system_whole(const struct system *s, const double *x, double *shift);

/* Displacement a - b, nearest image. */
static inline void system_delta(const struct system *s, const double *a, const double *b,
                                double d[3])
{
    double image[3];
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
    cell_nearest(&s->cell, d, image);
    for (int k = 0; k < 3; k++)
        d[k] -= image[k];
}
