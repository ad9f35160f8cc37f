/* exclude.c - pairs excluded from the ordinary non-bonded pairs (CHARMM's NBXMOD, nbonds.doc).
 *
 * Neighbours along bonds are visited to depth three from every atom.  With NBXMOD 5, pairs at depth
 * one and two (1-2, 1-3) are excluded.  A pair at depth three (1-4) is excluded from the ordinary
 * list and added to the list of 1-4 pairs, unless a shorter path (a ring) was found.  NBXMOD 4
 * excludes 1-4 pairs altogether; with 3, 2 and 1 the search ends at depth two, one and none.  A
 * negative value ignores the PSF's own list.  Cost: O(N) for molecules.
 *
 * A lone pair is treated like its first host with respect to other atoms.  It is excluded from that
 * host, and from the host's other lone pairs (CHARMM's nbexcl.src); its own bonds do not count.
 *
 * The lists of all atoms are one array with the begin of each (excluded_first[]). Neighbour lists
 * look up an atom's partners there, so they are sorted and have both directions.
 */
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "system.h"

/* For each atom a list of others: for atom i at[first[i]] ... at[first[i + 1] - 1]. Compressed
 * rows: O(1) to the partners of an atom. first has natom + 1 entries. */
struct exclude_links {
    int *first, *at;
};

/* Temporary. depth and seen are cleared through `seen` after each atom, which makes the whole
 * search O(N). */
struct exclude {
    struct exclude_links bonded;  /* without lone pairs */
    struct exclude_links given;   /* by the PSF itself */
    struct exclude_links carried; /* lone pairs, by first host */
    int *host;                    /* of a lone pair; the atom itself else */
    int farthest;                 /* maximum depth */
    int pairs14;                  /* pairs at the maximum depth are 1-4 pairs */
    int *depth;                   /* of the atoms found from the current one; else 0 */
    int *seen;
    int nseen;
};

/* Makes lists from n pairs (a, b): b for a and, with `both`, a for b.  If `only` is not NULL, uses
 * only pairs of atoms that are their own hosts. Two passes: count, then fill. pair has 2 * n atoms.
 * The lists of an atom are in the order of the pairs. */
static struct exclude_links exclude_link(int natom, const int *pair, int n, int both,
                                         const int *only)
{
    struct exclude_links l = {mem_new((size_t)natom + 1, sizeof(int)),
                              mem_new(2 * (size_t)n, sizeof(int))};
    int *fill = mem_new((size_t)natom, sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        /* Without `both` only even k: the first atom of each pair. */
        for (int k = 0; k < 2 * n; k += both ? 1 : 2) {
            /* k ^ 1 is the other atom of the pair. */
            int i = pair[k], j = pair[k ^ 1];
            if (only && (only[i] != i || only[j] != j))
                continue;
            if (pass)
                l.at[l.first[i] + fill[i]++] = j;
            else
                l.first[i + 1]++;
        }
        /* From numbers of entries to places of lists. */
        for (int i = 0; !pass && i < natom; i++)
            l.first[i + 1] += l.first[i];
    }
    mem_free(fill);
    return l;
}

/* NBXMOD 1 excludes nothing (depth 0), 2 and 3 pairs to depth 1 and 2, 4 and 5 to depth 3.
 * Everything that it makes is freed by exclude_close(). */
static void exclude_open(struct exclude *x, const struct psf *psf, int nbxmod)
{
    int mode = abs(nbxmod);
    x->farthest = mode < 4 ? mode - 1 : 3;
    x->pairs14 = mode == 5;
    /* Pairs of host and lone pair. */
    int natom = psf->natom, *pair = mem_new(2 * (size_t)psf->nlonepair, sizeof *pair);
    x->host = mem_new((size_t)natom, sizeof(int));
    for (int i = 0; i < natom; i++)
        x->host[i] = i;
    for (int i = 0; i < psf->nlonepair; i++) {
        const struct psf_lonepair *l = &psf->lonepair[i];
        /* A lone pair is carried by its first host. */
        pair[2 * i] = x->host[l->atom] = psf->lonepair_host[l->first];
        pair[2 * i + 1] = l->atom;
    }
    x->bonded = exclude_link(natom, psf->bond.atom, psf->bond.count, 1, x->host);
    x->given =
        /* Negative NBXMOD: the PSF's list counts as empty. */
        exclude_link(natom, psf->excluded.atom, nbxmod > 0 ? psf->excluded.count : 0, 1, NULL);
    x->carried = exclude_link(natom, pair, psf->nlonepair, 0, NULL);
    x->depth = mem_new((size_t)natom, sizeof(int));
    x->seen = mem_new((size_t)natom, sizeof(int));
    mem_free(pair);
}

static void exclude_close(struct exclude *x)
{
    void *all[] = {x->bonded.first, x->bonded.at, x->given.first, x->given.at, x->carried.first,
                   x->carried.at,   x->host,      x->depth,       x->seen};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(all[i]);
}

/* Records the depth of j; an atom found before keeps the shorter path. Depths are found in
 * ascending order, so the first is the shortest. */
static void exclude_see(struct exclude *x, int j, int depth)
{
    if (x->depth[j])
        return;
    x->depth[j] = depth;
    x->seen[x->nseen++] = j;
}

/* Breadth-first search from atom i. -1 marks the atom itself. seen[] is also the queue; `stop` is
 * the end of the current depth. */
static void exclude_walk(struct exclude *x, int i)
{
    x->nseen = 0;
    exclude_see(x, i, -1);
    for (int at = 0, stop = 1, depth = 1; depth <= x->farthest; depth++, stop = x->nseen)
        for (; at < stop; at++)
            for (int k = x->bonded.first[x->seen[at]]; k < x->bonded.first[x->seen[at] + 1]; k++)
                exclude_see(x, x->bonded.at[k], depth);
}

/* The PSF's own exclusions count as bonded at depth one (they also remove 1-4 pairs). A partner
 * that the walk did not find is added at depth one. */
static void exclude_given(struct exclude *x, int i)
{
    for (int k = x->given.first[i]; k < x->given.first[i + 1]; k++) {
        int j = x->given.at[k];
        exclude_see(x, j, 1);
        /* The atom itself keeps -1. */
        x->depth[j] = x->depth[j] > 0 ? 1 : x->depth[j];
    }
}

/* A lone pair has the exclusions of its first host; atoms carried by one host exclude each
 * other. The loop ends at the atoms found before, as lone pairs carry nothing. seen[0] is the host
 * if i is a lone pair, and then is excluded from it, too. */
static void exclude_carried(struct exclude *x)
{
    for (int at = 0, atoms = x->nseen; at < atoms; at++) {
        int host = x->seen[at], depth = x->depth[host] < 0 ? 1 : x->depth[host];
        for (int k = x->carried.first[host]; k < x->carried.first[host + 1]; k++)
            exclude_see(x, x->carried.at[k], depth);
    }
    /* From here on the searched atom counts as a partner at depth one, unless it is i. */
    x->depth[x->seen[0]] = 1;
}

static int exclude_compare(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

/* Stores the results for atom i: partners in `list`, 1-4 pairs with j > i. Partners are stored for
 * both atoms of a pair, 1-4 pairs once. Sorted, so that the order does not depend on the search. n:
 * entries of s->excluded so far; returns their new number. */
static size_t exclude_enter(struct system *s, struct exclude *x, int i, size_t n)
{
    size_t from = n;
    for (int k = 0; k < x->nseen; k++) {
        int j = x->seen[k];
        if (j == i)
            continue;
        *(int *)mem_add(&s->excluded, n++, sizeof *s->excluded) = j;
        /* Three bonds away. Excluded from the ordinary list and computed apart. */
        if (x->depth[j] == 3 && x->pairs14 && j > i) {
            struct system_pair14 *p =
                mem_add(&s->term.pair14, (size_t)s->term.npair14++, sizeof *p);
            *p = (struct system_pair14){.i = i, .j = j};
        }
    }
    if (n > from)
        qsort(s->excluded + from, n - from, sizeof(int), exclude_compare);
    return n;
}

/* A lone pair searches from its host. The 1-4 pairs have no parameters yet (bind_nonbonded()). */
void system_exclude(struct system *s, const struct psf *psf, int nbxmod)
{
    struct exclude x;
    size_t n = 0;
    exclude_open(&x, psf, nbxmod);
    s->excluded_first = mem_new((size_t)psf->natom + 1, sizeof(int));
    for (int i = 0; i < psf->natom; i++) {
        exclude_walk(&x, x.host[i]);
        exclude_given(&x, x.host[i]);
        /* A lone pair may have exclusions of its own in the PSF. */
        if (x.host[i] != i)
            exclude_given(&x, i);
        exclude_carried(&x);
        n = exclude_enter(s, &x, i, n);
        s->excluded_first[i + 1] = (int)n;
        /* Only the entries that were set. */
        for (int k = 0; k < x.nseen; k++)
            x.depth[x.seen[k]] = 0;
    }
    exclude_close(&x);
}
