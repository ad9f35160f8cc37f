/* adapt.h - plans follow their network: operations are watched (monitor.h), the members tell each
 * other now and then what they took, and where the network has changed (model_update.h) its model
 * is made anew, and so are the plans.
 *
 * Nobody decides alone.  A window of operations is over at the same one at all members; when that
 * has ended, the members settle what comes of it, by messages of their own with the tag of that
 * operation, and what they settle holds from the next operation on.  So the next one is not planned
 * before (sequence.h).
 */
#pragma once

#include "wire/choices.h"
#include "wire/execute.h"
#include "wire/model_update.h"
#include "wire/survey.h"

#include <pthread.h>

struct history;

/* One of a group state; a persistent operation has its own. */
struct adapt {
    bool on;
    bool surveyed;          /* the network was compared with its file */
    struct plan *agreement; /* by which the members tell each other; NULL: not made yet */
    hn_time agreeing;       /* what that takes in the model */
    int64_t took;           /* and here, at least, nanoseconds; 0: unknown yet */
    struct model_update model_update;
};

/* Whether the environment lets plans follow the network (HNOW_ADAPT, all but 0). */
bool adapt_is_wanted(void);
/* ... also those of sums that are rounded (HNOW_ADAPT=sums). */
bool adapt_wants_sums(void);
/* stated must stay. */
void adapt_init(struct adapt *adapt, const struct model *stated, bool on);
void adapt_free(struct adapt *adapt);
/* An operation that follows a decision begins; true: its members settle when it has ended. */
bool adapt_count(struct adapt *adapt, struct decision *decision);
/* One has taken so long here. */
void adapt_note(struct adapt *adapt, struct decision *decision, int64_t nanoseconds);

/* ---- settling ----------------------------------------------------------------------------------
 */

enum settled {
    SETTLED_NOTHING,
    SETTLED_PLAN,
    SETTLED_NETWORK,
    SETTLED_NEVER /* it has failed: the members do not count alike, and settle nothing any more */
};

struct settling {
    /* The caller says: */
    struct adapt *adapt;
    struct decision *decision; /* whose window is over */
    const hn_tid *tids;        /* [rank] */
    int rank, tag;
    struct open_table *table;
    pthread_mutex_t *guard;  /* of adapt and decision; NULL: nobody else uses them meanwhile */
    struct history *history; /* or NULL */
    bool waits;              /* for messages; else it says EXECUTOR_WAITS instead */
    hn_request *awaits;      /* without this it cannot continue */
    enum settled outcome;    /* what is another one now; plans made for it must go */

    int stage;
    struct fold fold;
    struct execution x;
    struct executor executor;
    struct plan *plan; /* by which measurements are told */
    struct survey survey;
    struct drift drift;
    int only;            /* the way that is visited, or which ones are measured (survey.h) */
    int64_t reported[2]; /* what the window took; less than nothing of what agreeing took */
    int64_t *measured;
    uint64_t begun;
};

/* HN_OK when it is over, EXECUTOR_WAITS, or an error, after which the decision remains as it was.
 * The thread's context is that of the messages.  settling_free() in every case. */
int settling_continue(struct settling *settling);
void settling_free(struct settling *settling);
