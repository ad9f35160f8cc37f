/* exclude.c - which pairs are no ordinary non-bonded pairs (CHARMM's NBXMOD 5, nbonds.doc).
 *
 * Neighbours along bonds are walked to depth three from every atom: at depth one and two (1-2, 1-3)
 * a pair is excluded; at depth three (1-4) it is excluded from the ordinary list and entered into
 * the list of 1-4 pairs, unless a shorter way (a ring) has been found.  Cost: O(N) for molecules.
 */
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "system.h"

struct exclude {
    int natom;
    int *first, *partner; /* bonded neighbours of each atom */
    int *depth;           /* of the atoms seen from the present one; 0 else */
    int *seen;
    int nseen;
};

static void exclude_bonds(struct exclude *x, const struct psf *psf)
{
    const int *atom = psf->bond.atom;
    int n = psf->bond.count;
    x->natom = psf->natom;
    x->first = mem_new((size_t)psf->natom + 1, sizeof(int));
    x->partner = mem_new(2 * (size_t)n, sizeof(int));
    x->depth = mem_new((size_t)psf->natom, sizeof(int));
    x->seen = mem_new((size_t)psf->natom, sizeof(int));
    for (int k = 0; k < 2 * n; k++)
        x->first[atom[k] + 1]++;
    for (int i = 0; i < psf->natom; i++)
        x->first[i + 1] += x->first[i];
    int *fill = mem_new((size_t)psf->natom, sizeof(int));
    for (int k = 0; k < 2 * n; k++) {
        int i = atom[k];
        x->partner[x->first[i] + fill[i]++] = atom[k ^ 1];
    }
    mem_free(fill);
}

/* Breadth first from atom i, to depth three. */
static void exclude_walk(struct exclude *x, int i)
{
    x->nseen = 0;
    x->seen[x->nseen++] = i;
    x->depth[i] = -1;
    for (int at = 0, stop = 1, depth = 1; depth <= 3; depth++, stop = x->nseen)
        for (; at < stop; at++)
            for (int k = x->first[x->seen[at]]; k < x->first[x->seen[at] + 1]; k++) {
                int j = x->partner[k];
                if (x->depth[j])
                    continue;
                x->depth[j] = depth;
                x->seen[x->nseen++] = j;
            }
}

static int exclude_compare(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

/* Enters what was found from atom i: partners into `list`, 1-4 pairs with j > i. */
static size_t exclude_enter(struct system *s, struct exclude *x, int i, size_t *room, size_t n,
                            size_t *room14)
{
    size_t from = n;
    for (int k = 1; k < x->nseen; k++) {
        int j = x->seen[k];
        mem_grow(&s->excluded, room, n + 1, sizeof *s->excluded);
        s->excluded[n++] = j;
        if (x->depth[j] == 3 && j > i) {
            mem_grow(&s->pair14, room14, (size_t)s->npair14 + 1, sizeof *s->pair14);
            s->pair14[s->npair14++] = (struct system_pair14){.i = i, .j = j};
        }
    }
    if (n > from)
        qsort(s->excluded + from, n - from, sizeof(int), exclude_compare);
    return n;
}

/* The PSF's own exclusions count as bonded at depth one (they end 1-4 pairs, too). */
static void exclude_given(struct exclude *x, const struct psf *psf, int i)
{
    for (int k = 0; k < psf->excluded.count; k++)
        for (int side = 0; side < 2; side++) {
            int j = psf->excluded.atom[2 * k + !side];
            if (psf->excluded.atom[2 * k + side] != i || j == i)
                continue;
            if (!x->depth[j])
                x->seen[x->nseen++] = j;
            x->depth[j] = 1;
        }
}

void system_exclude(struct system *s, const struct psf *psf)
{
    struct exclude x;
    size_t room = 0, room14 = 0, n = 0;
    exclude_bonds(&x, psf);
    s->excluded_first = mem_new((size_t)psf->natom + 1, sizeof(int));
    for (int i = 0; i < psf->natom; i++) {
        exclude_walk(&x, i);
        exclude_given(&x, psf, i);
        n = exclude_enter(s, &x, i, &room, n, &room14);
        s->excluded_first[i + 1] = (int)n;
        for (int k = 0; k < x.nseen; k++)
            x.depth[x.seen[k]] = 0;
    }
    mem_free(x.first);
    mem_free(x.partner);
    mem_free(x.depth);
    mem_free(x.seen);
}
