/* failure.c - breaks groups whose members have failed (rules: failure.h).
 *
 * Cost: O(members of all groups) for each failure; nothing without failures.
 *
 * A group that has lost a member is broken for collective operations, but not for messages: its
 * tids and contexts remain valid.  The lock is held in all functions that do not take it
 * themselves.
 */
#include "job/failure.h"

#include "base/array.h"
#include "base/error.h"
#include "match/handler.h"
#include "job/task.h"

/* The contexts of a group for collective operations; coll/wire/group_state.c uses them. */
enum { OPERATIONS_FIRST = 1, OPERATIONS = 2 };

/* Drops messages in the context, those that have arrived and later ones. */
static void drop_messages(struct task *t, hn_context context)
{
    struct handler *h = calloc(1, sizeof *h);

    if (!h)
        return; /* then the messages stay in memory */
    h->id = -1;
    h->wants =
        (struct match_handler){.from = HN_ANY, .tag = HN_ANY, .context = context, .drops = true};
    match_add_handler(&t->match, &h->wants);
}

/* Receives in both contexts of operations fail.  Subsets of the group break with it, as their
 * members are members of the group. */
static void break_group(struct task *t, struct hn_group *group, hn_tid tid)
{
    group->dead = tid;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        hn_context context = group->context + OPERATIONS_FIRST + i;
        match_fail_context(&t->match, context, tid, HN_EDEAD);
        drop_messages(t, context);
    }
    list_for_each (n, &t->groups) {
        struct hn_group *subset = list_entry(n, struct hn_group, node);
        if (subset->whole == group && !subset->dead)
            break_group(t, subset, tid);
    }
}

static bool has_member(const struct hn_group *group, hn_tid tid)
{
    for (int i = 0; i < group->size; i++)
        if (group->tid[i] == tid)
            return true;
    return false;
}

/* Subsets are broken with the groups that they are parts of. */
void failure_of(struct task *t, hn_tid tid)
{
    t->others.losses = true;
    list_for_each (n, &t->groups) {
        struct hn_group *group = list_entry(n, struct hn_group, node);
        if (!group->dead && !group->whole && has_member(group, tid))
            break_group(t, group, tid);
    }
}

/* A context belongs to one group, except the world's, which each task uses for its own world. */
void failure_shrinks(struct task *t, struct unpack *said)
{
    hn_context context = unpack_u32(said);
    hn_tid tid = (hn_tid)unpack_u32(said);
    struct peer *p = peer_get(t, tid);

    t->others.losses = true;
    if (p)
        p->lost = true; /* for groups with this member that are about to be made */
    list_for_each (n, &t->groups) {
        struct hn_group *group = list_entry(n, struct hn_group, node);
        if (!group->dead && group->context == context && has_member(group, tid))
            break_group(t, group, tid);
    }
}

/* The failure may have been reported before the group existed here, so failure_of() could not find
 * it. */
void failure_look(struct task *t, struct hn_group *group)
{
    if (!t->others.losses)
        return;
    for (int i = 0; i < group->size; i++) {
        struct peer *p = group->tid[i] == t->tid ? NULL : peer_get(t, group->tid[i]);
        if (p && p->lost) {
            break_group(t, group, group->tid[i]);
            return;
        }
    }
}

/* Breaks the group if a member has ended in any way, not only by a failure. */
static void break_if_gone(struct task *t, struct hn_group *group)
{
    for (int i = 0; i < group->size && !group->dead; i++) {
        struct peer *p = group->tid[i] == t->tid ? NULL : peer_get(t, group->tid[i]);
        if (p && p->failed == HN_EDEAD)
            break_group(t, group, group->tid[i]);
    }
}

hn_tid failure_met(const hn_group *met, hn_tid named)
{
    struct task *t = task_get();
    hn_tid dead = 0;

    if (!t)
        return 0;
    engine_enter(&t->engine);
    t->others.losses = true;
    list_for_each (n, &t->groups) {
        struct hn_group *group = list_entry(n, struct hn_group, node);
        if (group != met)
            continue;
        /* A member that has ended is reason enough, even if another one was named. */
        break_if_gone(t, group);
        if (!group->dead && named != t->tid && has_member(group, named))
            break_group(t, group, named); /* the agent has not reported it yet */
        dead = group->dead;
    }
    engine_changed(&t->engine); /* other callers may have waited for what has failed now */
    engine_leave(&t->engine, false);
    return dead;
}

/* Marks the group as broken by the caller itself.  `dead` is this task's own tid then. */
static void break_here(struct task *t, const hn_group *given)
{
    t->others.losses = true;
    list_for_each (n, &t->groups) {
        struct hn_group *group = list_entry(n, struct hn_group, node);
        if (group == given && !group->dead)
            break_group(t, group, t->tid);
    }
}

/* Local: sends nothing to the other members. */
int hn_group_break(const hn_group *group)
{
    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    REFUSE_NULL(group);
    engine_enter(&t->engine);
    break_here(t, group);
    engine_changed(&t->engine);
    engine_leave(&t->engine, false);
    return HN_OK;
}

/* Few contexts are ever broken by hand, so the list is not sorted. */
static bool is_broken(const struct task *t, hn_context context)
{
    for (int i = 0; i < t->others.broken_count; i++)
        if (t->others.broken[i] == context)
            return true;
    return false;
}

/* False: no memory.  Receives that wait now fail nevertheless. */
static bool note_broken(struct task *t, hn_context context)
{
    size_t count = (size_t)t->others.broken_count;

    if (is_broken(t, context))
        return true;
    if (!ARRAY_ROOM(t->others.broken, count + 1))
        return false;
    t->others.broken[count] = context;
    t->others.broken_count++;
    t->others.losses = true;
    return true;
}

/* For contexts without a group.  The context is recorded for receives that will be posted later. */
int hn_context_break(hn_context context)
{
    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    engine_enter(&t->engine);
    bool noted = note_broken(t, context);
    match_fail_context(&t->match, context, t->tid, HN_EDEAD);
    engine_changed(&t->engine);
    engine_leave(&t->engine, false);
    return noted ? HN_OK : error_set(HN_ENOMEM, "no memory to note that a context is broken");
}

/* One load in a job without failures.  Otherwise O(groups), for each receive that is posted. */
hn_tid failure_in(const struct task *t, hn_context context)
{
    if (!t->others.losses)
        return 0;
    if (is_broken(t, context))
        return t->tid;
    list_for_each (n, &t->groups) {
        const struct hn_group *group = list_entry(n, struct hn_group, node);
        if (group->dead && context - group->context - OPERATIONS_FIRST < OPERATIONS)
            return group->dead;
    }
    return 0;
}

/* With the lock; failure_broken() takes it. */
hn_tid failure_known(hn_context context)
{
    return failure_in(task_get(), context);
}

hn_tid failure_broken(hn_context context)
{
    struct task *t = task_get();

    if (!t)
        return 0;
    engine_enter(&t->engine);
    hn_tid dead = failure_in(t, context);
    engine_leave(&t->engine, false);
    return dead;
}
