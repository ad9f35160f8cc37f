/* plan_order.h - what operations planned in one order share: their decisions, cached plans, and
 * adaptation.
 *
 * A group has two orders. In one, all members know all sizes when they start an operation. In the
 * other every part has its own size (scatterv, gatherv, allgatherv, alltoallv, reduce_scatter);
 * members may learn the sizes later, each at another time. Each order has its own sequence
 * (sequence.h) and its own view of the network. So neither waits for the other, and the result of
 * an operation applies from the next operation of its order on, at the same one everywhere.
 *
 * Operations of different sizes are compared by their predictions (scale).
 *
 * All functions are called with the group state's lock held, which is also `guard`; those of
 * `sequence` are not.
 */
#pragma once

#include "wire/adapt.h"
#include "wire/choices.h"
#include "wire/sequence.h"

/* Cached plans; the least recently used one is dropped. A loop over more different calls makes all
 * plans anew each time. */
enum { PLANS = 64 };

struct cached_plan {
    struct request req; /* owns a copy of sizes */
    struct plan *plan;
    hn_time predicted; /* predicted time of this member's part; 0: unknown */
    hn_time scale;     /* makespan of the model's best plan; 0: not needed */
    uint64_t used;     /* clock of the last use */
};

struct plan_order {
    /* Set by the group state: */
    int rank;
    bool measured;               /* the model is the job's network file */
    bool forced;                 /* use `forced_choices` */
    bool sums;                   /* adaptation includes sums that are rounded */
    struct first_choices *first; /* of the initial model; NULL: none */
    struct history *history;
    /* Own state: */
    struct sequence sequence;
    struct adapt adapt; /* includes the present model */
    struct choices choices, forced_choices;
    struct cached_plan plans[PLANS];
    uint64_t clock;
};

/* stated: the initial model, which must outlive it; follows: adaptation is on. */
void plan_order_init(struct plan_order *order, const struct model *stated, bool follows);
void plan_order_free(struct plan_order *order);
/* The plan for the next operation, by name or the best, with a reference for the caller. The
 * operation is counted. *pending: as in group_state.h. */
int plan_order_plan(struct plan_order *order, const struct plan_names *names,
                    const struct request *req, struct plan **plan, struct decision **pending);
/* The choice that plan_order_plan() will follow. */
int plan_order_foresee(struct plan_order *order, const struct plan_names *names,
                       const struct request *req, struct choice *choice);
/* The decision that a request follows; NULL: none. */
struct decision *plan_order_decision(struct plan_order *order, const struct request *req);
/* Records the time of an operation with one of its plans at this member, in nanoseconds. */
void plan_order_note(struct plan_order *order, const struct plan *plan, int64_t took,
                     bool deflated);
/* An agreement has ended; drops plans made for what has changed. */
void plan_order_agreed(struct plan_order *order, const struct agreement *agreement);
/* Switches adaptation on or off; sums: also for sums that are rounded. To be called in a turn. */
void plan_order_adapt(struct plan_order *order, const struct model *stated, bool follows,
                      bool sums);
/* Drops all plans; forced: plans are chosen by name from now on. */
void plan_order_force(struct plan_order *order, bool forced);
