/* report.h - the pictures of a report: see report.c. */
#pragma once

#include "hnow_net.h"
#include "json_document.h"

#include <stdio.h>

/* The network's map. */
int report_map(const hn_net *net, const char *title, FILE *out);
/* Timing diagrams of what a document of hbench -json has measured, if its tasks ran on hosts of the
 * network, one on each: of every operation and size the plan of the quickest case; at most as many
 * as *left says, which is counted down.  Both: HN_OK or an error. */
int report_diagrams(const hn_net *net, json_object *document, int *left, FILE *out);
