/* select.h - CHARMM's atom selections: SELE segid PROT .and. .not. type H* END (select.doc). */
#pragma once

#include "psf.h"

/* A selection named by DEFINE. */
struct select_name {
    char name[PSF_NAME];
    unsigned char *set; /* one byte per atom */
};

/* The atoms to select from, and their properties. */
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
 * selected).  Returns NULL, or an error text with the index of the faulty word in *at. */
const char *select_atoms(const struct select_world *w, char *const *word, int n, unsigned char *set,
                         int *at);
