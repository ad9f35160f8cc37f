/* arrival_order.h - receives in the order in which messages arrive. */
#pragma once

#include "planners/planner.h"

/* Appends the steps of `draft`, a finished plan with the same blocks, to `plan`. Sends keep their
 * order. Receives are sorted by the arrival times of the model, but ordered operands keep the order
 * of the draft. The result has no deadlock in that model, nor if sends do not wait for their
 * receivers. The plan fails if the draft has a deadlock or memory is exhausted. Cost: O(s log s)
 * for s steps, and one simulation. */
void arrival_order(const struct problem *problem, const struct plan *draft, struct plan *plan);
