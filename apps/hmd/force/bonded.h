/* bonded.h - energies and forces of the bonded terms.
 *
 * Each function computes the terms first ... last-1 of its list, adds forces (the negative
 * gradient) to f, and returns the energy in kcal/mol. x and f have 3 * natom numbers.
 * Displacements are nearest images.  The functional forms are documented in the comments of the
 * CHARMM22 parameter file; forces follow by the chain rule (torsions: Blondel & Karplus, J.
 * Comput.  Chem. 17, 1132 (1996), eq. 27).
 */
#pragma once

#include "scheme.h"
#include "system.h"

/* `bond` is the list of bonds, or that of Urey-Bradley terms. */
double bonded_bonds(const struct system *s, const struct system_bond *bond, const double *x,
                    double *f, int first, int last);
/* k (theta - theta0)^2, with theta in radians. */
double bonded_angles(const struct system *s, const double *x, double *f, int first, int last);
/* `torsion`: dihedrals, impropers, or the script's dihedral restraints. */
double bonded_torsions(const struct system *s, const struct system_torsion *torsion,
                       const double *x, double *f, int first, int last);
/* CMAP terms; s->term.map must have been prepared (cmap.h). */
double bonded_crosses(const struct system *s, const double *x, double *f, int first, int last);
/* Positional restraints; without nearest images, because atoms are not wrapped. */
double bonded_anchors(const struct system *s, const double *x, double *f, int first, int last);
/* 1-4 pairs in the cut-off scheme, as in CHARMM; with Ewald their charges interact fully, and
 * ewald_excluded() subtracts the reciprocal part.  Adds to *elec and *vdw. */
void bonded_pairs14(const struct system *s, const struct scheme *scheme, const double *x, double *f,
                    int first, int last, double *elec, double *vdw);

/* A dihedral angle in (-pi, pi] and its gradient with respect to the four atoms. */
double bonded_dihedral(const struct system *s, const double *x, const int atom[4],
                       double grad[4][3]);
/* Adds -de/dphi times the gradient of a dihedral to the forces of its atoms. */
void bonded_dihedral_force(double *f, const int atom[4], double grad[4][3], double slope);
