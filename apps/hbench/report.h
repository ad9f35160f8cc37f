/* report.h - the drawings in a report: see report.c. Only built with json-c. Both functions
 * write parts of an HTML page to `out`. */
#pragma once

#include "hnow_net.h"
#include "json_document.h"

#include <stdio.h>

/* Draws the network's map.  Returns HN_OK or an error. */
int report_map(const hn_net *net, const char *title, FILE *out);
/* Draws timing diagrams of the measurements of an hbench -json document, if its tasks ran on hosts
 * of the network, one on each: for every operation and size the plan of the fastest case.  Draws at
 * most *left diagrams, and decrements *left.  Returns HN_OK or an error. */
int report_diagrams(const hn_net *net, json_object *document, int *left, FILE *out);
