/* select.h - CHARMM's atom selections: SELE segid PROP .and. .not. type H* END (select.doc).
 *
 * A selection is evaluated once, when its command runs, with the coordinates of that moment. It is
 * not kept as a formula; DEFINE keeps the resulting set.
 */
#pragma once

#include "psf.h"

/* A selection named by DEFINE. The set is owned by the script, and dropped when the number of atoms
 * changes. */
struct select_name {
    char name[PSF_NAME];
    unsigned char *set; /* one byte per atom */
};

/* The atoms to select from, and their properties. Everything belongs to the caller. */
struct select_world {
    const struct psf *psf;
    const double *x; /* 3 * natom */
    const struct select_name *known;
    int nknown;
    /* PROP: fills v, a number for each atom, from the array of this name (upper case).  Returns 0
     * if there is none. */
    int (*array)(void *of, const char *name, double *v);
    void *of;
};

/* Evaluates the words between SELE and END, in upper case, into set (a byte for each atom: 1 if
 * selected).  Returns NULL, or an error text with the index of the faulty word in *at. Each task
 * evaluates it, with the same result. natom must be above 0. */
const char *select_atoms(const struct select_world *w, char *const *word, int n, unsigned char *set,
                         int *at);
