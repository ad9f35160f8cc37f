/* group.c - static groups: a list of tids by rank, with contexts of its own.
 *
 * All members make a group, each one locally, with the same list and the same context, so that
 * messages match.  Two functions agree on the context through hrun (agree.c); callers of
 * hn_group_new() must agree by themselves.  The world's context is the same everywhere, which is no
 * problem, because a task is in one world only.
 */
#include "job/group.h"

#include "base/error.h"
#include "job/argument_check.h"
#include "job/failure.h"
#include "job/task.h"
#include "job/tid_check.h"
#include "job/orphans.h"

#include <stdlib.h>
#include <string.h>

/* A value that a library has attached to a group, on its list.  `release` frees the value when the
 * group ends. */
struct group_keep {
    struct group_keep *next;
    const void *key;
    void *thing;
    void (*release)(void *);
};

const hn_group *hn_world(void)
{
    const struct task *t = task_get();

    return t ? &t->world : NULL;
}

int hn_siblings(const hn_tid **tids)
{
    REFUSE_NULL(tids);

    const struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    *tids = t->world.tid;
    return t->world.size;
}

/* ---- asking ------------------------------------------------------------------------------- */

int hn_group_size(const hn_group *group)
{
    return group ? group->size : error_set(HN_EARG, "no group");
}

/* Linear: callers that need it often keep the result. */
int hn_group_rank(const hn_group *group, hn_tid tid)
{
    if (!group)
        return error_set(HN_EARG, "no group");
    for (int i = 0; i < group->size; i++)
        if (group->tid[i] == tid)
            return i;
    return error_set(HN_ENOTASK, "task %d is no member of the group", tid);
}

hn_tid hn_group_tid(const hn_group *group, int rank)
{
    if (!group || rank < 0 || rank >= group->size)
        return error_set(HN_EARG, "rank %d is not in the group", rank);
    return group->tid[rank];
}

hn_context hn_group_context(const hn_group *group)
{
    return group ? group->context : 0;
}

/* 0: all members live, as far as is known here. */
hn_tid hn_group_dead(const hn_group *group)
{
    struct task *t = group ? task_get() : NULL;
    hn_tid dead;

    if (!t)
        return group ? HN_ESTATE : error_set(HN_EARG, "no group");
    lock_enter(&t->engine.lock);
    dead = group->dead;
    lock_leave(&t->engine.lock);
    return dead;
}

/* ---- making and freeing ------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    hn_tid x = *(const hn_tid *)a, y = *(const hn_tid *)b;

    return (x > y) - (x < y);
}

/* A sorted copy finds duplicates in O(n log n).  Each tid that is unknown costs a round trip to
 * hrun. */
int group_check(struct task *t, const hn_tid *tids, int n)
{
    size_t size = n > 0 ? (size_t)n * sizeof *tids : 0;
    hn_tid *sorted = tids && size ? malloc(size) : NULL;
    bool mine = false;
    int result = HN_OK;

    if (!tids || n < 1)
        return error_set(HN_EARG, "a group has at least one member");
    if (!sorted)
        return error_set(HN_ENOMEM, "out of memory");
    memcpy(sorted, tids, size);
    qsort(sorted, (size_t)n, sizeof *sorted, by_number);
    for (int i = 0; i < n && result == HN_OK; i++) {
        mine |= sorted[i] == t->tid;
        if (i > 0 && sorted[i] == sorted[i - 1])
            result = error_set(HN_EARG, "task %d is twice in the list", sorted[i]);
        else
            result = tids_check(t, sorted[i]);
    }
    free(sorted);
    if (result == HN_OK && !mine)
        result = error_set(HN_EARG, "the caller is not in the list");
    return result;
}

/* NULL: out of memory.  The program is the first holder. */
static struct hn_group *make(const hn_tid *tids, int n, hn_context context)
{
    struct hn_group *group = calloc(1, sizeof *group);
    size_t size = (size_t)n * sizeof *tids;

    if (!group || !(group->tid = malloc(size))) {
        free(group);
        return NULL;
    }
    memcpy(group->tid, tids, size);
    group->size = n;
    group->context = context;
    group->holders = 1;
    return group;
}

/* No message is sent.  A context that hrun did not assign is refused as far as that can be seen: by
 * its range and its multiple. */
int hn_group_new(const hn_tid *tids, int n, hn_context context, hn_group **group)
{
    REFUSE_NULL(tids);
    REFUSE_NULL(group);

    struct task *t = task_get();
    int result = t ? group_check(t, tids, n) : HN_ESTATE;

    if (result != HN_OK)
        return result;
    /* hrun gives out only multiples, because a group uses several contexts from there on. */
    if (context % CONTROL_STEP || context < CONTROL_CONTEXT_FIRST || context >= CONTROL_CONTEXT_END)
        return error_set(HN_EARG, "0x%x is not a context of hn_context_new()", (unsigned)context);
    struct hn_group *made = make(tids, n, context);
    if (!made)
        return error_set(HN_ENOMEM, "out of memory");
    engine_enter(&t->engine);
    list_append(&t->groups, &made->node);
    /* A member may have failed before the group existed here. */
    failure_look(t, made);
    engine_leave(&t->engine, false);
    *group = made;
    return HN_OK;
}

/* With the lock.  A subset of a broken group is broken from the start. */
struct hn_group *group_make_subset(struct task *t, const struct hn_group *whole, const hn_tid *tids,
                                   int n, hn_context context)
{
    struct hn_group *made = make(tids, n, context);

    if (!made)
        return NULL;
    made->whole = whole;
    made->dead = whole->dead;
    list_append(&t->groups, &made->node);
    return made;
}

/* Releases what libraries have attached, the newest first, but not the struct itself, which may be
 * part of another. */
void group_clear(struct hn_group *group)
{
    list_remove(&group->node);
    while (group->kept) {
        struct group_keep *keep = group->kept;
        group->kept = keep->next;
        keep->release(keep->thing);
        free(keep);
    }
    free(group->tid);
}

/* Libraries hold a group while an operation is in progress, so the program may free it before. */
void group_hold(const hn_group *group)
{
    if (group)
        atomic_fetch_add(&((struct hn_group *)group)->holders, 1);
}

/* The last holder frees the group.  Its context is remembered first, because other members may
 * still ask about its operations. */
void group_let_go(const hn_group *view)
{
    struct hn_group *group = (struct hn_group *)view; /* the library's own object */
    struct task *t = group ? task_get() : NULL;

    if (!t || atomic_fetch_sub(&group->holders, 1) > 1)
        return; /* without a task, destroy() frees all groups */
    engine_enter(&t->engine);
    orphans_forget_group(t, group->context);
    subset_forget(t, group);
    group_clear(group);
    engine_leave(&t->engine, false);
    free(group);
}

/* The world lives as long as the task; freeing it has no effect. */
void hn_group_free(hn_group *group)
{
    if (group != hn_world())
        group_let_go(group);
}

/* Agrees through hrun, as hn_group_from_tids() does; so all new members must call it. */
int hn_group_from_ranks(const hn_group *parent, const int *ranks, int n, hn_group **group)
{
    int result = HN_OK;
    hn_tid *tids;

    if (!parent || !ranks || n < 1)
        return error_set(HN_EARG, "give a group, and at least one rank in it");
    tids = malloc((size_t)n * sizeof *tids);
    if (!tids)
        return error_set(HN_ENOMEM, "out of memory");
    for (int i = 0; i < n && result == HN_OK; i++) {
        tids[i] = hn_group_tid(parent, ranks[i]);
        result = tids[i] > 0 ? HN_OK : (int)tids[i];
    }
    if (result == HN_OK)
        result = hn_group_from_tids(tids, n, group);
    free(tids);
    return result;
}

/* ---- attached data -------------------------------------------------------------------------- */

/* With the lock: the value attached under a key, or NULL. */
static void *find_kept(const hn_group *group, const void *key)
{
    for (const struct group_keep *keep = group->kept; keep; keep = keep->next)
        if (keep->key == key)
            return keep->thing;
    return NULL;
}

/* Attaches a value. once: unless there is one under that key.  *thing becomes the attached
 * value. */
static int keep_under(const hn_group *group, const void *key, void **thing, void (*release)(void *),
                      bool once)
{
    struct task *t = task_get();
    struct group_keep *keep;

    if (!t)
        return HN_ESTATE;
    if (!group || !release)
        return error_set(HN_EARG, "no group, or nothing that releases");
    keep = malloc(sizeof *keep);
    if (!keep)
        return error_set(HN_ENOMEM, "out of memory");
    /* a call that attaches data holds the lock of these data */
    bool before = engine_hold_work(true);
    engine_enter(&t->engine);
    void *first = once ? find_kept(group, key) : NULL;
    if (!first) {
        *keep = (struct group_keep){group->kept, key, *thing, release};
        /* the library's own object, through a const pointer */
        ((struct hn_group *)group)->kept = keep;
        keep = NULL;
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
    free(keep);
    *thing = first ? first : *thing;
    return HN_OK;
}

int hn_group_keep(const hn_group *group, const void *key, void *thing, void (*release)(void *))
{
    return keep_under(group, key, &thing, release, false);
}

int group_keep_once(const hn_group *group, const void *key, void **thing, void (*release)(void *))
{
    return keep_under(group, key, thing, release, true);
}

/* O(attached values).  A later value under the same key hides an earlier one, which is released
 * with the group. */
void *hn_group_kept(const hn_group *group, const void *key)
{
    struct task *t = group ? task_get() : NULL;
    void *thing = NULL;

    if (!t)
        return NULL;
    lock_enter(&t->engine.lock);
    thing = find_kept(group, key);
    lock_leave(&t->engine.lock);
    return thing;
}
