/* detours.h - total exchanges by other ranks: private to detours*.c. */
#pragma once

#include "planners/planner.h"

/* Writes a plan of long parts in pieces, which share the network as evenly as it allows. Returns
 * its time in the model of the problem. INT64_MAX, and nothing is written: it is not before
 * `limit`, parts are too short for pieces, senders wait for receivers, or there is no memory. */
hn_time detours_in_pieces(const struct problem *problem, hn_time limit, struct plan *plan);
