/* subset.h - some members of a group, in a certain order: the root and the receivers of a multicast
 * to a list.  A subset is a group of its own, whose context its members agree on at first use.
 *
 * The root decides.  At its first call with a list it sends the context to the members, with the
 * whole list.  A member that calls earlier asks the root's library, and sends the whole list and a
 * context that nobody else has, which the root then takes.  The library answers, whatever the
 * root's program does meanwhile.  Lists are compared element by element, and no context is ever
 * used for two lists: no number on the wire rests on a hash.
 *
 * Memory is bounded: above SUBSETS_KEPT, a task gives up the subset that it has used least
 * recently.  As calls in a subset are counted by each member, all give it up after the same call:
 *
 *      REQUEST  a member asks the root to give the subset up
 *      CLOSE    the root has begun n calls and none is under way: it asks those who know the subset
 *      VOTE     no: the member has begun more calls, or one is under way; then the subset stays.
 *               Yes: from now on the member asks the root again before its call number n
 *      END      all have voted yes: n calls are all; the next use of the list gets a new context
 *
 * A question, or a call of the root's, while votes are under way keeps the subset.  A member that
 * is late keeps what it has received until it has made the calls that it has missed.
 *
 * A lost task breaks a subset when it breaks the group.  Cost of a call: one look into a table; of
 * the first one a message from the root to each member, or a round trip for a member that is early.
 */
#pragma once

#include "hnow.h"
#include "base/list.h"

#include <stdbool.h>

struct hn_group;
struct subset;
struct task;

enum {
    SUBSETS_KEPT = 64, /* some 40 KB each with what is kept with a group: 2.5 MB */
    SUBSET_BUCKETS = 256
};

/* Of a task. */
struct subsets {
    struct list_node by_list[SUBSET_BUCKETS], by_context[SUBSET_BUCKETS];
    struct list_node used; /* those that have not ended, the least recently used first */
    int count;             /* of those */
    hn_context spare;      /* a context that no root has taken; 0: none */
    unsigned replies;      /* questions so far */
    bool left;             /* the task leaves its job, and says nothing more */
};

/* The subset of these members, tids[0] its root, in a group of which the caller is one.  It stays
 * until subset_release().  A member that is earlier than the root blocks for a round trip to the
 * root's library.  HN_OK, or an error with its text: HN_EARG (the root has freed the group),
 * HN_EDEAD, HN_ENOMEM. */
int subset_hold(const hn_group *whole, const hn_tid *tids, int n, struct subset **held);
/* Its group, as long as it is held. */
const hn_group *subset_group(const struct subset *subset);
/* Whether a call that would be number `number` of this member (from 0 on) belongs to it; if not,
 * release it and hold another one.  Blocks like subset_hold(). */
int subset_has_call(const hn_group *whole, struct subset *subset, unsigned number, bool *has);
/* begun: how many calls this member has begun in it. */
void subset_release(struct subset *subset, unsigned begun);

/* With the lock: what other tasks have sent about subsets is dealt with. */
void subset_look(struct task *t);
/* With the lock: the group is about to be freed, and its subsets with it. */
void subset_forget(struct task *t, const struct hn_group *whole);
void subsets_init(struct subsets *subsets);
/* At the end: frees all. */
void subsets_clear(struct task *t);
