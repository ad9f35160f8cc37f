/* model_update.h - the present network: its file plus the slowdowns found (drift.h); and when to
 * measure it again.
 *
 * Measuring takes time from other operations, and slow routes may recover or change every minute,
 * for example if others use the network. So measurements have a budget, computed from the time of
 * operations as the members have agreed on it. The first measurement of all routes is
 * unconditional; later ones may take a tenth of the time. Unused budget is kept for one measurement
 * only, so that a change after hours of calm costs no more than usual.
 *
 * To detect recovery, one slow route at a time is measured, for a twentieth of the time or less. If
 * it has changed, all slow routes are measured, within a further twentieth of the time. So recovery
 * is found soon.
 */
#pragma once

#include "wire/drift.h"

#include "hnow.h"

#include <pthread.h>

/* A reference-counted network to which a model refers. */
struct counted_net;

/* A copy of a model for use without the lock, while the original may be replaced. */
struct held_model {
    struct model model;
    struct counted_net *net; /* its network; NULL: that of the file, which is permanent */
};

struct model_update {
    const struct model *stated; /* of the network file */
    struct model now;
    struct counted_net *changed; /* network of `now`; NULL: `now` equals `stated` */
    struct drift drift;          /* the changes applied; empty: none */
    int64_t saved;       /* budget in nanoseconds for measuring all routes; negative: overdrawn, */
    int64_t saved_again; /* and for slow routes after one has changed */
    int64_t since;       /* time of operations since the last measurement */
    int64_t rest;        /* number of times its cost before a slow route is measured again */
    int visits;          /* so far */
};

/* stated must outlive it. */
void model_update_init(struct model_update *model_update, const struct model *stated);
void model_update_free(struct model_update *model_update);
/* Returns the present model. */
void model_update_hold(const struct model_update *model_update, struct held_model *held);
/* Releases it; in any thread, without a lock. */
void held_model_drop(struct held_model *held);
/* Adds time of operations to the budget. */
void model_update_pass(struct model_update *model_update, int64_t nanoseconds);
/* After an alarm: whether all routes may be measured now. */
bool model_update_may_look(const struct model_update *model_update);
/* After a slow route has changed, whose measurement took `visit` ns: whether all slow routes, of
 * about the same time each, may be measured now. */
bool model_update_may_look_again(const struct model_update *model_update, int64_t visit);
/* Whether a slow route should be measured now, and which one. */
bool model_update_should_visit(const struct model_update *model_update, int *route);
/* Records the measurement of that route. true: its drift has changed. */
bool model_update_visited(struct model_update *model_update, const struct drift_route *route,
                          int number);
/* Lists the routes with their present drift, and the messages that should measure slow ones.
 * HN_ENOMEM. */
int model_update_routes(const struct model_update *model_update, struct drift *drift);
/* Records a measurement of all routes (or, with `again`, of the slow ones), which took `cost` ns.
 * *moved: the network has changed; `drift` was moved into model_update and applied to the network
 * of these tasks. Otherwise nothing changes. `now` is changed under the guard (NULL: none), which
 * the caller must not hold: reading the network file may run activities. HN_ENOMEM: unchanged. */
int model_update_measured(struct model_update *model_update, struct drift *drift,
                          const hn_tid *tids, bool again, int64_t cost, pthread_mutex_t *guard,
                          bool *moved);
