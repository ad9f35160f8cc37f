/* energy.h - energy and forces of a task's share of the system. */
#pragma once

#include "comm.h"
#include "ewald.h"
#include "cell_grid.h"
#include "kernel.h"
#include "pairlist.h"
#include "scheme.h"
#include "share.h"
#include "system.h"

/* The terms, with CHARMM's names.  With Ewald's sum ELEC is its real-space part and the 1-4 pairs;
 * the reciprocal, self, excluded and net charge parts follow.  HARM are positional restraints, CDIH
 * dihedral restraints.  The terms are followed by the virial, the sum of x_i f_i along x, y and z
 * over all interactions (kcal/mol) except restraints, which are external. */
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
/* The sum of the virial over the axes. */
static inline double energy_virial(const double *term)
{
    return term[ENERGY_VIRIAL] + term[ENERGY_VIRIAL + 1] + term[ENERGY_VIRIAL + 2];
}

/* Its memory is reused from step to step. `comm` is not owned. The list, the grid and `atoms`
 * belong together: they are made in energy_list_build() only. */
struct energy {
    const struct system *s;
    struct scheme scheme;
    double cutnb; /* as requested */
    double reach; /* distance up to which the last list has pairs, see energy_list_build() */
    int rank, size;
    struct comm *comm;  /* for PME on several tasks; may be NULL otherwise */
    struct share share; /* distribution of work */
    struct grid grid;
    struct pairlist list;
    struct kernel_atoms atoms;
    size_t atom_room;
    double *memory;   /* memory of `atoms` */
    double *built_at; /* coordinates when the list was made */
    int builds;       /* lists made so far */
    double *whole;    /* box vectors that make molecules whole, system_whole() */
    struct ewald ewald;
};

/* rank and size select this task's share; s must remain valid. cutnb >= ctofnb. size 1: one task
 * computes everything. */
void energy_init(struct energy *e, const struct system *s, const struct scheme *scheme,
                 double cutnb, int rank, int size);
/* The system stays. */
void energy_free(struct energy *e);

/* Returns true if an atom of x (3 * natom) has moved so far that the list may miss a pair, or if
 * there is no list.  The answer is equal on all tasks with equal
 * coordinates. */
int energy_list_old(const struct energy *e, const double *x);
/* Builds the list for x, with pairs up to cutnb or, if that is less, the width of the box. */
void energy_list_build(struct energy *e, const double *x);

/* Computes the forces of this task's share into f (3 * natom, overwritten).  With with_energy, also
 * its energies and virial into term (overwritten); else term is unchanged.  The list must be valid
 * for x.  Returns 0 or, with PME on several tasks, the status of its messages. */
int energy_forces(struct energy *e, const double *x, double *f, int with_energy,
                  double term[ENERGY_NUMBERS], struct err *err);

/* Must be called when the size of the box, s->cell, has changed.  A new list must be built before
 * the next forces. */
void energy_rescaled(struct energy *e);
