/* team.h - what the coll room knows about a group of tasks: the network under it, its context, and
 * the plans made for it.
 *
 * A team is made at the first collective operation of a group and lives as long as that. All
 * members make the same plans: they read the same network file, and nothing else enters a plan than
 * that file, the request, and integers.
 */
#ifndef HNOW_COLL_TEAM_H
#define HNOW_COLL_TEAM_H

#include "planners/planner.h"

#include "hnow.h"

struct team;
struct held_model;
struct journal;
struct ledger;
struct decision;
struct plan_names;
struct settling;
struct subset;
struct turns;
struct compress;

/* The team of a group. HN_EARG: no group, or the caller is no member. */
int team_get(const hn_group *group, struct team **team);
/* The team of the root and n other members of a group, the root first, in which the caller's next
 * call with this list is; it stays until team_let_go(). Blocks where the root's library must be
 * asked (subset.h).  HN_EARG: a rank is no member's, or is in the list twice, or the caller is not
 * in it. */
int team_get_some(const hn_group *group, int root, const int *to, int n, struct subset **subset,
                  struct team **team);
/* subset may be NULL. */
void team_let_go(struct team *team, struct subset *subset);
/* A call for which there is none, for this error: it counts among those for the list that it was to
 * be, as soon as that is known (ledger.h).  dead: the member that is gone, where that is the error;
 * else 0. */
void team_note_stray(const hn_group *group, int root, const int *to, int n, bool lasting, int error,
                     hn_tid dead);
int team_size(const struct team *team);
int team_rank(const struct team *team);
const hn_tid *team_tids(const struct team *team); /* [rank] */
/* A context for the messages of this group's operations only. */
hn_context team_context(const struct team *team);
/* split.c: the context of operations of the group that a group was split from; 0: of none. */
hn_context split_parent(const hn_group *group);
/* The operations that the caller has begun, which also gives them their tags (ledger.h). */
struct ledger *team_ledger(const struct team *team);

/* The plan for a request: from the cache, or made by the job's -plan, where it serves the
 * operation, else by auto. The caller gives it up with plan_free().  *settles: the decision that is
 * to be settled when the operation has ended (adapt.h), after which no other one may be planned; or
 * NULL.  settles NULL: the operation is not counted for that. */
int team_plan(struct team *team, const struct request *req, struct plan **plan,
              struct decision **settles);
/* The name of the plan that team_plan() gave last; "": it has given none. */
void team_followed(struct team *team, char name[PLAN_NAME_ROOM]);
/* What team_plan() comes to follow for a request: HN_EPLAN when nobody serves it. */
int team_choose(struct team *team, const struct request *req, struct choice *choice);
/* From now on these choices instead of the job's -plan; NULL: as at first. Plans made before go.
 * Waits until all operations begun before have been planned. */
void team_force(struct team *team, const struct plan_names *names);

/* An operation by this plan, one of team_plan()'s for this request, went well; it was begun at this
 * team_now(). */
void team_note(struct team *team, const struct request *req, const struct plan *plan,
               uint64_t begun, bool deflated);
uint64_t team_now(void); /* nanoseconds */
/* In which operations like this one are planned (turns.h). */
struct turns *team_turns(struct team *team, const struct request *req);
/* What is to be settled after the operation with this tag; and when it is, plans that were made for
 * what is another one now go. */
struct settling team_settling(struct team *team, const struct request *req,
                              struct decision *decision, int tag);
void team_settled(struct team *team, const struct request *req, const struct settling *settling);
/* Whether plans follow the network from now on; false: they become those of the network file.
 * sums: that goes for plans of sums that are rounded, too. */
void team_adapt(struct team *team, bool on, bool sums);
/* Whether the plan of a request that sums up with rounding must stay the same.  In a turn, it is so
 * at all members. */
bool team_is_steady(struct team *team, const struct request *req);
/* A copy of the decision that a request follows, where its plan follows the network, to be given
 * back with free(); else NULL.  In a turn, all members have the same. */
struct decision *team_decision(struct team *team, const struct request *req);
/* By which long messages are deflated; NULL: they are not. */
struct compress *team_compress(const struct team *team);
/* Whether they are from now on, where that is quicker. */
void team_set_compress(struct team *team, bool on);
/* Rank 0's journal, when one is wanted; else NULL. */
struct journal *team_journal(const struct team *team);
/* The model that plans are made for (where all parts are of a size) as it is now: another thread
 * may replace it meanwhile. held_model_drop() (outlook.h) gives it back. */
void team_hold_model(struct team *team, struct held_model *held);
/* Whether it is the job's network file (else a guess). */
bool team_measured(const struct team *team);
/* The model as it was at first, whatever has changed since; it stays as long as the team. */
const struct model *team_stated(const struct team *team);

#endif
