/* group.h - how long a group lives: until the program has freed it, and the last operation that
 * holds it is over.
 *
 * Collective operations that do not wait, and persistent ones, hold their group, so that a program
 * may free it as soon as it has started them (MPI_Comm_free()).
 */
#pragma once

#include "hnow.h"

struct task;

/* HN_OK when it is a list of different tids, the caller's among them. */
int group_check(struct task *t, const hn_tid *tids, int n);
/* Frees what a group holds and takes it off the list; not the group itself. */
void group_clear(struct hn_group *group);

/* With the lock: a subset (subset.h) of the group of which the caller is a member; NULL: there is
 * no memory. */
struct hn_group *group_make_subset(struct task *t, const struct hn_group *whole, const hn_tid *tids,
                                   int n, hn_context context);

/* The group stays until as many let go as hold it, and the program has freed it.  NULL, and the
 * world, which always stays, are allowed. Without the lock. */
void group_hold(const hn_group *group);
void group_let_go(const hn_group *group);

/* As hn_group_keep(), unless something is kept under that key already: then *thing becomes that,
 * and the caller's own is still the caller's. */
int group_keep_once(const hn_group *group, const void *key, void **thing,
                    void (*release)(void *thing));
