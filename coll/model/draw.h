/* draw.h - a plan as SVG: its timing diagram (Bhat, Figure 2), or its messages on the map of the
 * network.
 */
#pragma once

#include "plan/plan.h"
#include "model/simulate.h"

#include "hnow_net.h"

#include <stdio.h>

struct drawing {
    const char *title;
    const char *const *names; /* [rank] */
    const struct plan *plan;
    const struct timing *timing;
    const struct timing *measured; /* a second diagram; NULL: nothing was measured */
    const int *host;               /* [rank]: host on the map; only for draw_map() */
    const struct model *model;     /* draw_timing() shows its media; NULL: none */
    bool messages; /* the parts of the data are the messages of a multiple multicast */
};

/* Writes an SVG document. It has a row for each rank, with sends in the upper and receives in the
 * lower half. Each message is a line, with its details as hover text. Shared media have a band
 * each, which shows the messages on them. Blocks have at most seven colours, then shades. With
 * measured times there are two diagrams of the same scale. HN_OK, HN_ENOMEM, or HN_ESYS when
 * writing fails. */
int draw_timing(const struct drawing *drawing, FILE *file);

/* Draws the map of the network (as hprobe -draw). An arrow joins each two ranks between which the
 * plan sends; its colour shows when the last message is received. HN_OK, HN_ENOMEM or HN_ESYS. */
int draw_map(const struct drawing *drawing, const hn_net *net, FILE *file);
