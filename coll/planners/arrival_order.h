/* arrival_order.h - receives in the order in which messages come. */
#pragma once

#include "planners/planner.h"

/* Appends the steps of a finished plan, cut as `plan` is, rank by rank: sends in their order, and
 * each receive where the model has its message arrive, but operands that have an order in that of
 * the draft. The plan ends in that model, and wherever sends do not wait for their receivers. Fails
 * when the draft never ends, or memory does. Cost: O(s log s) for s steps, and playing the draft
 * once. */
void arrival_order_write(const struct problem *problem, const struct plan *draft,
                         struct plan *plan);
