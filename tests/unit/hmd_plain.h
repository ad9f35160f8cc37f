/* hmd_plain.h - the energy of a system, written down a second time, as plainly as it can be.
 *
 * Knows the system's atoms, terms and parameters (system.h) and the functional forms of
 * docs/hmd.md, nothing of how hmd computes: all pairs in double loops, angles by arc cosines, maps
 * by splines along one angle after the other, Ewald's sum over waves without tricks.  Slow, and
 * only right.
 */
#pragma once

#include "param.h"
#include "scheme.h"
#include "system.h"

/* Energies by enum energy_term, kcal/mol; with Ewald's sum all of the electrostatics is in ELEC.
 * Where `only` is not negative, those of terms and pairs with this atom (not for Ewald's sum).
 * `maps` has the grids of cross terms. */
void plain_energy(const struct system *s, const struct param *maps, const double *x,
                  enum scheme_elec elec, enum scheme_vdw vdw, double roff, double ron, int only,
                  double *term);
