/* script_inter.c - INTERACTION [COMP] [NOPRINT] SELE ... END [SELE ... END]: the energy between two
 * sets of atoms, or of one with itself (CHARMM's energy.doc).
 *
 * Pairs, bonds, Urey-Bradley terms: an atom of each set; dihedrals: the same of the inner two;
 * angles by the middle atom, impropers by the first, HARM by its own, which must be in both sets.
 * All others (CMAP, restraints between groups) are not computed.  With Ewald's sum ELEC is what is
 * left of a pair in real space; its sum over waves is not one of pairs, and is not among the terms
 * of energy.doc, either.  Cost: the product of the sets, over the tasks; no list is needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bonded.h"
#include "ewald.h"
#include "mem.h"
#include "report.h"
#include "script_run.h"
#include "vec.h"

struct inter {
    const struct system *s;
    const double *x;
    double *f; /* for functions that compute forces, too */
    struct scheme scheme;
    unsigned char *set[2];
    int rank, size;
    double term[ENERGY_TERMS];
};

/* Whether there is one of each set. */
static int inter_pair(const struct inter *t, int i, int j)
{
    return (t->set[0][i] && t->set[1][j]) || (t->set[0][j] && t->set[1][i]);
}

static int inter_both(const struct inter *t, int i)
{
    return t->set[0][i] && t->set[1][i];
}

static void inter_bonded(struct inter *t)
{
    const struct system *s = t->s;
    for (int n = t->rank; n < s->nbond; n += t->size)
        if (inter_pair(t, s->bond[n].i, s->bond[n].j))
            t->term[ENERGY_BOND] += bonded_bonds(s, s->bond, t->x, t->f, n, n + 1);
    for (int n = t->rank; n < s->nurey; n += t->size)
        if (inter_pair(t, s->urey[n].i, s->urey[n].j))
            t->term[ENERGY_UREY] += bonded_bonds(s, s->urey, t->x, t->f, n, n + 1);
    for (int n = t->rank; n < s->nangle; n += t->size)
        if (inter_both(t, s->angle[n].j))
            t->term[ENERGY_ANGL] += bonded_angles(s, t->x, t->f, n, n + 1);
    for (int n = t->rank; n < s->ndihedral; n += t->size)
        if (inter_pair(t, s->dihedral[n].j, s->dihedral[n].k))
            t->term[ENERGY_DIHE] += bonded_torsions(s, s->dihedral, t->x, t->f, n, n + 1);
    for (int n = t->rank; n < s->nimproper; n += t->size)
        if (inter_both(t, s->improper[n].i))
            t->term[ENERGY_IMPR] += bonded_torsions(s, s->improper, t->x, t->f, n, n + 1);
}

static void inter_restraints(struct inter *t)
{
    const struct system *s = t->s;
    for (int n = t->rank; n < s->nanchor; n += t->size)
        if (inter_both(t, s->anchor[n].atom))
            t->term[ENERGY_HARM] += bonded_anchors(s, t->x, t->f, n, n + 1);
    for (int n = t->rank; n < s->ntwist; n += t->size)
        if (inter_pair(t, s->twist[n].j, s->twist[n].k))
            t->term[ENERGY_CDIH] += bonded_torsions(s, s->twist, t->x, t->f, n, n + 1);
}

static int inter_compare(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

static void inter_atoms(struct inter *t, int i, int j)
{
    const struct system *s = t->s;
    double d[3], elec, vdw;
    system_delta(s, t->x + 3 * (size_t)i, t->x + 3 * (size_t)j, d);
    double r2 = vec_dot(d, d);
    const int *partner = s->excluded + s->excluded_first[i];
    size_t partners = (size_t)(s->excluded_first[i + 1] - s->excluded_first[i]);
    if (r2 >= t->scheme.roff2 ||
        (partners && bsearch(&j, partner, partners, sizeof j, inter_compare)))
        return;
    int k = s->type[i] * s->ntype + s->type[j];
    scheme_pair(&t->scheme, r2, s->charge[i] * s->charge[j], s->a[k], s->b[k], &elec, &vdw);
    t->term[ENERGY_ELEC] += elec;
    t->term[ENERGY_VDW] += vdw;
}

/* A 1-4 pair; of Ewald's sum without what the sum over waves has of it. */
static void inter_pair14(struct inter *t, int n)
{
    const struct system *s = t->s;
    int i = s->pair14[n].i, j = s->pair14[n].j;
    double d[3], slope;
    bonded_pairs14(s, &t->scheme, t->x, t->f, n, n + 1, &t->term[ENERGY_ELEC],
                   &t->term[ENERGY_VDW]);
    if (t->scheme.elec != SCHEME_ELEC_EWALD)
        return;
    system_delta(s, t->x + 3 * (size_t)i, t->x + 3 * (size_t)j, d);
    t->term[ENERGY_ELEC] -=
        s->charge[i] * s->charge[j] * ewald_smooth(t->scheme.ewald.kappa, vec_dot(d, d), &slope);
}

static void inter_nonbonded(struct inter *t)
{
    const struct system *s = t->s;
    for (int n = t->rank; n < s->npair14; n += t->size)
        if (inter_pair(t, s->pair14[n].i, s->pair14[n].j))
            inter_pair14(t, n);
    for (int i = t->rank; i < s->natom; i += t->size)
        for (int j = 0; t->set[0][i] && j < s->natom; j++) {
            int again = j < i && t->set[0][j] && t->set[1][i]; /* from j it was seen, too */
            if (t->set[1][j] && i != j && !again)
                inter_atoms(t, i, j);
        }
}

static int inter_words(struct script *s, int *comp, int *quiet)
{
    const struct script_key key[] = {{"COMPARISON", .flag = comp, .is = 1},
                                     {"NOPRINT", .flag = quiet, .is = 1}};
    if (script_only_keys(s, 1, key, sizeof key / sizeof *key,
                         "INTE takes one or two selections, COMP and NOPRINT"))
        return ERR_INPUT;
    s->at = 0;
    return *comp && !s->compare.x ? script_bad(s, "COMP: COOR COPY COMP comes first") : 0;
}

/* The scheme of the energy; with Ewald's sum the pairs are not all of it. */
static int inter_scheme(struct script *s, struct inter *t)
{
    double cutnb;
    int status = command_scheme(&s->o, &s->session.in.nonbonded, &t->scheme, &cutnb, s->e);
    if (!status && t->scheme.elec == SCHEME_ELEC_EWALD && s->comm->rank == 0)
        printf(" ** NOTE ** INTE: ELEC IS EWALD'S SUM IN REAL SPACE ALONE, KAPPA %.6f: IT IS NO "
               "INTERACTION ENERGY. A CUT-OFF HAS ALL OF IT, NBONDS NOEWALD FSHIFT\n",
               t->scheme.ewald.kappa);
    return script_blame(s, status);
}

static int inter_sum(struct script *s, struct inter *t, int quiet)
{
    struct sample *v = &s->session.last;
    size_t n = 3 * (size_t)t->s->natom;
    t->f = mem_new(n, sizeof *t->f);
    inter_bonded(t);
    inter_restraints(t);
    inter_nonbonded(t);
    mem_free(t->f);
    int status = comm_sum(s->comm, t->term, ENERGY_TERMS, s->e);
    if (status)
        return status;
    memcpy(v->term, t->term, sizeof v->term);
    v->ener = 0;
    for (int k = 0; k < ENERGY_TERMS; k++)
        v->ener += v->term[k];
    script_results(s);
    if (!quiet && s->comm->rank == 0)
        report_energy("INTE", v, t->s->nanchor + t->s->ntwist > 0);
    return 0;
}

int script_inter(struct script *s)
{
    struct inter t = {.rank = s->comm->rank, .size = s->comm->size};
    int comp = 0, quiet = 0, status = script_ready(s);
    for (int k = 0; k < 2 && !status && (k == 0 || script_selects(s)); k++)
        status = script_select(s, &t.set[k]);
    if (!status)
        status = inter_words(s, &comp, &quiet);
    if (!status)
        status = inter_scheme(s, &t);
    t.s = &s->session.in.system;
    t.x = comp ? s->compare.x : s->session.in.x;
    unsigned char *second = t.set[1];
    t.set[1] = second ? second : t.set[0];
    if (!status && comp)
        status = script_blame(s, coor_check(&s->session.in.psf, "COMP", t.x, s->e));
    if (!status)
        status = inter_sum(s, &t, quiet);
    mem_free(t.set[0]);
    mem_free(second);
    return script_blame(s, status);
}
