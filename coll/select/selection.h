/* selection.h - the state of a search by `auto`: private to auto*.c. */
#pragma once

#include "select/auto.h"
#include "planners/centre.h"
#include "select/candidates.h"

enum { FAVOURITES = 4 }; /* of each stage of a composed plan */

enum { COMPOSED_WORK = 8 }; /* work of a message of a composed plan, in messages of other plans */

/* A choice and what became of it, so that no choice is tried twice. */
struct tried {
    struct choice choice;
    bool made;        /* there is a plan, */
    uint64_t hash;    /* with this plan_hash() */
    hn_time makespan; /* INT64_MAX: beyond the limit of its simulation */
};

/* Cost of a message that the model does not know, in ps: 15 us, as of waking up for it. */
enum { MESSAGE_PRICE = 15000000 };

/* All choices tried so far. Many planners make the same plans, which are simulated once. */
struct tried_list {
    struct tried *list;
    int count, room;
};

/* The work that a search may do. */
struct budget {
    bool bulk;            /* long data and a planner for them (selection_is_bulk()) */
    int64_t calls;        /* if quick: the plan is for so many operations */
    int ranks_per_core;   /* members that plan on the same core, each for itself */
    hn_time work;         /* so far, estimated */
    hn_time most;         /* limit once there is a plan; 0: as selection_most_work() computes */
    hn_time message_work; /* of making and simulating one message */
};

/* One run of `auto`; also one for each stage of each composed plan tried. The best plan so far is
 * in choice, plan, timing and price. selection_run() frees its workspace; plan and timing are the
 * caller's. */
struct selection {
    const struct request *req;
    const struct model *model;
    const struct planner *only;
    const bool *left_out; /* [planner]: excluded, also from stages; NULL: none */
    struct facts facts;   /* stage: search for a stage, which has no composed plans */
    bool baselines;       /* baselines take part, too */
    bool quick;           /* an operation waits for its plan */
    bool searching;       /* last phase, in which only searching planners take part */
    bool priced;          /* messages are charged MESSAGE_PRICE */
    struct budget budget;
    bool whole_only;                    /* no segments */
    struct stage_memo *stages;          /* shared with the selections of the stages */
    hn_time enough;                     /* lower bound; -1: not computed yet */
    struct timed *order;                /* ranks from the centre outwards, once computed */
    struct matrix *matrix;              /* delivery times for the size being tried */
    struct choice choice;               /* best choice so far */
    struct candidate first[FAVOURITES]; /* for a stage: best first; planner NULL: none */
    struct plan *plan;
    struct timing timing;
    hn_time price; /* selection_price() of the plan */
    struct tried_list tried;
    hn_time *whole; /* [planner]: best makespan with whole messages; INT64_MAX: none */
    struct candidates candidates;
    struct shortlist shortlist;
};

/* Tries everything that suits the request. HN_EPLAN: no planner serves it, or there was no time.
 * The caller frees plan and timing. */
int selection_run(struct selection *c);
/* The limit of work (these four: auto_work.c). The first plan is made in any case. */
hn_time selection_most_work(const struct selection *c);
/* Whether the data are long and a planner for long data serves the request. */
bool selection_is_bulk(const struct selection *c);
/* Whether the best plan is near the lower bound, so that at most multicasts can be better. */
bool selection_is_at_bound(struct selection *c);
/* Whether the budget allows so much more work. */
bool selection_affords(struct selection *c, hn_time work);
/* Simulates a plan. If there is a better one and time is limited, the simulation stops at its
 * makespan. */
int selection_simulate(struct selection *c, const struct choice *choice, const struct plan *plan,
                       hn_time limit, struct timing *timing);
/* Tries one choice; *makespan receives its makespan, if it has one. */
int selection_try(struct selection *c, const struct choice *choice, hn_time *makespan);
/* The value by which plans are compared: the makespan. If real messages will be sent, each costs
 * more than the model knows (wake-ups, shared processors). Then a plan has to be faster by some
 * amount for each message and for each doubling of their number (auto_price.c). */
hn_time selection_price(const struct selection *c, const struct plan *plan, hn_time makespan);
/* Tries the usual plans of other libraries. If that is too much work at first, it tries the plan
 * with the fewest messages, and the others only if that one takes long (these three:
 * auto_first.c). */
int selection_try_defaults(struct selection *c);
/* Tries what planners ask to be tried first: whole messages and stages of composed plans; the
 * second function long data in segments. In a stage: neither composed plans nor segments. */
int selection_try_first(struct selection *c);
int selection_try_first_cut(struct selection *c);
/* Tries planners for long data, if the data are long. Not in a stage. */
int selection_try_bulk(struct selection *c);
/* Tries the usual stages of composed planners (auto_composed.c), at rank 0, or, where that is far
 * away, at the centre of the network. */
int selection_try_usual(struct selection *c, enum usual kind);
/* Tries all arities of a planner with one segment size; *least (may be NULL) receives the best
 * makespan. */
int selection_try_planner(struct selection *c, const struct planner *planner, int64_t segment,
                          hn_time *least);
/* Tries a planner with smaller and smaller segments, as long as it gets better. */
int selection_try_smaller(struct selection *c, const struct planner *planner, int64_t size);
/* A segment of about half of these bytes. */
int64_t selection_largest_segment(int64_t bytes);
/* Whether a planner takes part. */
bool selection_takes(const struct selection *c, const struct planner *planner);
/* Tries composed plans (auto_composed.c). */
int selection_try_composed(struct selection *c);
