/* group.h - the lifetime of a group: it ends when the program has freed it and the last operation
 * that holds it is over.
 *
 * Nonblocking and persistent collective operations hold their group.  So a program may free the
 * group as soon as it has started them (MPI_Comm_free()).
 */
#pragma once

#include "hnow.h"

struct task;

/* HN_OK if tids are all different and include the caller. */
int group_check(struct task *t, const hn_tid *tids, int n);
/* Frees the resources of a group and removes it from the list, but does not free the group
 * itself. */
void group_clear(struct hn_group *group);

/* With the lock: makes a subset (subset.h) of a group that the caller is a member of.  NULL: out of
 * memory. */
struct hn_group *group_make_subset(struct task *t, const struct hn_group *whole, const hn_tid *tids,
                                   int n, hn_context context);

/* Adds or drops a reference.  The group exists until the program has freed it and there are no
 * references.  NULL and the world, which always exists, are allowed.  Without the lock. */
void group_hold(const hn_group *group);
void group_let_go(const hn_group *group);

/* As hn_group_keep(), unless a value is attached under that key already: then *thing becomes that
 * value, and the caller still owns its own. */
int group_keep_once(const hn_group *group, const void *key, void **thing,
                    void (*release)(void *thing));
