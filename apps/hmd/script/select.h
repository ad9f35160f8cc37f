/* select.h - CHARMM's atom selections: SELE segid PROT .and. .not. type H* END (select.doc). */
#pragma once

#include "psf.h"

/* A selection that DEFINE has given a name. */
struct select_name {
    char name[PSF_NAME];
    unsigned char *set; /* one an atom */
};

/* The atoms to select from, and their properties. */
struct select_world {
    const struct psf *psf;
    const double *x; /* 3 * natom */
    const struct select_name *known;
    int nknown;
    /* PROP: fills v, a number for each atom, from the array of this name (upper case); 0: there is
     * none. */
    int (*array)(void *of, const char *name, double *v);
    void *of;
};

/* Evaluates the words between SELE and END, in upper case, into set (a byte for each atom: 1 where
 * it is selected).  NULL; or why not, with the number of the faulty word in *at. */
const char *select_atoms(const struct select_world *w, char *const *word, int n, unsigned char *set,
                         int *at);
