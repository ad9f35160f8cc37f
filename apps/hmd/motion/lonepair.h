/* lonepair.h - lone pairs: charges without mass that their hosts carry along.
 *
 * A lone pair is an atom of the structure that is where its hosts say (CHARMM's lonepair.doc):
 *
 *   COLOcate, CENTer  on the host, or the centre of geometry or mass of all
 *   COLInear          on the line of two: r1 + (scale + distance / |r1 - r2|) (r1 - r2)
 *   RELAtive          distance from host 1, angle lp-1-2, dihedral lp-1-2-3
 *   BISEctor          the same with M, half way between hosts 2 and 3, for host 2
 *
 * After atoms have moved it is placed anew; a force on it is handed to the hosts by the chain
 * rule, so that energy, momentum and angular momentum are kept.  It has no motion of its own: no
 * kinetic energy, no degree of freedom.  Cost: about 100 operations a lone pair and step.
 */
#pragma once

#include "psf.h"
#include "system.h"

/* Takes over the structure's lone pairs into s->lonepair. */
void lonepair_bind(struct system *s, const struct psf *psf);

/* Puts those of the atoms first ... last-1 where their hosts in x (3 * natom) say, beside the
 * first host.  Where hosts do not tell (they lie in a line, or on each other) x becomes no number.
 */
void lonepair_place(const struct system *s, double *x, int first, int last);

/* Hands the forces f on the lone pairs among the atoms first ... last-1 (f[0] is of `first`), where
 * their hosts must be, too, to these; leaves 0. Adds to virial[3] what the sums of x f change by,
 * since a lone pair does not follow when the hosts' coordinates are scaled. */
void lonepair_spread(const struct system *s, const double *x, double *f, int first, int last,
                     double *virial);
