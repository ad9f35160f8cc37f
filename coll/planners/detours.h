/* detours.h - total exchanges that forward messages through other ranks: private to detours*.c. */
#pragma once

#include "planners/planner.h"

/* Writes a plan that cuts long parts into pieces, which load the network as evenly as possible.
 * Returns its makespan in the problem's model. INT64_MAX, with nothing written: it would not be
 * before `limit`, parts are too short for pieces, senders wait for receivers, or out of memory. */
hn_time detours_in_pieces(const struct problem *problem, hn_time limit, struct plan *plan);
