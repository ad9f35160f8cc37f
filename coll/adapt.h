/* adapt.h - a group's plans follow its network: blocking operations are watched (lookout.h), the
 * members tell each other now and then what they took, and where the network has changed
 * (drift.h) its model is made anew, and so are the plans.
 *
 * Nobody decides alone: what counts is the result of an allreduce, which all members have before
 * their next operation.
 */
#ifndef HNOW_COLL_ADAPT_H
#define HNOW_COLL_ADAPT_H

#include "choices.h"

struct team;

/* One of a team. */
struct adapt {
    bool on;
    bool surveyed;        /* the network was compared with its file */
    bool busy;            /* in an operation of its own, which is not watched */
    hn_time agreement;    /* what telling each other takes in the model; 0: unknown yet */
    int64_t took;         /* what it took here, at least, nanoseconds; 0: unknown yet */
    struct decision *due; /* its window is over */
};

/* Whether the environment lets plans follow the network (HNOW_ADAPT, all but 0). */
bool adapt_is_wanted(void);
/* An operation that follows a decision has taken so long here. */
void adapt_note(struct adapt *adapt, const struct model *model, struct decision *decision,
                int64_t nanoseconds);
/* At the end of a blocking operation: agrees upon a window that is over; all members come to this
 * at the same operation.  HN_OK, or the error of the messages. */
int adapt_settle(struct adapt *adapt, struct team *team, const hn_group *group);

#endif
