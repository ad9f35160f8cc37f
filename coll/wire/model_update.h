/* model_update.h - a network as it is now: that of its file, and what has been found to be slower
 * (drift.h); and when to look at it again.
 *
 * Looking takes the time of other operations, and what is slow may get fast again, or change each
 * minute, as where others use the network, too.  So the time that operations have taken counts, as
 * the members have agreed upon it: the first look is free, then looks may take a tenth of it.  What
 * was not used is worth one more look, not many: who has been calm for hours and becomes restless
 * pays no more than others.  To see whether what is slow is slow still, one of the slow ways is
 * visited, another one each time, for a twentieth of the time, and less when it is.  If that has
 * changed, the slow ways are looked at, not the others, where that will keep such looks below a
 * further twentieth: when they are quick again, that is soon.
 */
#pragma once

#include "wire/drift.h"

#include "hnow.h"

#include <pthread.h>

/* A network that a model refers to: freed when nobody holds it any more. */
struct counted_net;

/* A copy of a model for who uses it without the lock, while it may be replaced. */
struct held_model {
    struct model model;
    struct counted_net *net; /* behind it; NULL: that of the file, which stays */
};

struct model_update {
    const struct model *stated; /* by the network file */
    struct model now;
    struct counted_net *changed; /* behind `now`; NULL: it is `stated` */
    struct drift drift;          /* that made the changes; empty: none */
    int64_t saved; /* nanoseconds for looks at all ways; less than 0: the last was too dear, */
    int64_t saved_again; /* and for those at slow ways after a visit */
    int64_t since;       /* what operations have taken after the last look or visit */
    int64_t rest;        /* times its cost until a slow way is visited again */
    int visits;          /* so far */
};

/* stated must stay. */
void model_update_init(struct model_update *model_update, const struct model *stated);
void model_update_free(struct model_update *model_update);
/* The model as it is now. */
void model_update_hold(const struct model_update *model_update, struct held_model *held);
/* Gives it back; in any thread, without a lock. */
void held_model_drop(struct held_model *held);
/* Operations have taken so long. */
void model_update_pass(struct model_update *model_update, int64_t nanoseconds);
/* After an alarm: whether it is time to measure all ways. */
bool model_update_may_look(const struct model_update *model_update);
/* After a visit that took so long and found a change: whether it is time to measure all slow ways,
 * which should take as long each. */
bool model_update_may_look_again(const struct model_update *model_update, int64_t visit);
/* Whether it is time to measure a slow way again, and which one. */
bool model_update_should_visit(const struct model_update *model_update, int *route);
/* It was measured, and the drift of that way is this now.  True: that is another one. */
bool model_update_visited(struct model_update *model_update, const struct drift_route *route,
                          int number);
/* The ways as they are now, and the messages by which slow ones should be measured.  HN_ENOMEM. */
int model_update_routes(const struct model_update *model_update, struct drift *drift);
/* All ways were measured, or `again` those that are slow, which took so long.  *moved: the network
 * is another one now, that of these tasks with the drift, which is taken over; else it is as it
 * was.  `now` is changed with the guard (NULL: there is none), which must be free: reading the
 * network file may do the work of activities.  HN_ENOMEM: it is as it was. */
int model_update_measured(struct model_update *model_update, struct drift *drift,
                          const hn_tid *tids, bool again, int64_t cost, pthread_mutex_t *guard,
                          bool *moved);
