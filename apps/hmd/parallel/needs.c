/* needs.c - which atoms a task's share of the energy depends on: energy_needs().
 *
 * Exact for pairs and bonded terms, which do not change between two lists; for the particle mesh
 * all atoms that can come to touch the own planes until then.  The exact Ewald sum needs all.
 * Cost: the length of the share's lists, once for each neighbour list.
 */
#include <string.h>

#include "energy.h"
#include "share.h"

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
    const struct neighbour *l = &e->list;
    for (size_t r = 0; r < l->rows; r++)
        needs_cluster(e, l->row[r].ci, need);
    for (size_t k = 0; k < l->n; k++)
        needs_cluster(e, l->j[k], need);
}

/* The atoms of a list's terms: `atoms` integers at the beginning of each of n structures. */
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

static void needs_excluded(const struct energy *e, unsigned char *need)
{
    const struct system *s = e->s;
    int first, last;
    share_part(s->natom, &e->share, e->rank, &first, &last);
    for (int i = first; i < last; i++)
        for (int k = s->excluded_first[i]; k < s->excluded_first[i + 1]; k++)
            need[i] = need[s->excluded[k]] = 1;
}

void energy_needs(const struct energy *e, unsigned char *need)
{
    const struct system *s = e->s;
    memset(need, 0, (size_t)s->natom);
    needs_pairs(e, need);
    needs_terms(e, s->bond, sizeof *s->bond, s->nbond, 2, need);
    needs_terms(e, s->urey, sizeof *s->urey, s->nurey, 2, need);
    needs_terms(e, s->angle, sizeof *s->angle, s->nangle, 3, need);
    needs_terms(e, s->dihedral, sizeof *s->dihedral, s->ndihedral, 4, need);
    needs_terms(e, s->improper, sizeof *s->improper, s->nimproper, 4, need);
    needs_terms(e, s->cross, sizeof *s->cross, s->ncross, 8, need);
    needs_terms(e, s->pair14, sizeof *s->pair14, s->npair14, 2, need);
    needs_terms(e, s->anchor, sizeof *s->anchor, s->nanchor, 1, need);
    needs_terms(e, s->twist, sizeof *s->twist, s->ntwist, 4, need);
    if (e->scheme.elec != SCHEME_ELEC_EWALD)
        return;
    needs_excluded(e, need);
    ewald_needs(&e->ewald, e->share.part, e->built_at, (e->cutnb - e->scheme.roff) / 2, need);
}
