/* draw.h - pictures of a plan as SVG: its timing diagram (Bhat, Figure 2), and its messages over
 * the map of the network. */
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
    const struct timing *measured; /* shown beside it; NULL: nothing was measured */
    const int *host;               /* [rank]: of the map; only draw_map() asks */
    const struct model *model;     /* whose media draw_timing() shows; NULL: none */
    bool messages; /* the parts of the data are the messages of a multiple multicast */
};

/* Writes a whole SVG document: a row for each rank, sends in its upper and receives in its lower
 * half, a line for each flight, and the details of each message as a hover text. Where the model
 * has shared media, a band for each of them shows which message occupies it when. Blocks have at
 * most seven colours, then shades. With measured times, there are two such pictures of one scale.
 * HN_OK, HN_ENOMEM, or HN_ESYS when writing fails. */
int draw_timing(const struct drawing *drawing, FILE *file);

/* The map of the network (as hprobe -draw), with an arrow for each two ranks
 * between which the plan sends, coloured by the time at which the last of it is received. HN_OK,
 * HN_ENOMEM or HN_ESYS. */
int draw_map(const struct drawing *drawing, const hn_net *net, FILE *file);
