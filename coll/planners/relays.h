/* relays.h - blocks that go straight to a rank of their own, and straight on from there: private to
 * relays and shares. */
#pragma once

#include "planners/planner.h"

/* Cuts the one part of the data: into segments, or so many pieces, but no more than there are
 * elements. */
void relays_cut(const struct problem *problem, int pieces, struct plan *plan);

/* Appends all steps for the blocks of a plan that has been cut. relay[block]: the rank that passes
 * it on; of an operation with parts, the one that the part belongs to. Blocks after each other that
 * have different relays are a round; what is passed on is taken in `ahead` rounds later, and given
 * as many sooner. Relays tell by multicasts of the network `casts` (NULL: rank by rank). */
void relays_write(const struct request *req, const struct model *multicasts, const int *relay,
                  int ahead, struct plan *plan);
