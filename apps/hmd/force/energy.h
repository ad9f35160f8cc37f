/* energy.h - the energy and forces of a task's share of the whole system. */
#pragma once

#include "comm.h"
#include "ewald.h"
#include "cell_grid.h"
#include "kernel.h"
#include "pairlist.h"
#include "scheme.h"
#include "share.h"
#include "system.h"

/* The terms, in CHARMM's names.  With Ewald's sum ELEC is its part in real space and the 1-4 pairs,
 * the others follow: reciprocal, self, excluded pairs, net charge.  HARM are restraints to places,
 * CDIH those to dihedral angles.  Behind the terms comes the virial, the sum of x_i f_i along x, y
 * and z over all interactions (kcal/mol) but restraints, which act from outside. */
enum energy_term {
    ENERGY_BOND,
    ENERGY_ANGL,
    ENERGY_UREY,
    ENERGY_DIHE,
    ENERGY_IMPR,
    ENERGY_CMAP,
    ENERGY_VDW,
    ENERGY_ELEC,
    ENERGY_EWKS,
    ENERGY_EWSE,
    ENERGY_EWEX,
    ENERGY_EWQC,
    ENERGY_HARM,
    ENERGY_CDIH,
    ENERGY_TERMS,
    ENERGY_VIRIAL = ENERGY_TERMS,
    ENERGY_NUMBERS = ENERGY_VIRIAL + 3
};
extern const char *const energy_names[ENERGY_TERMS];
/* The virial, along all axes together. */
static inline double energy_virial(const double *term)
{
    return term[ENERGY_VIRIAL] + term[ENERGY_VIRIAL + 1] + term[ENERGY_VIRIAL + 2];
}

struct energy {
    const struct system *s;
    struct scheme scheme;
    double cutnb;
    int rank, size;
    int rows;           /* of parts of the matrix of pairs, see pairlist.h; size: all in a column */
    struct comm *comm;  /* for PME on several tasks; else it may be NULL */
    struct share share; /* how work is cut */
    struct grid grid;
    struct pairlist list;
    struct kernel_atoms atoms;
    size_t atom_room;
    double *memory;   /* behind `atoms` */
    double *built_at; /* coordinates when the list was made */
    int builds;       /* lists made so far */
    double *whole;    /* what makes molecules whole, system_whole() */
    struct ewald ewald;
};

/* rank and size say which share this task computes; s must stay. cutnb >= ctofnb. */
void energy_init(struct energy *e, const struct system *s, const struct scheme *scheme,
                 double cutnb, int rank, int size);
void energy_free(struct energy *e);

/* True when one of the atoms first ... last-1 of x (3 * natom) has moved so far that the list may
 * miss a pair, or when there is no list yet.  The answer is the same on all tasks that hold the
 * same coordinates. */
int energy_list_old(const struct energy *e, const double *x, int first, int last);
/* Makes the list for x. */
void energy_list_build(struct energy *e, const double *x);

/* Forces of this task's share into f (3 * natom, overwritten); where with_energy, the share's
 * energies and virial into term (overwritten), else term is left alone.  The list must be good for
 * x.  0; or, where PME has several tasks, the status of its messages. */
int energy_forces(struct energy *e, const double *x, double *f, int with_energy,
                  double term[ENERGY_NUMBERS], struct err *err);

/* The box, s->cell, has another size: a new list must be
 * made before forces are asked for. */
void energy_rescaled(struct energy *e);

/* One byte an atom: whether this task's share depends on where it is, until the next list. */
void energy_needs(const struct energy *e, unsigned char *need);
