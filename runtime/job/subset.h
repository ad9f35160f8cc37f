/* subset.h - an ordered list of some members of a group: the root and the receivers of a multicast
 * to a list.  A subset is a group of its own, whose context its members agree on at first use.
 *
 * The root decides.  At its first call with a list it sends the context and the whole list to the
 * members.  A member that calls earlier asks the root's library, and sends the whole list and a
 * context that is not used otherwise, which the root then uses.  The library answers, whatever the
 * root's program does meanwhile.  Lists are compared element by element, and no context is ever
 * used for two lists.  So correctness never depends on a hash.
 *
 * Memory is bounded: above SUBSETS_KEPT, a task closes the subset that it has used least recently.
 * Each member counts the calls in a subset, so all members close it after the same call:
 *
 *      REQUEST  a member asks the root to close the subset
 *      CLOSE    the root has begun n calls and none is active: it asks the members that know it
 *      VOTE     no: the member has begun more calls, or one is active; then the subset stays.
 *               Yes: from now on the member asks the root again before its call number n
 *      END      all have voted yes: n calls are all; the next use of the list gets a new context
 *
 * A question or a call of the root during the vote keeps the subset.  A late member keeps the
 * messages that it has received until it has made the calls that it has missed.
 *
 * A lost task breaks a subset when it breaks the group.  Cost of a call: one table look-up.  The
 * first call also costs a message from the root to each member, or a round trip for a member that
 * is early.
 */
#pragma once

#include "hnow.h"
#include "base/list.h"

#include <stdbool.h>

struct hn_group;
struct subset;
struct task;

enum {
    SUBSETS_KEPT = 64, /* some 40 KB each, with data of other libraries: 2.5 MB */
    SUBSET_BUCKETS = 256
};

/* The subsets of a task. */
struct subsets {
    struct list_node by_list[SUBSET_BUCKETS], by_context[SUBSET_BUCKETS];
    struct list_node used; /* open ones, the least recently used first */
    int count;             /* of those */
    hn_context spare;      /* a context that no root has used; 0: none */
    unsigned replies;      /* questions so far */
    bool left;             /* the task leaves its job, and sends no more answers */
};

/* Finds or makes the subset with these members, tids[0] its root, in a group that includes the
 * caller.  It exists until subset_release().  A member that is earlier than the root blocks for a
 * round trip to the root's library.  HN_OK, or an error with its text: HN_EARG (the root has freed
 * the group), HN_EDEAD, HN_ENOMEM. */
int subset_hold(const hn_group *whole, const hn_tid *tids, int n, struct subset **held);
/* Its group, valid while the subset is held. */
const hn_group *subset_group(const struct subset *subset);
/* Whether this member's call number `number` (from 0) belongs to the subset.  If not, the caller
 * releases it and holds another one.  Blocks like subset_hold(). */
int subset_has_call(const hn_group *whole, struct subset *subset, unsigned number, bool *has);
/* begun: calls that this member has begun in it. */
void subset_release(struct subset *subset, unsigned begun);

/* With the lock: processes messages of other tasks about subsets. */
void subset_look(struct task *t);
/* With the lock: the group is about to be freed; frees its subsets. */
void subset_forget(struct task *t, const struct hn_group *whole);
void subsets_init(struct subsets *subsets);
/* At the end: frees everything. */
void subsets_clear(struct task *t);
