/* eco_table.h - the tables of ECO's paper (Lowekamp and Beguelin 1995), for comparison with
 * ours. The figures are constants of the paper. What is measured here is stored in struct
 * results, and the two meet only when they are printed. */
#pragma once

#include "result.h"

#include <stdint.h>

/* First and last table number of the paper; rows of the longest table, plus one that terminates
 * it. */
enum { ECO_FIRST = 3, ECO_LAST = 7, ECO_ROWS = 12 };

/* A plan: ECO's trees, with the root that the network file predicts to be best. */
#define ECO_BEST_ROOT "eco@"

struct eco_table {
    /* As in the paper. */
    int number;
    const char *about;  /* what the paper measured, on which hardware */
    const char *unit;   /* of its figures */
    bool broadcast;     /* true: single broadcasts; false: communication of molecular dynamics */
    bool traffic, ring; /* with ambient traffic; also shifts on a ring */
    struct eco_row {
        const char *pattern, *plan;
        double mean, median, min; /* of the paper; 0: none */
        bool blocks; /* each task gets the summed forces of its block, as in hmd; false: all forces,
                        as in the paper's program */
    } row[ECO_ROWS]; /* the first one is ECO's; a row without a pattern ends the table */
};

/* NULL: no such table. */
const struct eco_table *eco_table(int64_t number);
int eco_table_rows(const struct eco_table *t);
/* Prints the paper's rows next to ours. Result i of `all` belongs to row i; results of shifts, if
 * any, follow. */
void eco_table_print(const struct eco_table *t, const struct results *all);
