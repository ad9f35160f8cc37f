/* group_state.h - the state of a group of tasks: its network, its context, and its plans.
 *
 * It is made at the first collective operation of a group and lives as long as the group. All
 * members make the same plans: a plan depends on the network file and the request only, and is
 * computed with integers.
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
struct agreement;
struct subset;
struct sequence;
struct compress;

/* Returns the state of a group. HN_EARG: no group, or the caller is not a member. */
int group_state_get(const hn_group *group, struct group_state **state);
/* Returns the state of the multicast list that consists of the root and n other members, the root
 * first. The caller's next call with this list belongs to it. It is valid until group_state_drop().
 * Blocks if the root has to be asked (subset.h). HN_EARG: a rank is out of range or in the list
 * twice, or the caller is not in the list. */
int group_state_get_some(const hn_group *group, int root, const int *to, int n,
                         struct subset **subset, struct group_state **state);
/* Releases the result of either function; subset may be NULL. */
void group_state_drop(struct group_state *state, struct subset *subset);
/* Records a call with this error that has no state because its list is unusable. It counts among
 * the calls to the list that it was meant for, once that is known (open_table.h). dead: the member
 * that is gone, if that is the error; else 0. */
void group_state_note_unmatched(const hn_group *group, int root, const int *to, int n,
                                bool persistent, int error, hn_tid dead);
int group_state_size(const struct group_state *state);
int group_state_rank(const struct group_state *state);
const hn_tid *group_state_tids(const struct group_state *state); /* [rank] */
/* A context used only for messages of this group's operations. */
hn_context group_state_context(const struct group_state *state);
/* split.c: the context of operations of the group that this one was split from; 0: none. */
hn_context split_parent(const hn_group *group);
/* The table of operations that the caller has begun, which also assigns their tags
 * (open_table.h). */
struct open_table *group_state_table(const struct group_state *state);

/* The plan for a request: from the cache, made by the job's -plan if it serves the operation, else
 * by `auto`. The caller releases it with plan_free(). *pending: the decision to be agreed when the
 * operation has ended (adapt.h), before which no other operation may be planned; or NULL. pending
 * NULL: the operation is not counted. */
int group_state_plan(struct group_state *state, const struct request *req, struct plan **plan,
                     struct decision **pending);
/* The name of the last plan that group_state_plan() returned; "": none yet. */
void group_state_followed(struct group_state *state, char name[PLAN_NAME_ROOM]);
/* The choice that group_state_plan() will follow for a request. HN_EPLAN: no planner serves it. */
int group_state_choose(struct group_state *state, const struct request *req, struct choice *choice);
/* Whether plans have been named by the program or the job's -plan. */
bool group_state_is_named(const struct group_state *state);
/* Uses these choices instead of the job's -plan from now on; NULL: restores the initial state.
 * Drops plans made before. Blocks until all operations begun before have been planned. */
void group_state_force(struct group_state *state, const struct plan_names *names);

/* Records that an operation of this request and plan has succeeded; it began at the
 * group_state_now() `begun`. */
void group_state_note(struct group_state *state, const struct request *req, const struct plan *plan,
                      uint64_t begun, bool deflated);
uint64_t group_state_now(void); /* nanoseconds */
/* The sequence in which such operations are planned (sequence.h). */
struct sequence *group_state_sequence(struct group_state *state, const struct request *req);
/* Prepares and ends the agreement that is due after the operation with this tag. Plans for the
 * earlier decision are then dropped. */
struct agreement group_state_agreement(struct group_state *state, const struct request *req,
                                       struct decision *decision, int tag);
void group_state_agreed(struct group_state *state, const struct request *req,
                        const struct agreement *agreement);
/* Switches adaptation on or off. false: plans are those of the network file again. sums: also for
 * plans of sums that are rounded. */
void group_state_adapt(struct group_state *state, bool on, bool sums);
/* Whether the plan of this request must not change, because it sums with rounding. The same at all
 * members when called in a turn. */
bool group_state_is_steady(struct group_state *state, const struct request *req);
/* A copy of the decision that a request follows, to be freed with free(); NULL if its plan does not
 * follow the network. The same at all members when called in a turn. */
struct decision *group_state_decision(struct group_state *state, const struct request *req);
/* Used to deflate messages; NULL: disabled. */
struct compress *group_state_compress(const struct group_state *state);
/* Enables or disables compression, which is still used only where it is faster. */
void group_state_set_compress(struct group_state *state, bool on);
/* Rank 0's log, if it is enabled; else NULL. */
struct history *group_state_history(const struct group_state *state);
/* Returns the present model for plans with equal parts. Another thread may replace it meanwhile.
 * Release it with held_model_drop() (model_update.h). */
void group_state_hold_model(struct group_state *state, struct held_model *held);
/* Whether the model is the job's network file; else it is a guess. */
bool group_state_measured(const struct group_state *state);
/* The initial model, without later changes; valid as long as the group state. */
const struct model *group_state_stated(const struct group_state *state);
