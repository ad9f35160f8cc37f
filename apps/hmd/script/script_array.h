/* script_array.h - named arrays with a number for each atom: X, WMAIN, CHARGE ... (CHARMM's
 * scalar.doc). For SCALAR, and PROP in selections. An array is copied out, changed and stored as a
 * whole, so that its storage may differ by kind. */
#pragma once

#include "script_run.h"

/* What an array is of: positions, weights, ... */
enum script_array_kind {
    SCRIPT_ARRAY_PLACE,
    SCRIPT_ARRAY_WEIGHT,
    SCRIPT_ARRAY_CHARGE,
    SCRIPT_ARRAY_MASS,
    SCRIPT_ARRAY_FRICTION
};

/* One array of a set of coordinates, or of the structure. */
struct script_array {
    enum script_array_kind kind;
    int comp, which; /* comp: of the second set; which: x, y or z */
};

/* Returns true if a word is the name of an array. */
int script_array_find(const char *word, struct script_array *a);
/* Copies the numbers of an array, one per atom. */
void script_array_get(struct script *s, const struct script_array *a, double *v);
/* Stores the numbers of an array; ERR_INPUT if they are not usable. */
int script_array_put(struct script *s, const struct script_array *a, const double *v);
/* For selections: select_world.array; `script` is a struct script. */
int script_array_by_name(void *script, const char *name, double *v);
