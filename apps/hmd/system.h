/* system.h - the molecule for the energy functions: atoms and terms with their parameters.
 *
 * It is made from a PSF and a force field (bind.c, exclude.c); afterwards no names are used.
 * Units: Angstrom, kcal/mol, amu, electron charges, radians.  Every task has all of it.
 */
#pragma once

#include "cell.h"

#include "err.h"
#include "param.h"
#include "psf.h"

/* Lists of terms are divided among the tasks by index (share.h), so their order is the same in all
 * tasks. i, j, k, l are indices of atoms, from 0. */
struct system_bond { /* k (r - r0)^2; also a Urey-Bradley term */
    int i, j;
    double k, r0;
};

struct system_tie { /* any bond of the structure and its length, for constraints */
    int i, j;
    double r0;
    int loose; /* never constrained, whatever the run constrains (SHAKE SELE) */
};

struct system_angle { /* k (theta - theta0)^2 */
    int i, j, k;
    double force, theta0;
};

struct system_torsion { /* n > 0: k (1 + cos(n phi - delta)); n = 0: k (phi - delta)^2; n < 0: k */
    int i, j, k, l, n;
    double force, delta;
    double width; /* n = 0: no force within this distance of delta, k (|phi - delta| - width)^2
                     beyond */
};

/* A CMAP term: atoms 0 to 3 define phi, atoms 4 to 7 psi. */
struct system_cross {
    int atom[8];
    int map;
};

/* Owned by the system; several terms share a map. */
struct system_map { /* a CMAP with its derivatives, cmap.c */
    int n;
    double *value; /* n * n * 4: f, df/dphi, df/dpsi, d2f/dphi dpsi, by grid step */
};

/* All factors are multiplied out in advance, so that a pair needs no look-up. */
struct system_pair14 {
    int i, j;
    double qq, a, b; /* C q q e14fac / eps; eps Rmin^12, 2 eps Rmin^6 with the 1-4 parameters */
};

/* k in kcal/mol per Angstrom to the power `power`; `at` is a place in Angstrom. */
struct system_anchor { /* k d^power, d^2 the sum of scale (x - at)^2: a positional restraint */
    int atom, power;
    double k, scale[3], at[3];
};

/* Construction of a lone pair from its hosts, see lonepair.h. */
enum lonepair_kind { LONEPAIR_CENTRE, LONEPAIR_LINE, LONEPAIR_RELATIVE, LONEPAIR_BISECTOR };

struct system_lonepair {
    int atom;
    enum lonepair_kind kind;
    int first, hosts; /* in system.lonepair_host, lonepair_weight */
    double v[3];      /* line: distance, scale; relative and bisector: along the axes */
};

/* Lennard-Jones, by atom and by type. A pair of atoms has eps = sqrt_eps_i sqrt_eps_j and Rmin =
 * rmin2_i + rmin2_j. Other pairs (NBFIX, geometric means) are only in the tables a and b. */
struct system_lj {
    double *sqrt_eps, *rmin2;
    int *type;              /* 0 ... ntype-1 */
    unsigned char *special; /* the atom's type has pairs whose Rmin is not the sum */
    int ntype;
    double *a, *b;         /* ntype * ntype pair tables */
    double tail_a, tail_b; /* sums over all pairs of atoms, each twice, for LRC; else 0 */
};

/* The bonded terms. Owned by the system and freed with it. The n... are the lengths of the
 * lists. */
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

/* Restraints of the script, in addition to the force field; memory of the script. Not part of the
 * virial, and not owned: the script keeps the memory until it changes the restraints. */
struct system_held {
    const struct system_anchor *anchor;
    int nanchor;
    const struct system_torsion *twist; /* dihedral restraints */
    int ntwist;
    /* By atom: fixed (NULL: none is); from the script, or from the PSF. */
    const unsigned char *frozen;
    int nfrozen; /* not counting lone pairs */
};

/* Made once by system_make() and constant during a run, apart from `cell`, which a barostat
 * changes, and `fixed`. Charges contain the constant of Coulomb's law, so that an energy is q_i q_j
 * / r. */
struct system {
    int natom;
    double *mass, *charge; /* mass is 0 for a lone pair; charge times sqrt(C / eps) */
    struct system_lj lj;
    struct system_terms term;
    int *excluded_first; /* natom + 1 */
    int *excluded;       /* sorted partners: 1-2, 1-3, 1-4 and the PSF's own */
    struct system_lonepair *lonepair;
    int *lonepair_host;
    double *lonepair_weight; /* of the hosts, if the centre is used */
    int nlonepair;
    struct cell cell; /* the periodic box, if there is one */
    int fixed;        /* degrees of freedom removed by constraints (set by a run) */
    struct system_held held;
};

/* Omitted terms (hmd -skip). 1: the term is left out. */
struct system_skip {
    int bond, angle, urey, dihedral, improper, cmap, vdw, elec;
    int harm, cdih; /* a script's restraints */
};

/* Assigns parameters to every term of the PSF.  Returns 0, or a status with a message that names
 * term, atoms and files if one is missing.  Call system_free() in either case. */
int system_make(struct system *s, const struct psf *psf, struct param *p,
                const struct system_skip *skip, const double box[3], struct err *e);
void system_free(struct system *s);

/* True if no atom is frozen or restrained to a place: then the motion of the whole is conserved. */
int system_floats(const struct system *s);
/* Number of degrees of freedom of all but lone pairs and frozen atoms, less `fixed`.  If the system
 * floats, the centre of mass is at rest, and in vacuum there is no rotation (as in CHARMM). */
int system_freedom(const struct system *s);
/* True if an atom is fixed. */
int system_frozen(const struct system *s, int atom);
/* Sets the forces on frozen atoms to 0, among the atoms first ... last-1 (f[0] is of `first`). */
void system_hold(const struct system *s, double *f, int first, int last);

/* exclude.c: fills in excluded_first, excluded and the atoms of pair14 from bonds and lone pairs,
 * according to CHARMM's NBXMOD (1 to 5, or negative: without the PSF's own list). */
void system_exclude(struct system *s, const struct psf *psf, int nbxmod);

/* whole.c: multiples of the box (3 * natom) that, added to x, make every molecule whole. Atoms that
 * are connected by excluded pairs belong to one molecule. */
void system_whole(const struct system *s, const double *x, double *shift);

/* Displacement a - b, nearest image. Without a box this is the plain difference. */
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
