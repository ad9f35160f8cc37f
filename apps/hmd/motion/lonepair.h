/* lonepair.h - lone pairs: massless charges carried by their hosts.
 *
 * The position of a lone pair is determined by its hosts (CHARMM's lonepair.doc):
 *
 *     COLOcate, CENTer  at the host, or the centre of geometry or mass of all hosts
 *     COLInear          on the line of two: r1 + (scale + distance / |r1 - r2|) (r1 - r2)
 *     RELAtive          distance from host 1, angle lp-1-2, dihedral lp-1-2-3
 *     BISEctor          the same with M, half way between hosts 2 and 3, for host 2
 *
 * It is placed again after atoms have moved.  A force on it is distributed to the hosts by the
 * chain rule, so that energy, momentum and angular momentum are conserved.  It has no motion of its
 * own: no kinetic energy, no degree of freedom.  Cost: about 100 operations per lone pair and step.
 */
#pragma once

#include "psf.h"
#include "system.h"

/* Copies the structure's lone pairs into s->lonepair. */
void lonepair_bind(struct system *s, const struct psf *psf);

/* Places those among the atoms first ... last-1 according to their hosts in x (3 * natom), near the
 * first host.  If the hosts are degenerate (collinear, or coincident) x becomes no number. Frozen
 * or not, a lone pair always follows its hosts. */
void lonepair_place(const struct system *s, double *x, int first, int last);

/* Distributes the forces f on the lone pairs among the atoms first ... last-1 (f[0] is of `first`)
 * to their hosts, which must be in this range, too; sets them to 0.  Adds to virial[3] the change
 * of the sums of x f, since a lone pair does not follow when the hosts' coordinates are scaled. */
void lonepair_spread(const struct system *s, const double *x, double *f, int first, int last,
                     double *virial);
