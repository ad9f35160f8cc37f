/* selection.h - what `auto` knows while it tries plans: private to auto*.c. */
#pragma once

#include "select/auto.h"
#include "planners/centre.h"
#include "select/candidates.h"

enum { FAVOURITES = 4 }; /* of each stage of a composed plan: so many are tried with each other */

enum { COMPOSED_WORK = 8 }; /* a message of a composed plan is as much work as so many others */

struct tried {
    struct choice choice;
    bool made;        /* there is a plan ... */
    uint64_t hash;    /* ... with this plan_hash() */
    hn_time makespan; /* INT64_MAX: later than it mattered */
};

/* What a message costs that the model does not know: 15 us, as of waking up for it. */
enum { MESSAGE_PRICE = 15000000 };

/* All choices so far: many planners grow the same trees. */
struct tried_list {
    struct tried *list;
    int count, room;
};

/* How much work a selection may be. */
struct budget {
    bool bulk;            /* long data, and a planner made for such (selection_is_bulk()) */
    int64_t calls;        /* the quick way: for so many operations */
    int ranks_per_core;   /* so many members plan on the same core, each for its own */
    hn_time work;         /* so far */
    hn_time most;         /* no more than this, when there is a plan; 0: as an operation allows */
    hn_time message_work; /* what a message is, made and played */
};

struct selection {
    const struct request *req;
    const struct model *model;
    const struct planner *only;
    const bool *left_out; /* [planner]: those that take no part, nor in a stage; NULL: all do */
    struct facts facts;
    bool baselines; /* planners that are there for comparison take part, too */
    bool quick;     /* an operation waits */
    bool searching; /* it is the end, when only those who search take part */
    bool priced;    /* messages cost something that the model does not know */
    struct budget budget;
    bool stage;            /* of a composed plan: no composed ones in it, and ... */
    bool whole_only;       /* no segments, */
    hn_time enough;        /* no plan is better than this; -1: not known yet */
    struct reach *order;   /* the ranks from the middle on, when it was looked for */
    struct matrix *matrix; /* for the size that is being tried */
    struct choice choice;  /* the best so far */
    struct candidate
        first[FAVOURITES]; /* of a stage: the best ones, best first; planner NULL: none */
    struct plan *plan;
    struct timing timing;
    hn_time price; /* its makespan, or what price_of() makes of it */
    struct tried_list tried;
    hn_time *whole; /* [planner]: its best time with whole messages; INT64_MAX: none */
    struct candidates candidates;
    struct shortlist shortlist;
};

/* Tries everything that suits the request. HN_EPLAN: nobody serves it, or there was no time. The
 * caller frees plan and timing. */
int selection_hold(struct selection *c);
/* How much work there may be (these four: auto_work.c). The first plan has to be made in any case.
 */
hn_time selection_most_work(const struct selection *c);
/* Whether data are long, and there is a planner made for that. */
bool selection_is_bulk(const struct selection *c);
/* Whether it is known that there is nothing to be won, but perhaps by multicasts (auto.c). */
bool selection_is_at_bound(struct selection *c);
/* Whether there is time for more work. */
bool selection_affords(struct selection *c, hn_time work);
/* Plays a plan; where there is a better one already, and time is limited, for no longer than that.
 */
int selection_play(struct selection *c, const struct choice *choice, const struct plan *plan,
                   hn_time limit, struct timing *timing);
/* Tries one choice; *makespan gets its time, when it has one. */
int selection_try(struct selection *c, const struct choice *choice, hn_time *makespan);
/* What plans are compared by: in the model, the makespan.  Where messages will really be sent, each
 * of them costs more than the model knows (wake-ups, processors that several tasks share): there, a
 * plan must promise something for every message, and for every doubling of their number
 * (auto_price.c). */
hn_time selection_price(const struct selection *c, const struct plan *plan, hn_time makespan);
/* What libraries usually do; where that is too much work to begin with, first what has the fewest
 * messages, and then only if that takes long enough (these three: auto_first.c). */
int selection_try_defaults(struct selection *c);
/* What planners say should be tried first: whole messages, stages of composed plans, and long data
 * in segments. Not in a stage: composed plans and segments. */
int selection_try_first(struct selection *c);
int selection_try_first_cut(struct selection *c);
/* What is made for long data, where they are long. Not in a stage. */
int selection_try_bulk(struct selection *c);
/* The stages that composed planners say are usual (auto_composed.c): at rank 0, or, where that is
 * far from it, at the middle of the network. */
int selection_try_usual(struct selection *c, enum usual kind);
/* All arities of a planner with one segment size; *least, when wanted, becomes the best time. */
int selection_try_planner(struct selection *c, const struct planner *planner, int64_t segment,
                          hn_time *least);
/* A planner in smaller and smaller segments, for as long as that makes it better. */
int selection_try_smaller(struct selection *c, const struct planner *planner, int64_t size);
/* A segment of about half of it. */
int64_t selection_largest_segment(int64_t bytes);
/* Whether a planner is one of those that are tried. */
bool selection_takes(const struct selection *c, const struct planner *planner);
/* Tries the plans that are made of plans (auto_composed.c). */
int selection_try_composed(struct selection *c);
