/* energy.c - see energy.h.
 *
 * Each task computes a contiguous part of the bonded lists (share.h); the pair list contains only
 * this task's rows.  Kernels use cluster order: coordinates are copied in, forces copied out, both
 * O(N).
 *
 * The virial of bonded terms is the sum of x_i f_i over whole molecules.  For pairs it is the same
 * sum over the atoms as placed in the box, plus box vector times force for pairs across its
 * boundary.  The reciprocal part has a formula of its own.  Reciprocal forces are computed before
 * the pairs, because they exchange messages, and tasks are still in step then.
 */
#include "energy.h"

#include <math.h>
#include <string.h>

#include "bonded.h"
#include "mem.h"
#include "share.h"

const char *const energy_names[ENERGY_TERMS] = {"BOND", "ANGL", "UREY", "DIHE", "IMPR",
                                                "CMAP", "VDW",  "ELEC", "EWKS", "EWSE",
                                                "EWEX", "EWQC", "HARM", "CDIH"};

enum { ENERGY_ARRAYS = 9 }; /* doubles per slot in struct kernel_atoms */

/* e->share.part NULL: equal shares. A single row of the pair matrix for each task unless the caller
 * changes e->rows. */
void energy_init(struct energy *e, const struct system *s, const struct scheme *scheme,
                 double cutnb, int rank, int size)
{
    memset(e, 0, sizeof *e);
    e->s = s;
    e->scheme = *scheme;
    e->cutnb = cutnb;
    e->rank = rank;
    e->size = e->share.size = size;
    grid_init(&e->grid, s->natom, &s->cell);
    e->built_at = mem_new(3 * (size_t)s->natom, sizeof(double));
    e->whole = mem_new(3 * (size_t)s->natom, sizeof(double));
    if (scheme->elec == SCHEME_ELEC_EWALD)
        ewald_init(&e->ewald, s, scheme, rank, size);
}

void energy_free(struct energy *e)
{
    grid_free(&e->grid);
    pairlist_free(&e->list);
    mem_free(e->memory);
    mem_free(e->atoms.type);
    mem_free(e->built_at);
    mem_free(e->whole);
    ewald_free(&e->ewald);
    memset(e, 0, sizeof *e);
}

int energy_list_old(const struct energy *e, const double *x)
{
    double slack = (e->reach - e->scheme.roff) / 2, limit = slack > 0 ? slack * slack : 0;
    if (!e->builds)
        return 1;
    if (e->scheme.roff > 1e29)
        return 0; /* without a cut-off all pairs are in the list */
    for (int i = 0; i < e->s->natom; i++) {
        const double *p = x + 3 * (size_t)i, *q = e->built_at + 3 * (size_t)i;
        double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2];
        if (dx * dx + dy * dy + dz * dz >= limit)
            return 1;
    }
    return 0;
}

/* Allocates memory for the grid's clusters, and sets everything that is constant until the next
 * list. An eighth more memory than needed avoids a new allocation at most lists. Multiples of 8
 * keep every array aligned to 64 bytes. Empty slots lie 1000 Angstrom apart from each other, so
 * that no distance is 0. */
static void energy_atoms(struct energy *e)
{
    size_t n = (size_t)e->grid.clusters * KERNEL_WIDTH;
    struct kernel_atoms *a = &e->atoms;
    if (n > e->atom_room) {
        e->atom_room = (n + n / 8 + 7) / 8 * 8;
        mem_free(e->memory);
        mem_free(a->type);
        e->memory = mem_new(e->atom_room * ENERGY_ARRAYS, sizeof(double));
        a->type = mem_new(e->atom_room, sizeof(int));
        double **part[ENERGY_ARRAYS] = {&a->x,  &a->y, &a->z,  &a->fx, &a->fy,
                                        &a->fz, &a->q, &a->se, &a->rm};
        for (size_t k = 0; k < ENERGY_ARRAYS; k++)
            *part[k] = e->memory + k * e->atom_room;
    }
    for (size_t k = 0; k < n; k++) {
        int i = e->grid.atom[k];
        a->q[k] = i < 0 ? 0 : e->s->charge[i];
        a->se[k] = i < 0 ? 0 : e->s->lj.sqrt_eps[i];
        a->rm[k] = i < 0 ? 1 : e->s->lj.rmin2[i];
        a->type[k] = i < 0 ? 0 : e->s->lj.type[i];
        a->x[k] = a->y[k] = a->z[k] = 1e6 + 1e3 * (double)k; /* empty slots are far from
                                                                everything */
    }
}

/* A list has pairs with the adjacent images of the box only.  So it must not be used until atoms
 * have moved farther, as one that reaches beyond the box's width would be. */
static double energy_reach(const struct energy *e)
{
    double width = cell_width(&e->s->cell);
    return width > 0 ? fmin(e->cutnb, width) : e->cutnb;
}

/* The box vectors of `whole` are made with the first list only: coordinates are never wrapped
 * afterwards. */
void energy_list_build(struct energy *e, const double *x)
{
    e->reach = energy_reach(e);
    grid_sort(&e->grid, x);
    energy_atoms(e);
    struct pairlist_request q = {.grid = &e->grid,
                                 .cutoff = e->reach,
                                 .excluded_first = e->s->excluded_first,
                                 .excluded = e->s->excluded,
                                 .special = e->s->lj.special,
                                 .fixed = e->s->held.frozen,
                                 .rank = e->rank,
                                 .share = &e->share};
    pairlist_build(&e->list, &q);
    if (!e->builds)
        system_whole(e->s, x, e->whole);
    /* Moves are measured from here, to find out when the list is too old. */
    memcpy(e->built_at, x, 3 * (size_t)e->s->natom * sizeof *x);
    e->builds++;
}

/* Copies coordinates in, in cluster order and shifted by the images of the last list. Forces are
 * cleared for all slots, also the empty ones. */
static void energy_scatter(struct energy *e, const double *x)
{
    struct kernel_atoms *a = &e->atoms;
    size_t n = (size_t)e->grid.clusters * KERNEL_WIDTH;
    memset(a->fx, 0, n * sizeof(double));
    memset(a->fy, 0, n * sizeof(double));
    memset(a->fz, 0, n * sizeof(double));
    for (int i = 0; i < e->s->natom; i++) {
        const double *p = x + 3 * (size_t)i, *m = e->grid.image + 3 * (size_t)i;
        int k = e->grid.slot[i];
        a->x[k] = p[0] + m[0];
        a->y[k] = p[1] + m[1];
        a->z[k] = p[2] + m[2];
    }
}

/* Copies forces out.  Forces on empty slots (far away, but not infinitely) are dropped. */
static void energy_gather(const struct energy *e, double *f)
{
    const struct kernel_atoms *a = &e->atoms;
    for (int i = 0; i < e->s->natom; i++) {
        int k = e->grid.slot[i];
        f[3 * i] += a->fx[k];
        f[3 * i + 1] += a->fy[k];
        f[3 * i + 2] += a->fz[k];
    }
}

/* The virial of pairs inside the box is x f over the atoms where the grid has placed them; the
 * kernel has added that of the box vectors. */
static void energy_pairs(struct energy *e, const double *x, double *f, int with_energy,
                         double *term)
{
    struct kernel_atoms *a = &e->atoms;
    struct kernel_job job = {.scheme = &e->scheme,
                             .atoms = *a,
                             .row = e->list.row,
                             .rows = e->list.rows,
                             .j = e->list.j,
                             .mask = e->list.mask,
                             .a = e->s->lj.a,
                             .b = e->s->lj.b,
                             .ntype = e->s->lj.ntype,
                             .ewald = e->ewald.table,
                             .ewald_scale = e->ewald.table_scale,
                             .ewald_last = e->ewald.table_n - 1};
    energy_scatter(e, x);
    kernel_pick(e->scheme.elec, e->scheme.vdw, with_energy)(&job);
    energy_gather(e, f);
    term[ENERGY_ELEC] += job.elec;
    term[ENERGY_VDW] += job.vdw;
    for (int k = 0; k < 3; k++)
        term[ENERGY_VIRIAL + k] += job.virial[k];
    /* Only steps with energies need the virial. */
    for (int i = 0; with_energy && i < e->s->natom; i++) {
        int k = e->grid.slot[i];
        term[ENERGY_VIRIAL] += a->x[k] * a->fx[k];
        term[ENERGY_VIRIAL + 1] += a->y[k] * a->fy[k];
        term[ENERGY_VIRIAL + 2] += a->z[k] * a->fz[k];
    }
}

/* This task's part of a list of n terms. */
static void energy_part(const struct energy *e, int n, int *first, int *last)
{
    share_part(n, &e->share, e->rank, first, last);
}

/* Terms within molecules. f contains only these forces when the virial is summed at the end: the
 * caller has cleared it. */
static void energy_bonded(struct energy *e, const double *x, double *f, double *term)
{
    const struct system *s = e->s;
    int a, b;
    energy_part(e, s->term.nbond, &a, &b);
    term[ENERGY_BOND] = bonded_bonds(s, s->term.bond, x, f, a, b);
    energy_part(e, s->term.nangle, &a, &b);
    term[ENERGY_ANGL] = bonded_angles(s, x, f, a, b);
    energy_part(e, s->term.nurey, &a, &b);
    term[ENERGY_UREY] = bonded_bonds(s, s->term.urey, x, f, a, b);
    energy_part(e, s->term.ndihedral, &a, &b);
    term[ENERGY_DIHE] = bonded_torsions(s, s->term.dihedral, x, f, a, b);
    energy_part(e, s->term.nimproper, &a, &b);
    term[ENERGY_IMPR] = bonded_torsions(s, s->term.improper, x, f, a, b);
    energy_part(e, s->term.ncross, &a, &b);
    term[ENERGY_CMAP] = bonded_crosses(s, x, f, a, b);
    energy_part(e, s->term.npair14, &a, &b);
    bonded_pairs14(s, &e->scheme, x, f, a, b, &term[ENERGY_ELEC], &term[ENERGY_VDW]);
    if (e->scheme.elec == SCHEME_ELEC_EWALD) {
        energy_part(e, s->natom, &a, &b);
        term[ENERGY_EWEX] = ewald_excluded(&e->ewald, x, f, a, b);
    }
    /* Terms cross the box, so the atoms are taken where their molecules are whole. */
    for (size_t i = 0; i < 3 * (size_t)s->natom; i++)
        term[ENERGY_VIRIAL + i % 3] += (x[i] + e->whole[i]) * f[i];
}

/* The other parts of Ewald's sum; the first task adds the constants. The constants depend on the
 * charges and the box only, so one task adds them. EWQC is proportional to 1 / volume, hence its
 * own virial along each axis. */
static int energy_reciprocal(struct energy *e, const double *x, double *f, double *term,
                             struct err *err)
{
    struct ewald_result sum = {0};
    if (e->scheme.elec != SCHEME_ELEC_EWALD)
        return 0;
    int status = ewald_reciprocal(&e->ewald, e->comm, e->share.part, x, f, &sum, err);
    term[ENERGY_EWKS] = sum.energy;
    for (int k = 0; k < 3; k++)
        term[ENERGY_VIRIAL + k] += sum.virial[k];
    if (e->rank == 0) {
        term[ENERGY_EWSE] = ewald_self(&e->ewald);
        term[ENERGY_EWQC] = ewald_charge(&e->ewald);
        for (int k = 0; k < 3; k++) /* proportional to 1 / volume */
            term[ENERGY_VIRIAL + k] += term[ENERGY_EWQC];
    }
    return status;
}

/* Restraints of the script, in addition to the force field. */
static void energy_restraints(const struct energy *e, const double *x, double *f, double *term)
{
    const struct system *s = e->s;
    int first, last;
    energy_part(e, s->held.nanchor, &first, &last);
    term[ENERGY_HARM] = bonded_anchors(s, x, f, first, last);
    energy_part(e, s->held.ntwist, &first, &last);
    term[ENERGY_CDIH] = bonded_torsions(s, s->held.twist, x, f, first, last);
}

/* LRC: the Lennard-Jones energy of all pairs beyond the cut-off if atoms were uniformly
 * distributed, and their pressure times the volume (Allen & Tildesley, Computer Simulation of
 * Liquids, 2.8). One task adds it. There is no force: the correction depends on the volume only. */
static void energy_tail(const struct energy *e, double *term)
{
    const struct system *s = e->s;
    if (e->rank != 0 || !(s->cell.box[0] > 0) || (s->lj.tail_a == 0 && s->lj.tail_b == 0))
        return;
    double r3 = 1 / (e->scheme.roff * e->scheme.roff * e->scheme.roff), r6 = r3 * r3;
    double all = 2 * M_PI / 3 * r3 / cell_volume(&s->cell);
    term[ENERGY_VDW] += all * (s->lj.tail_a * r6 / 3 - s->lj.tail_b);
    for (int k = 0; k < 3; k++)
        term[ENERGY_VIRIAL + k] += 2 * all * (s->lj.tail_a * r6 * 2 / 3 - s->lj.tail_b);
}

/* Restraints come after the virial has been summed, because they are external forces. */
int energy_forces(struct energy *e, const double *x, double *f, int with_energy,
                  double term[ENERGY_NUMBERS], struct err *err)
{
    double sum[ENERGY_NUMBERS] = {0};
    memset(f, 0, 3 * (size_t)e->s->natom * sizeof *f);
    energy_bonded(e, x, f, sum);
    int status = energy_reciprocal(e, x, f, sum, err);
    energy_pairs(e, x, f, with_energy, sum);
    energy_restraints(e, x, f, sum);
    energy_tail(e, sum);
    if (with_energy)
        memcpy(term, sum, sizeof sum);
    return status;
}

/* Vectors of `whole` are integer multiples of box vectors; rounding removes the error of earlier
 * changes. */
void energy_rescaled(struct energy *e)
{
    for (size_t i = 0; i < (size_t)e->s->natom; i++) { /* the same multiples of the new box */
        double n[3];
        for (int k = 0; k < 3; k++)
            n[k] = rint(cell_fraction(&e->grid.cell, k, e->whole + 3 * i));
        cell_vector(&e->s->cell, n, e->whole + 3 * i);
    }
    e->grid.cell = e->s->cell;
    if (e->scheme.elec == SCHEME_ELEC_EWALD)
        ewald_rescaled(&e->ewald);
}
