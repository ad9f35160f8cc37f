/* scheme.h - how pair interactions end at the cut-off: CHARMM's schemes, and one pair's energy.
 *
 * Units: kcal/mol, Angstrom, electron charges.  qq below is C q_i q_j / eps, A = eps Rmin^12,
 * B = 2 eps Rmin^6, so that the bare interactions are qq / r and A / r^12 - B / r^6.
 *
 *   SHIFT     (qq/r) (1 - (r/roff)^2)^2                                   CHARMM, nbonds.doc
 *   FSHIFT    (qq/r) (1 - r/roff)^2                       Steinbach & Brooks, JCC 15, 667 (1994)
 *   FSWITCH   the force is qq / r^2, above ron times S(r^2) of SWITCH; the energy is the force's
 *             integral from r to roff: qq (1/r + constant) below ron     Steinbach & Brooks
 *   (V)SWITCH E(r) S(r^2), S(u) = (o-u)^2 (o+2u-3n) / (o-n)^3 between n = ron^2 and o = roff^2
 *                                                        Brooks et al., JCC 4, 187 (1983)
 *   VFSWITCH  A (1/r^12 - 1/(ron roff)^6) - B (1/r^6 - 1/(ron roff)^3) below ron,
 *             kA (1/r^6 - 1/roff^6)^2 - kB (1/r^3 - 1/roff^3)^2 above       Steinbach & Brooks
 *   VSHIFT    A (1/r^12 + 2 r^6/roff^18 - 3/roff^12) - B (1/r^6 + r^6/roff^12 - 2/roff^6):
 *             energy and force vanish at roff                              CHARMM, nbonds.doc
 *   TRUNCATE  the bare interaction below roff
 *   EWALD     qq erfc(kappa r) / r, the part of Ewald's sum in real space, see ewald.h
 *   RSHIFT, RSWITCH, RTRUNCATE  SHIFT, SWITCH, TRUNCATE with a dielectric constant that is the
 *             distance (RDIE): qq / r^2 in the place of qq / r           CHARMM, nbonds.doc
 *
 * Where ron >= roff a switch is a truncation, as in CHARMM.
 */
#pragma once

/* Formulae are above. The order is that of the names in scheme.c. */
enum scheme_elec {
    SCHEME_ELEC_SHIFT,
    SCHEME_ELEC_SWITCH,
    SCHEME_ELEC_FSHIFT,
    SCHEME_ELEC_TRUNCATE,
    SCHEME_ELEC_EWALD,
    SCHEME_ELEC_RSHIFT,
    SCHEME_ELEC_RSWITCH,
    SCHEME_ELEC_RTRUNCATE,
    SCHEME_ELEC_FSWITCH,
    SCHEME_ELECS
};
/* The same for Lennard-Jones. */
enum scheme_vdw {
    SCHEME_VDW_SWITCH,
    SCHEME_VDW_SHIFT,
    SCHEME_VDW_FSWITCH,
    SCHEME_VDW_TRUNCATE,
    SCHEME_VDWS
};

#define SCHEME_COULOMB 332.0716 /* C, kcal Angstrom / (mol e^2): CHARMM's CCELEC */

/* Parameters of Ewald's sum; zeros are chosen by ewald_choose(). */
struct scheme_ewald {
    int pme;      /* by particle mesh; else exact */
    double kappa; /* 1/Angstrom */
    int order;    /* PME: order of the splines */
    int grid[3];  /* PME: points along the axes */
    int waves[3]; /* exact: waves along the axes */
    int bare;     /* no correction for a net charge */
};

/* Derived constants are computed once; the kernels read them as broadcast values. A value type
 * without owned memory. */
struct scheme {
    enum scheme_elec elec;
    enum scheme_vdw vdw;
    double roff, ron;                       /* ctofnb, ctonnb; roff huge without a cut-off */
    double roff2, ron2, roff2_inv;          /* squares, 1 / roff^2 */
    double switch_norm;                     /* 1 / (roff^2 - ron^2)^3 */
    double roff3_inv, roff6_inv;            /* 1 / roff^3, 1 / roff^6 */
    double fsw_c12, fsw_c6, fsw_ka, fsw_kb; /* VFSWITCH: constants below ron, factors above */
    double fsw_q[4];           /* FSWITCH: force / qq above ron, of r^-2, 1, r^2, r^4 */
    double fsw_near, fsw_far;  /* FSWITCH: constants added to energy / qq below ron, above */
    struct scheme_ewald ewald; /* if elec is SCHEME_ELEC_EWALD */
};

/* Makes a scheme. roff > 0; a switch with ron >= roff becomes a truncation. */
struct scheme scheme_make(enum scheme_elec elec, enum scheme_vdw vdw, double roff, double ron);
/* Makes a scheme without a cut-off. roff is 1e30 Angstrom: larger than every distance, while its
 * powers used here stay finite or become 0. */
struct scheme scheme_none(void);

/* Convert names used in options and parameter files; -1: no such scheme.  "ewald" and "pme" are the
 * same here. */
int scheme_elec_of(const char *name);
/* -1: no such scheme. */
int scheme_vdw_of(const char *name);
/* The names of hmd's options. */
const char *scheme_elec_name(enum scheme_elec elec);
const char *scheme_vdw_name(enum scheme_vdw vdw);

/* Energies of one pair at squared distance r2.  Returns F such that the force on i is F * (x_i -
 * x_j).  All zero from roff on.  This is the reference for the vector kernels; it also computes 1-4
 * pairs. qq, a, b as at the top of this file. */
double scheme_pair(const struct scheme *s, double r2, double qq, double a, double b, double *elec,
                   double *vdw);
