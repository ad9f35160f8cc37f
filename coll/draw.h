/* draw.h - the timing diagram of a plan (Bhat, Figure 2) as an SVG picture. */
#ifndef HNOW_COLL_DRAW_H
#define HNOW_COLL_DRAW_H

#include "plan.h"
#include "simulate.h"

#include <stdio.h>

struct drawing {
    const char *title;
    const char *const *names; /* [rank] */
    const struct plan *plan;
    const struct timing *timing;
};

/* Writes a whole SVG document: a lane for each rank, sends in its upper and receives in its lower
 * half, a line for each flight, blocks by colour, the details of each message as a hover text.
 * HN_OK, or HN_ESYS when writing fails. */
int draw_timing(const struct drawing *drawing, FILE *file);

#endif
