/* contest.h - what `auto` knows while it tries plans: private to auto*.c. */
#ifndef HNOW_COLL_CONTEST_H
#define HNOW_COLL_CONTEST_H

#include "auto.h"
#include "centre.h"
#include "rivals.h"

enum { FAVOURITES = 4 }; /* of each stage of a composed plan: so many are tried with each other */

enum { COMPOSED_WORK = 8 }; /* a message of a composed plan is as much work as so many others */

struct tried {
    uint64_t print; /* plan_print() */
    hn_time makespan;
};

/* What a message costs that the model does not know: 15 us, as of waking up for it. */
enum { MESSAGE_PRICE = 15000000 };

struct contest {
    const struct request *req;
    const struct model *model;
    const struct planner *only;
    const bool *left_out;  /* [planner]: those that take no part, nor in a stage; NULL: all do */
    bool suits[FOR_KINDS]; /* [made_for]: whether there is what planners are made for */
    bool lanes;      /* planners FOR_LANES are worth trying in segments, and in composed plans */
    bool long_lanes; /* ... and before most others */
    bool quick;      /* leaves out the slow planners ... */
    bool searching;  /* ... and those that search, but for the end, when they alone play */
    bool priced;     /* messages cost something that the model does not know */
    int64_t calls;   /* ... and what is too much work for so many operations */
    int crowd;       /* so many members plan on the same core, each for its own */
    hn_time work;    /* so far */
    bool stage;      /* of a composed plan: no composed ones in it, and ... */
    bool whole_only; /* no segments, */
    hn_time most;    /* ... no more work than this; in the slow way, when there is a plan */
    hn_time message_work;
    hn_time enough;                 /* no plan is better than this; -1: not known yet */
    struct reach *order;            /* the ranks from the middle on, when it was looked for */
    struct matrix *matrix;          /* for the size that is being tried */
    struct choice choice;           /* the best so far */
    struct rival first[FAVOURITES]; /* of a stage: the best ones, best first; planner NULL: none */
    struct plan *plan;
    struct timing timing;
    hn_time price;       /* its makespan, or what price_of() makes of it */
    struct tried *tried; /* all plans so far: many planners grow the same trees */
    int tried_count, tried_room;
    hn_time *whole; /* [planner]: its best time with whole messages; INT64_MAX: none */
    struct rivals rivals;
    struct entries entries;
};

/* Tries everything that suits the request. HN_EPLAN: nobody serves it, or there was no time. The
 * caller frees plan and timing. */
int contest_hold(struct contest *c);
/* How much work there may be (these three: auto_work.c). The first plan has to be made in any case.
 */
hn_time contest_most_work(const struct contest *c);
/* Whether there is time for more work. */
bool contest_affords(struct contest *c, hn_time work);
/* Plays a plan; where there is a better one already, and time is limited, for no longer than that.
 */
int contest_play(struct contest *c, const struct choice *choice, const struct plan *plan,
                 hn_time limit, struct timing *timing);
/* Tries one choice; *makespan gets its time, when it has one. */
int contest_try(struct contest *c, const struct choice *choice, hn_time *makespan);
/* What plans are compared by: in the model, the makespan.  Where messages will really be sent, each
 * of them costs more than the model knows (wake-ups, processors that several tasks share): there, a
 * plan must promise something for every message, and for every doubling of their number
 * (auto_price.c). */
hn_time contest_price(const struct contest *c, const struct plan *plan, hn_time makespan);
/* What libraries usually do; where that is too much work to begin with, first what has the fewest
 * messages, and then only if that takes long enough (these two: auto_usual.c). */
int contest_try_thumb(struct contest *c);
/* Where subnets carry multicasts, what makes use of them: mostly the best, and soon found. */
int contest_try_casts(struct contest *c);
/* Where rank 0 is far from the middle of the network, tries plans that meet there instead: they are
 * much better than all that meet at rank 0, and soon found (auto_composed.c). Nothing in a stage.
 */
int contest_try_centre(struct contest *c);
/* Where ports are not equally fast, and ranks few, tries to scatter parts in a usual way and to
 * hand them round by gossip: a few composed plans, and good ones, before there is no time for
 * others. */
int contest_try_gossips(struct contest *c);
/* Where few ranks gather to all on one switch, tries that each sends its part to each: there it is
 * often the best plan, and soon found, long before it is the turn of total exchanges. */
int contest_try_direct(struct contest *c);
/* Tries the plans that are made of plans (auto_composed.c). */
int contest_try_composed(struct contest *c);

#endif
