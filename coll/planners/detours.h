/* detours.h - total exchanges that forward messages through other ranks: private to detours*.c. */
#pragma once

#include "planners/planner.h"

/* Writes a plan that cuts long parts into pieces, which load the network as evenly as possible.
 * Returns its makespan (ps) in the problem's model. Returns INT64_MAX and writes nothing if the
 * makespan would not be below `limit`, parts are too short for pieces, senders wait for receivers,
 * or memory is exhausted. */
hn_time detours_in_pieces(const struct problem *problem, hn_time limit, struct plan *plan);
