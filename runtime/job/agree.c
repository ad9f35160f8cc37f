/* agree.c - agreements of tasks through hrun, which orders all events: contexts, and the members of
 * a group.
 *
 * hrun assigns each context once.  A task leases CONTROL_LEASE of them at a time and mostly uses
 * its own stock.  Each member of a new group sends the list (AGREE_ASK).  When all living members
 * have done so, each gets the same context and the list of the living ones.  Cost: a round trip to
 * hrun, O(members) bytes in each direction.
 */
#include "base/error.h"
#include "job/group.h"
#include "job/question.h"
#include "job/task.h"

#include <stdlib.h>

/* ---- contexts ----------------------------------------------------------------------------- */

/* The lock alone, without engine_enter(): nothing is sent, and no other thread must be woken. */
static bool take_context(struct task *t, hn_context *context)
{
    lock_enter(&t->engine.lock);
    bool taken = t->contexts.lease < t->contexts.lease_end;
    if (taken) {
        *context = t->contexts.lease;
        t->contexts.lease += CONTROL_STEP;
    }
    lock_leave(&t->engine.lock);
    return taken;
}

/* Two threads may lease at the same time.  The second lease then replaces the rest of the first,
 * whose contexts are never used. */
static int lease_contexts(struct task *t)
{
    struct question q;

    question_begin(&q, CONTROL_CONTEXT_ASK);
    pack_u32(&q.out, CONTROL_LEASE);
    int result = question_ask(&q, CONTROL_NUMBER);
    if (result == HN_OK) {
        t->contexts.lease = unpack_u32(&q.answer);
        t->contexts.lease_end = t->contexts.lease + CONTROL_LEASE;
    }
    question_end(&q);
    return result;
}

/* Loops because another thread may take the last context of a new lease. */
int hn_context_new(hn_context *context)
{
    REFUSE_NULL(context);

    struct task *t = task_get();
    int result = t ? HN_OK : HN_ESTATE;

    while (result == HN_OK && !take_context(t, context))
        result = t->agent.fd >= 0 ? lease_contexts(t)
                                  : error_set(HN_ENOMEM, "all contexts have been given out");
    return result;
}

/* ---- members ------------------------------------------------------------------------------ */

/* Waits until all living tasks of the list have sent the same.  Returns a new context, and the
 * living ones in the order of the list, which the caller frees. */
static int agree(hn_context about, const hn_tid *tids, int n, hn_context *context, hn_tid **living,
                 int *living_count)
{
    struct question q;

    question_begin(&q, CONTROL_AGREE_ASK);
    pack_u32(&q.out, about);
    question_add_tids(&q, tids, n);
    int result = question_ask(&q, CONTROL_AGREED);
    if (result == HN_OK) {
        *context = unpack_u32(&q.answer);
        result = question_tids(&q, living, living_count);
    }
    question_end(&q);
    return result;
}

/* The first member that is not living. */
static hn_tid missing(const hn_tid *tids, const hn_tid *living, int living_count)
{
    int i = 0;

    while (i < living_count && tids[i] == living[i])
        i++;
    return tids[i];
}

/* A group with one member, which no other task need know. */
static int make_alone(const hn_tid *tids, hn_group **group)
{
    hn_context context;
    int result = hn_context_new(&context);

    return result == HN_OK ? hn_group_new(tids, 1, context, group) : result;
}

/* Completes the agreement as the other members expect, although there is no pointer for the
 * group. */
static int no_place(int result, hn_group **made)
{
    if (result != HN_OK)
        return result;
    hn_group_free(*made);
    return error_set(HN_EARG, "no place for the group");
}

/* All members must call it, in any order of their arrival.  If a member has ended, the others get
 * HN_EDEAD and no group. */
int hn_group_from_tids(const hn_tid *tids, int n, hn_group **group)
{
    hn_group *unwanted;

    if (!group)
        return no_place(hn_group_from_tids(tids, n, &unwanted), &unwanted);

    struct task *t = task_get();
    int result = t ? group_check(t, tids, n) : HN_ESTATE, living_count = 0;
    hn_tid *living = NULL;
    hn_context context;

    if (result != HN_OK)
        return result;
    if (n == 1)
        return make_alone(tids, group);
    result = agree(CONTROL_NO_GROUP, tids, n, &context, &living, &living_count);
    if (result == HN_OK && living_count < n)
        result = error_set(HN_EDEAD, "task %d has ended", missing(tids, living, living_count));
    if (result == HN_OK)
        result = hn_group_new(tids, n, context, group);
    free(living);
    return result;
}

/* All living members must call it.  The same question as for a new group, but a member that has
 * ended is left out. */
int hn_group_shrink(const hn_group *group, hn_group **smaller)
{
    hn_tid *living = NULL;
    hn_group *unwanted;
    hn_context context;
    int result, n = 0;

    if (!smaller)
        return no_place(hn_group_shrink(group, &unwanted), &unwanted);
    if (!group)
        return error_set(HN_EARG, "no group");
    if (group->size == 1)
        return make_alone(group->tid, smaller);
    result = agree(group->context, group->tid, group->size, &context, &living, &n);
    if (result == HN_OK)
        result = hn_group_new(living, n, context, smaller);
    free(living);
    return result;
}
