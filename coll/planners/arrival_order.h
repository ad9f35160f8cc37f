/* arrival_order.h - receives in the order in which messages arrive. */
#pragma once

#include "planners/planner.h"

/* Appends the steps of `draft`, a finished plan with the same blocks, rank by rank. Sends keep
 * their order; receives are sorted by the arrival times of the model, but ordered operands keep the
 * order of the draft. The result ends in that model, and wherever sends do not wait for their
 * receivers. Fails when the draft never ends, or out of memory. Cost: O(s log s) for s steps, and
 * one simulation. */
void arrival_order(const struct problem *problem, const struct plan *draft, struct plan *plan);
