/* needs.c - the atoms on which a task's share of the energy depends: energy_needs().
 *
 * Exact for pairs and bonded terms, which are constant between two lists.  For the particle mesh:
 * all atoms that may touch own planes until then.  The exact Ewald sum needs all atoms.  Cost: the
 * length of the share's lists, once for each neighbour list.
 */
#include <string.h>

#include "energy.h"
#include "share.h"

/* Empty places of a cluster are -1. */
static void needs_cluster(const struct energy *e, int cluster, unsigned char *need)
{
    for (int k = 0; k < KERNEL_WIDTH; k++) {
        int i = e->grid.atom[cluster * KERNEL_WIDTH + k];
        if (i >= 0)
            need[i] = 1;
    }
}

static void needs_pairs(const struct energy *e, unsigned char *need)
{
    const struct pairlist *l = &e->list;
    for (size_t r = 0; r < l->rows; r++)
        needs_cluster(e, l->row[r].ci, need);
    for (size_t k = 0; k < l->n; k++)
        needs_cluster(e, l->j[k], need);
}

/* Marks the atoms of a list's terms: `atoms` integers at the beginning of each of n structures. All
 * term structures begin with their atoms; memcpy() makes the access independent of their type. */
static void needs_terms(const struct energy *e, const void *list, size_t bytes, int n, int atoms,
                        unsigned char *need)
{
    int first, last;
    share_part(n, &e->share, e->rank, &first, &last);
    for (int t = first; t < last; t++) {
        int atom[8];
        memcpy(atom, (const char *)list + (size_t)t * bytes, (size_t)atoms * sizeof *atom);
        for (int k = 0; k < atoms; k++)
            need[atom[k]] = 1;
    }
}

/* Only with Ewald's sum, whose excluded pairs are computed by atoms. */
static void needs_excluded(const struct energy *e, unsigned char *need)
{
    const struct system *s = e->s;
    int first, last;
    share_part(s->natom, &e->share, e->rank, &first, &last);
    for (int i = first; i < last; i++)
        for (int k = s->excluded_first[i]; k < s->excluded_first[i + 1]; k++)
            need[i] = need[s->excluded[k]] = 1;
}

/* need[i]: this task computes something with atom i. */
void energy_needs(const struct energy *e, unsigned char *need)
{
    const struct system *s = e->s;
    memset(need, 0, (size_t)s->natom);
    needs_pairs(e, need);
    needs_terms(e, s->term.bond, sizeof *s->term.bond, s->term.nbond, 2, need);
    needs_terms(e, s->term.urey, sizeof *s->term.urey, s->term.nurey, 2, need);
    needs_terms(e, s->term.angle, sizeof *s->term.angle, s->term.nangle, 3, need);
    needs_terms(e, s->term.dihedral, sizeof *s->term.dihedral, s->term.ndihedral, 4, need);
    needs_terms(e, s->term.improper, sizeof *s->term.improper, s->term.nimproper, 4, need);
    needs_terms(e, s->term.cross, sizeof *s->term.cross, s->term.ncross, 8, need);
    needs_terms(e, s->term.pair14, sizeof *s->term.pair14, s->term.npair14, 2, need);
    needs_terms(e, s->held.anchor, sizeof *s->held.anchor, s->held.nanchor, 1, need);
    needs_terms(e, s->held.twist, sizeof *s->held.twist, s->held.ntwist, 4, need);
    /* What follows belongs to Ewald's sum. */
    if (e->scheme.elec != SCHEME_ELEC_EWALD)
        return;
    needs_excluded(e, need);
    ewald_needs(&e->ewald, e->share.part, e->built_at, (e->reach - e->scheme.roff) / 2, need);
}
