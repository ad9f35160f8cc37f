/* adapt.h - adapts plans to their network.
 *
 * Members measure their operations (monitor.h) and exchange the times now and then. If the network
 * has changed, they update its model (model_update.h) and make all plans anew.
 *
 * Members decide together. A window of operations ends with the same operation at all members.
 * After that operation the members agree on the result by messages of their own, with the tag of
 * that operation. The result applies from the next operation on, which is not planned before
 * (sequence.h).
 */
#pragma once

#include "wire/choices.h"
#include "wire/execute.h"
#include "wire/model_update.h"
#include "wire/route_probe.h"

#include <pthread.h>

struct history;

/* One for each order of a group state (plan_order.h); a persistent operation has its own. */
struct adapt {
    bool on;
    bool checked;           /* the network has been compared with its file */
    struct plan *agreement; /* plan for exchanging times; NULL: not made yet */
    hn_time agreeing;       /* its makespan in the model */
    int64_t took;           /* its shortest measured time in nanoseconds; 0: unknown */
    struct model_update model_update;
};

/* Whether the environment allows adaptation (HNOW_ADAPT is not 0). */
bool adapt_is_wanted(void);
/* Whether it is allowed for sums that are rounded, too (HNOW_ADAPT=sums). */
bool adapt_wants_sums(void);
/* stated: the model of the network file, which must outlive it. */
void adapt_init(struct adapt *adapt, const struct model *stated, bool on);
void adapt_free(struct adapt *adapt);
/* Counts an operation that follows a decision. true: the members agree when it has ended. */
bool adapt_count(struct adapt *adapt, struct decision *decision);
/* Records the time of an operation at this member. */
void adapt_note(struct adapt *adapt, struct decision *decision, int64_t nanoseconds);

/* ---- agreement -------------------------------------------------------------------------- */

/* What an agreement has changed, the same at all members that completed it. */
enum agreed {
    AGREED_NOTHING,
    AGREED_PLAN,
    AGREED_NETWORK,
    AGREED_NEVER /* failed: the members do not count the same operations, and will not agree again
                  */
};

/* One agreement. Zeros, apart from what the caller sets, are its initial state. It must stay where
 * it is from the first agreement_continue() on, since its executor refers to it. */
struct agreement {
    /* Set by the caller: */
    struct adapt *adapt;
    struct decision *decision; /* the one whose window has ended */
    const hn_tid *tids;        /* [rank] */
    int rank, tag;
    struct open_table *table;
    pthread_mutex_t *guard;  /* protects adapt and decision; NULL: no other thread uses them */
    struct history *history; /* log of rank 0; NULL: none */
    bool waits;              /* blocks for messages; else returns EXECUTOR_WAITS instead */
    hn_request *awaits;      /* the request without which it cannot continue */
    enum agreed outcome;     /* what has changed: plans made for it must be dropped */

    int stage;
    struct fold fold;
    struct execution x;
    struct executor executor;
    struct plan *plan; /* plan for exchanging measurements */
    struct route_probe probe;
    struct drift drift;
    int only; /* the route to be measured again, or ROUTES_ALL, ROUTES_SLOW (route_probe.h) */
    int64_t reported[2]; /* time of the window; minus the time of the last agreement */
    int64_t *measured;
    uint64_t begun;
};

/* HN_OK when finished, EXECUTOR_WAITS, or an error, after which the decision remains as it was. The
 * calling thread must have the context of the messages. Call agreement_free() in any case. */
int agreement_continue(struct agreement *agreement);
void agreement_free(struct agreement *agreement);
