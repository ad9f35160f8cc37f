/* plan_order.h - what those operations of a group share that are planned in one order: which plans
 * they follow, plans made before, and how these follow the network.
 *
 * A group has two such orders.  In the one all members know all sizes when they start an operation;
 * in the other every part has a size of its own (scatterv, gatherv, allgatherv, alltoallv,
 * reduce_scatter), of which members may hear later, each at another time.  So each has its
 * own sequence (sequence.h), and its own view of the network: neither waits for the
 * other, and what comes of an operation holds from the next one of its order on, at the same one
 * everywhere.
 *
 * Operations whose sizes differ are compared by what the model says of each (scale).
 *
 * All functions but those of `sequence` are called with the group state's lock, which `guard` is.
 */
#pragma once

#include "wire/adapt.h"
#include "wire/choices.h"
#include "wire/sequence.h"

/* Plans kept.  Of more, the one used longest ago is given up: a loop with more different calls than
 * that makes all plans anew each time. */
enum { PLANS = 64 };

struct cached_plan {
    struct request req; /* sizes is a copy of its own */
    struct plan *plan;
    hn_time predicted; /* when this member has done its part; 0: unknown */
    hn_time scale;     /* makespan of what the model holds for best; 0: nobody needs it */
    uint64_t used;     /* clock of the last use */
};

struct plan_order {
    /* The group state says: */
    int rank;
    bool measured; /* the model is the job's network file's */
    bool forced;   /* plans by `forced_choices` */
    bool sums;     /* plans of sums that are rounded follow the network, too */
    struct history *history;
    /* Its own: */
    struct sequence sequence;
    struct adapt adapt; /* and the model as the network has become */
    struct choices choices, forced_choices;
    struct cached_plan plans[PLANS];
    uint64_t clock;
};

/* stated, the model as it was at first, must stay; follows: plans follow the network. */
void plan_order_init(struct plan_order *order, const struct model *stated, bool follows);
void plan_order_free(struct plan_order *order);
/* The plan for the next operation, by the names or what is best; its counts.  *plan is held once
 * more.  *settles: as in group_state.h. */
int plan_order_plan(struct plan_order *order, const struct plan_names *names,
                    const struct request *req, struct plan **plan, struct decision **settles);
/* The choice that plan_order_plan() will follow. */
int plan_order_foresee(struct plan_order *order, const struct plan_names *names,
                       const struct request *req, struct choice *choice);
/* The decision that a request follows; NULL: none is kept. */
struct decision *plan_order_decision(struct plan_order *order, const struct request *req);
/* An operation by one of its plans has taken so long here, in nanoseconds. */
void plan_order_note(struct plan_order *order, const struct plan *plan, int64_t took,
                     bool deflated);
/* Settling is over; plans made for what is another one now go. */
void plan_order_settled(struct plan_order *order, const struct settling *settling);
/* Plans follow the network from now on, or not; sums: also those of sums that are rounded.  In a
 * turn. */
void plan_order_adapt(struct plan_order *order, const struct model *stated, bool follows,
                      bool sums);
/* All plans go; forced: from now on those by name. */
void plan_order_force(struct plan_order *order, bool forced);
