/* restraint.h - restraints that scripts put on groups of atoms: CHARMM's MMFP GEO, NOE and RESD.
 *
 * Source of the forms: CHARMM's mmfp.doc (the harmonic ones have a factor 1/2 there), cons.doc.
 * Atoms are where they have gone, as in CHARMM: no nearest images.  Units: kcal/mol, Angstrom.
 */
#ifndef HMD_RESTRAINT_H
#define HMD_RESTRAINT_H

struct system;

enum restraint_kind {
    RESTRAINT_SPHERE,   /* r: distance from a point, or between two groups */
    RESTRAINT_CYLINDER, /* r: distance from an axis */
    RESTRAINT_PLANE,    /* r: distance from a plane, with its sign where the wall is symmetric */
    RESTRAINT_NOE,      /* r: a mean of distances between two groups, or to a point */
    RESTRAINT_SUM       /* r: a sum of powers of distances (RESD) */
};

/* Which side of `off` has the energy: INSIDE keeps what it holds inside, so beyond. */
enum restraint_side { RESTRAINT_INSIDE, RESTRAINT_OUTSIDE, RESTRAINT_SYMMETRIC };

struct restraint_wall { /* with d = r - off: force d^2 / 2, or force d^2 (d^2 - p1) beyond it */
    enum restraint_side side;
    int quartic;
    double force, off, p1;
    double along[3]; /* of the axis, or normal to the plane; its length is 1 */
};

/* kmin (r - rmin)^2 / 2 below rmin, kmax (r - rmax)^2 / 2 above rmax, then a line of slope fmax; or
 * with soft > 0 from rmax + soft on a + b / (r - rmax)^power + fmax (r - rmax), a and b so that
 * energy and force go on. */
struct restraint_noe {
    double kmin, rmin, kmax, rmax, fmax, soft, power;
    double mean; /* r = (mean of r_ij^mean)^(1 / mean), or of their sum */
    int sum, nearest;
};

struct restraint_sum { /* with d = sum of c_k r_k^power - target: force d^order / order */
    double force, target;
    int power, order, sign; /* sign: where d is above, below 0 only; 0: everywhere */
};

struct restraint {
    enum restraint_kind kind;
    int skipped;      /* not computed (SKIPE) */
    int first, count; /* its atoms in system.restraint_atom, with system.restraint_weight: a group's
                         parts in its centre; or (RESTRAINT_SUM) pairs, c_k with the first atom */
    int other;        /* of these so many belong to a second group; 0: the place `at` */
    double at[3];
    double scale;
    union {
        struct restraint_wall wall;
        struct restraint_noe noe;
        struct restraint_sum sum;
    } u;
};

/* Energy of one restraint; its forces are added to f (3 * natom), to *virial the sum of x f where
 * they act between atoms. */
double restraint_energy(const struct system *s, const struct restraint *r, const double *x,
                        double *f, double *virial);

#endif
