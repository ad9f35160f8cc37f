/* restraint.h - restraints that scripts put on groups of atoms: CHARMM's MMFP GEO, NOE, RESD, CONS
 * RMSD and RGYR.
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
    RESTRAINT_AXIS,     /* r: distance from the line through a second and a third group */
    RESTRAINT_ANGLE,    /* r: how far the angle of three groups is from at[0], radians */
    RESTRAINT_DIHEDRAL, /* r: how far the dihedral of four groups is from at[0] */
    RESTRAINT_NOE,      /* r: a mean of distances between two groups, or to a point */
    RESTRAINT_SUM,      /* r: a sum of powers of distances (RESD) */
    RESTRAINT_SHAPE,    /* r: how far atoms are from a reference, root mean square (CONS RMSD); with
                           a second group, the same atoms at the places of another reference, how far
                           they are from that one less how far from the first */
    RESTRAINT_GYRATION, /* r: ... from their centre (RGYR) */
    RESTRAINT_PLACES,   /* as SHAPE, of RGYR ... RMSD */
    RESTRAINT_BESTFIT   /* as SHAPE, of CONS HARM BESTFIT */
};

/* Which side of `off` has the energy: INSIDE keeps what it holds inside, so beyond.  BOTH and
 * SYMMETRIC differ for a plane only. */
enum restraint_side { RESTRAINT_INSIDE, RESTRAINT_OUTSIDE, RESTRAINT_SYMMETRIC, RESTRAINT_BOTH };

enum restraint_form {                        /* with d = r - off */
                      RESTRAINT_HARMONIC,    /* force d^2 / 2 */
                      RESTRAINT_QUARTIC,     /* force d^2 (d^2 - p1) */
                      RESTRAINT_EXPONENTIAL, /* force exp(-d / p1) / 2; force (1 - exp(d / p1) / 2)
                                                where d < 0 */
                      RESTRAINT_SAXON_WOOD /* force / (1 + exp((p2 - |d|) / p1)), less that for d =
                                              0 */
};

struct restraint_wall {
    enum restraint_side side;
    enum restraint_form form;
    double force, off, p1, p2;
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

struct restraint_shape { /* force (r - target)^2 */
    double force, target;
    int turns, moves; /* the reference may, to where r is least; it turns about the origin where it
                         does not move */
    int flat;         /* nothing where r is below target */
};

struct restraint {
    enum restraint_kind kind;
    int skipped;      /* not computed (SKIPE) */
    int first, count; /* its atoms in system.restraint_atom, with system.restraint_weight: a group's
                         parts in its centre; or (RESTRAINT_SUM) pairs, c_k with the first atom;
                         in system.restraint_place those of the reference */
    int more[3];      /* of these the last belong to a second, third and fourth group, so many to
                         each; 0: there is none, and for the second the place `at` */
    double at[3];
    double scale;
    union {
        struct restraint_wall wall;
        struct restraint_noe noe;
        struct restraint_sum sum;
        struct restraint_shape shape;
    } u;
};

/* Energy of one restraint of any kind; its forces are added to f (3 * natom), to virial[3] the sum
 * of x f where they act between atoms. */
double restraint_energy(const struct system *s, const struct restraint *r, const double *x,
                        double *f, double *virial);
/* ... of one of MMFP GEO's (restraint_geo.c), skipped or not. */
double restraint_geo(const struct system *s, const struct restraint *r, const double *x, double *f,
                     double *virial);
/* ... of one of CONS RMSD or RGYR (restraint_shape.c). */
double restraint_shape(const struct system *s, const struct restraint *r, const double *x,
                       double *f, double *virial);

#endif
