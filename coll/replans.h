/* replans.h - what the parts of replanning share: reading an old plan; private to replan*.c. */
#ifndef HNOW_COLL_REPLANS_H
#define HNOW_COLL_REPLANS_H

#include "exchange.h"
#include "multicast.h"
#include "replan.h"

/* The old plan with blocks for the sizes of the request, the members being the same; the old plan
 * itself, held, when the sizes are the same, too. HN_EPLAN: its blocks cannot be cut alike. */
int replan_keep(const struct plan *old, const struct request *req, struct plan **plan);

/* The old tree among the members of today, by everybody's parent. Who is gone leaves its children
 * to its parent; who is new goes where it is served soonest, as does who has lost its way. HN_OK,
 * HN_ENOMEM, or HN_EPLAN when the old plan is not that of a tree. O(n^2). */
int replan_tree(const struct old_plan *old, const struct request *req, const struct matrix *matrix,
                int *parent);

/* The messages of an old total exchange between those who are still there, in an order in which
 * they can happen; `events` has room for all n (n - 1) that there were. Returns their number; -1:
 * not every message went by itself, or out of memory. O(n^2), mostly. */
int replan_events(const struct old_plan *old, struct exchange_event *events);

/* Who sent which block to whom in an old multiple multicast, in an order in which that can happen;
 * `decisions` has room for all its messages. Receivers that are gone are left out, senders that are
 * gone are -1. Returns their number; -1: out of memory. O(steps), mostly. */
int replan_decisions(const struct old_plan *old, struct multicast_decision *decisions);

#endif
