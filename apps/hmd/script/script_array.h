/* script_array.h - numbers for each atom that have names: X, WMAIN, CHARGE ... (CHARMM's
 * scalar.doc). For SCALAR, and PROP in selections. */
#pragma once

#include "script_run.h"

enum script_array_kind {
    SCRIPT_ARRAY_PLACE,
    SCRIPT_ARRAY_WEIGHT,
    SCRIPT_ARRAY_CHARGE,
    SCRIPT_ARRAY_MASS,
    SCRIPT_ARRAY_FRICTION
};

struct script_array {
    enum script_array_kind kind;
    int comp, which; /* of the second set; x, y or z */
};

/* Whether a word is the name of an array. */
int script_array_find(const char *word, struct script_array *a);
/* Copies an array's numbers, one an atom. */
void script_array_get(struct script *s, const struct script_array *a, double *v);
/* Puts numbers back; ERR_INPUT where they cannot be computed with. */
int script_array_put(struct script *s, const struct script_array *a, const double *v);
/* For selections: select_world.array; `script` is a struct script. */
int script_array_by_name(void *script, const char *name, double *v);
