/* group_state.h - what the coll room knows about a group of tasks: the network under it, its
 * context, and the plans made for it.
 *
 * It is made at the first collective operation of a group and lives as long as the group.  All
 * members make the same plans: they read the same network file, and nothing else enters a plan than
 * that file, the request, and integers.
 */
#pragma once

#include "planners/planner.h"

#include "hnow.h"

struct group_state;
struct held_model;
struct history;
struct open_table;
struct decision;
struct plan_names;
struct settling;
struct subset;
struct sequence;
struct compress;

/* The state of a group. HN_EARG: no group, or the caller is no member. */
int group_state_get(const hn_group *group, struct group_state **state);
/* The state of the root and n other members of a group, the root first, in which the caller's
 * next call with this list is; it stays until group_state_drop(). Blocks where the root's library
 * must be asked (subset.h).  HN_EARG: a rank is no member's, or is in the list twice, or the caller
 * is not in it. */
int group_state_get_some(const hn_group *group, int root, const int *to, int n,
                         struct subset **subset, struct group_state **state);
/* subset may be NULL. */
void group_state_drop(struct group_state *state, struct subset *subset);
/* A call for which there is none, for this error: it counts among those for the list that it was to
 * be, as soon as that is known (open_table.h).  dead: the member that is gone, where that is the
 * error; else 0. */
void group_state_note_unmatched(const hn_group *group, int root, const int *to, int n,
                                bool persistent, int error, hn_tid dead);
int group_state_size(const struct group_state *state);
int group_state_rank(const struct group_state *state);
const hn_tid *group_state_tids(const struct group_state *state); /* [rank] */
/* A context for the messages of this group's operations only. */
hn_context group_state_context(const struct group_state *state);
/* split.c: the context of operations of the group that a group was split from; 0: of none. */
hn_context split_parent(const hn_group *group);
/* The operations that the caller has begun, which also gives them their tags (open_table.h). */
struct open_table *group_state_table(const struct group_state *state);

/* The plan for a request: from the cache, or made by the job's -plan, where it serves the
 * operation, else by auto. The caller gives it up with plan_free().  *settles: the decision that is
 * to be settled when the operation has ended (adapt.h), after which no other one may be planned; or
 * NULL.  settles NULL: the operation is not counted for that. */
int group_state_plan(struct group_state *state, const struct request *req, struct plan **plan,
                     struct decision **settles);
/* The name of the plan that group_state_plan() gave last; "": it has given none. */
void group_state_followed(struct group_state *state, char name[PLAN_NAME_ROOM]);
/* The choice that group_state_plan() will follow for a request: HN_EPLAN when nobody serves it. */
int group_state_choose(struct group_state *state, const struct request *req, struct choice *choice);
/* Whether the program or the job's -plan has named its plans. */
bool group_state_is_named(const struct group_state *state);
/* From now on these choices instead of the job's -plan; NULL: as at first. Plans made before go.
 * Waits until all operations begun before have been planned. */
void group_state_force(struct group_state *state, const struct plan_names *names);

/* An operation by this plan, one of group_state_plan()'s for this request, went well; it was begun
 * at this group_state_now(). */
void group_state_note(struct group_state *state, const struct request *req, const struct plan *plan,
                      uint64_t begun, bool deflated);
uint64_t group_state_now(void); /* nanoseconds */
/* In which operations like this one are planned (sequence.h). */
struct sequence *group_state_sequence(struct group_state *state, const struct request *req);
/* The decision that is due after the operation with this tag; when it is made, plans for the
 * earlier one are dropped. */
struct settling group_state_settling(struct group_state *state, const struct request *req,
                                     struct decision *decision, int tag);
void group_state_settled(struct group_state *state, const struct request *req,
                         const struct settling *settling);
/* Whether plans follow the network from now on; false: they become those of the network file.
 * sums: that goes for plans of sums that are rounded, too. */
void group_state_adapt(struct group_state *state, bool on, bool sums);
/* Whether the plan of a request that sums up with rounding must stay the same.  In a turn, it is so
 * at all members. */
bool group_state_is_steady(struct group_state *state, const struct request *req);
/* A copy of the decision that a request follows, where its plan follows the network, to be given
 * back with free(); else NULL.  In a turn, all members have the same. */
struct decision *group_state_decision(struct group_state *state, const struct request *req);
/* By which long messages are deflated; NULL: they are not. */
struct compress *group_state_compress(const struct group_state *state);
/* Whether they are from now on, where that is quicker. */
void group_state_set_compress(struct group_state *state, bool on);
/* Rank 0's history, when one is wanted; else NULL. */
struct history *group_state_history(const struct group_state *state);
/* The model that plans are made for (where all parts are of a size) as it is now: another thread
 * may replace it meanwhile. held_model_drop() (model_update.h) gives it back. */
void group_state_hold_model(struct group_state *state, struct held_model *held);
/* Whether it is the job's network file (else a guess). */
bool group_state_measured(const struct group_state *state);
/* The model as it was at first, whatever has changed since; it stays as long as the group state. */
const struct model *group_state_stated(const struct group_state *state);
