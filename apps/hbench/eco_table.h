/* eco_table.h - the tables of ECO's paper (Lowekamp and Beguelin 1995), to stand beside ours. */
#pragma once

#include "result.h"

#include <stdint.h>

/* Numbers of tables in the paper; rows of the longest, and a last one without a pattern. */
enum { ECO_FIRST = 3, ECO_LAST = 7, ECO_ROWS = 12 };

/* A plan: ECO's trees, with the root for which the network file promises most. */
#define ECO_BEST_ROOT "eco@"

struct eco_table {
    int number;
    const char *about;  /* what the paper measured, on what */
    const char *unit;   /* of its figures */
    bool broadcast;     /* single broadcasts; else communication of molecular dynamics */
    bool traffic, ring; /* with ambient traffic; shifts on a ring, too */
    struct eco_row {
        const char *pattern, *plan;
        double mean, median, min; /* the paper's; 0: it has none */
        bool blocks; /* forces are summed to each task its block, as hmd does; else to all, as the
                        paper's program did */
    } row[ECO_ROWS]; /* the first one is ECO's; up to the first without a pattern */
};

/* NULL: there is no such table. */
const struct eco_table *eco_table(int64_t number);
int eco_table_rows(const struct eco_table *t);
/* The paper's rows beside ours: result i of `all` belongs to row i; behind them come those of
 * shifts, if there are any. */
void eco_table_print(const struct eco_table *t, const struct results *all);
