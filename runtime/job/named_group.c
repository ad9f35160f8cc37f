/* named_group.c - groups that tasks join and leave by name (interface: hnow.h; rules:
 * hrun/services/roster.h).
 *
 * hrun stores the groups.  Every call is a question, which takes a round trip to hrun, so all tasks
 * see the same order of events.  Members of a delegated group (delegation.h) need no questions.
 */
#include "base/error.h"
#include "job/delegation.h"
#include "job/question.h"
#include "job/task.h"

#include <stdlib.h>

int hn_join(const char *name)
{
    struct question q;

    question_about(&q, CONTROL_JOIN_ASK, name);
    return question_number(&q);
}

int hn_leave(const char *name)
{
    struct question q;

    question_about(&q, CONTROL_PART_ASK, name);
    return question_done(&q);
}

/* ---- members -------------------------------------------------------------------------------- */

/* The list is by instance, with a 0 for each instance that is not used.  The caller frees it. */
int hn_joined_members(const char *name, hn_tid **tids, int *n)
{
    REFUSE_NULL(tids);
    REFUSE_NULL(n);

    struct question q;

    question_about(&q, CONTROL_MEMBERS_ASK, name);
    const struct delegation *held = q.error ? NULL : delegation_find(q.task, name);
    int result = held ? delegation_members(held, tids, n) : question_ask(&q, CONTROL_MEMBERS);
    if (result == HN_OK && !held)
        result = question_tids(&q, tids, n);
    question_end(&q);
    return result;
}

/* Holes of members that have left do not count. */
int hn_joined_size(const char *name)
{
    hn_tid *tids;
    int n, size = 0;
    int result = hn_joined_members(name, &tids, &n);

    if (result != HN_OK)
        return result;
    for (int i = 0; i < n; i++)
        size += tids[i] != 0;
    free(tids);
    return size;
}

hn_tid hn_joined_tid(const char *name, int instance)
{
    hn_tid *tids, tid = 0;
    int n;
    int result = hn_joined_members(name, &tids, &n);

    if (result != HN_OK)
        return result;
    if (instance >= 0 && instance < n)
        tid = tids[instance];
    free(tids);
    return tid ? tid : error_set(HN_ENOTASK, "group %s has no instance %d", name, instance);
}

/* A tid of 0 or less is no member, although free instances have tid 0. */
int hn_joined_instance(const char *name, hn_tid tid)
{
    hn_tid *tids;
    int n, instance = 0;
    int result = hn_joined_members(name, &tids, &n);

    if (result != HN_OK)
        return result;
    while (instance < n && tids[instance] != tid)
        instance++;
    free(tids);
    return tid > 0 && instance < n
               ? instance
               : error_set(HN_ENOTASK, "task %d is no member of group %s", tid, name);
}

/* The list may be outdated when the messages are sent: a task that has left gets one, too. */
int hn_joined_multicast(const char *name, int tag, const void *data, size_t count, hn_type type)
{
    hn_tid *tids;
    int n, others = 0;
    int result = hn_joined_members(name, &tids, &n);

    if (result != HN_OK)
        return result;
    for (int i = 0; i < n; i++)
        if (tids[i] > 0 && tids[i] != hn_mytid())
            tids[others++] = tids[i];
    result = hn_multicast(tids, others, tag, data, count, type);
    free(tids);
    return result;
}

/* ---- rendezvous ---------------------------------------------------------------------------- */

/* Kinds of a rendezvous: as in RENDEZVOUS_ASK (control.h). */
enum { BARRIER, FREEZE, CLOSE };

/* HN_ANY: all members, however many they are then. */
static void begin_rendezvous(struct question *q, const char *name, int count, uint8_t kind)
{
    question_about(q, CONTROL_RENDEZVOUS_ASK, name);
    if (!q->error && count < 1 && count != HN_ANY)
        q->error = error_set(HN_EARG, "%d members cannot meet", count);
    pack_u32(&q->out, count < 0 ? UINT32_MAX : (uint32_t)count);
    pack_u8(&q->out, kind);
}

/* Members of a delegated group meet without hrun.  If another thread of this task is in the barrier
 * already, or `count` differs, hrun is asked. */
int hn_joined_barrier(const char *name, int count)
{
    struct question q;

    begin_rendezvous(&q, name, count, BARRIER);
    struct delegation *held = q.error ? NULL : delegation_find(q.task, name);
    if (!held || !delegation_serves_barrier(held, count))
        return question_done(&q);
    int result = delegation_barrier(held, &q, count);
    question_end(&q);
    return result;
}

/* The members of that moment become a static group with a context from hrun; context 0: no group.
 * Returns their number, or an error. */
static int freeze(const char *name, int count, uint8_t kind, hn_group **group)
{
    struct question q;
    hn_context context = 0;
    hn_tid *tids = NULL;
    int n = 0;

    begin_rendezvous(&q, name, count, kind);
    int result = question_ask(&q, CONTROL_AGREED);
    if (result == HN_OK) {
        context = unpack_u32(&q.answer);
        result = question_tids(&q, &tids, &n);
    }
    question_end(&q);
    *group = NULL;
    if (result == HN_OK && context != 0)
        result = hn_group_new(tids, n, context, group);
    free(tids);
    return result == HN_OK ? n : result;
}

int hn_joined_freeze(const char *name, int count, hn_group **group)
{
    REFUSE_NULL(group);
    int met = freeze(name, count, FREEZE, group);
    return met < 0 ? met : HN_OK;
}

int hn_joined_close(const char *name, int count, hn_group **group)
{
    REFUSE_NULL(group);
    return freeze(name, count, CLOSE, group);
}
