/* script_atoms.c - a script's settings of single atoms, which are applied whenever the molecule has
 * been read again: restraints, fixed atoms, lengths and bonds of SHAKE.
 *
 * struct script_atoms owns all arrays; the system has pointers to them, set anew by
 * script_atoms_attach(). Arrays by bond fit only as long as the structure has the same number of
 * bonds, hence nlength and nloose.
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"
#include "vec.h"

/* Everything is lost, also the number of atoms. */
static void atoms_forget(struct script_atoms *a)
{
    for (int k = 0; k < a->nknown; k++)
        mem_free(a->known[k].set);
    mem_free(a->anchor);
    mem_free(a->twist);
    mem_free(a->frozen);
    mem_free(a->friction);
    mem_free(a->charge);
    mem_free(a->mass);
    mem_free(a->length);
    mem_free(a->loose);
    memset(a, 0, sizeof *a);
}

void script_atoms_free(struct script *s)
{
    atoms_forget(&s->atoms);
}

/* The system only refers to these arrays; the script owns them. It must be called after each change
 * of a list, since lists move when they are made again. */
void script_atoms_attach(struct script *s)
{
    struct system *y = &s->session.in.system;
    struct script_atoms *a = &s->atoms;
    /* Another structure: what was said of atoms by number has no meaning any more. */
    if (a->natom != y->natom) {
        atoms_forget(a);
        s->o.atoms.charge = s->o.atoms.mass = NULL;
        mem_free(s->compare.x);
        mem_free(s->compare.w);
        s->compare = (struct coor_set){NULL, NULL};
    }
    a->natom = y->natom;
    const struct system_skip *skip = &s->o.pairs.skip;
    y->held.anchor = a->anchor;
    /* SKIPE may leave out restraints without removing them. */
    y->held.nanchor = skip->harm ? 0 : a->nanchor;
    y->held.twist = a->twist;
    y->held.ntwist = skip->cdih ? 0 : a->ntwist;
    if (a->frozen) { /* else those of the PSF stay fixed */
        y->held.frozen = a->frozen;
        y->held.nfrozen = a->nfrozen;
    }
    /* r0 is SHAKE's length of the bond. */
    for (int k = 0; a->nlength == y->term.ntie && k < y->term.ntie; k++)
        y->term.tie[k].r0 = a->length[k];
    for (int k = 0; k < y->term.ntie; k++)
        y->term.tie[k].loose = a->nloose == y->term.ntie && a->loose[k];
}

/* Lengths are those between nearest images. Only bonds that SHAKE may use are in `tie`. */
void script_atoms_measure(struct script *s)
{
    const struct system *y = &s->session.in.system;
    struct script_atoms *a = &s->atoms;
    mem_free(a->length);
    a->length = mem_new((size_t)y->term.ntie, sizeof *a->length);
    a->nlength = y->term.ntie;
    for (int k = 0; k < y->term.ntie; k++) {
        const double *x = s->session.in.x;
        double d[3];
        system_delta(y, x + 3 * (size_t)y->term.tie[k].i, x + 3 * (size_t)y->term.tie[k].j, d);
        a->length[k] = sqrt(vec_dot(d, d));
    }
    script_atoms_attach(s);
}

/* other may be the same set as one. one NULL: all bonds count again. */
void script_atoms_tie(struct script *s, const unsigned char *one, const unsigned char *other)
{
    struct script_atoms *a = &s->atoms;
    const struct system *y = &s->session.in.system;
    mem_free(a->loose);
    a->loose = NULL;
    a->nloose = 0;
    if (one) {
        a->loose = mem_new((size_t)y->term.ntie, 1);
        a->nloose = y->term.ntie;
    }
    for (int k = 0; k < a->nloose; k++) {
        int i = y->term.tie[k].i, j = y->term.tie[k].j;
        /* In either order of the two atoms. */
        a->loose[k] = !(one[i] && other[j]) && !(one[j] && other[i]);
    }
    /* Before the first reading there is nothing to attach to; loading will do it. */
    if (s->session.loaded)
        script_atoms_attach(s);
}
