/* delegation.c - groups that hrun has delegated to their members (rules: delegation.h).
 *
 * The first member counts who has entered; when all have, it sends GO to each.  So nothing passes
 * agents or hrun.  The group is returned when hrun recalls it, when the task leaves, or without
 * memory for a message.
 */
#include "job/delegation.h"

#include "base/error.h"
#include "job/question.h"
#include "job/subset_parts.h"
#include "job/task.h"

#include <stdlib.h>
#include <string.h>

/* One delegated group, on asking.delegations.  `waits` points to the question on the stack of the
 * thread that is in the barrier. */
struct delegation {
    struct list_node node;
    char *name; /* NULL: DELEGATE has not arrived */
    hn_context context;
    hn_tid *tids, first;    /* tids by instance (0: none), and the first member, which sends GO */
    int n, size;            /* instances; members */
    int entered;            /* at the first member: members that have entered the next barrier */
    uint32_t passed;        /* barriers passed */
    struct question *waits; /* the question of the caller in a barrier, and its count; or NULL */
    int count;
};

static struct delegation *find(struct task *t, hn_context context)
{
    list_for_each (n, &t->asking.delegations) {
        struct delegation *d = list_entry(n, struct delegation, node);
        if (d->context == context)
            return d;
    }
    return NULL;
}

struct delegation *delegation_find(struct task *t, const char *name)
{
    list_for_each (n, &t->asking.delegations) {
        struct delegation *d = list_entry(n, struct delegation, node);
        if (d->name && strcmp(d->name, name) == 0)
            return d;
    }
    return NULL;
}

static struct delegation *add(struct task *t, hn_context context)
{
    struct delegation *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->context = context;
    list_append(&t->asking.delegations, &d->node);
    return d;
}

static void drop(struct delegation *d)
{
    list_remove(&d->node);
    free(d->name);
    free(d->tids);
    free(d);
}

/* ---- returning ---------------------------------------------------------------------------- */

/* Returns a group.  A question that waits in a barrier is now answered by hrun. */
static void give_back(struct task *t, struct delegation *d)
{
    unsigned number = d->waits ? d->waits->number : 0;

    agent_put(t, CONTROL_RETURN, number, (unsigned)d->context, (unsigned)d->passed,
              (unsigned)d->count);
    drop(d);
}

/* All groups of this task; questions that wait in them are answered by hrun. */
void delegations_return(struct task *t)
{
    list_for_each_safe (n, &t->asking.delegations)
        give_back(t, list_entry(n, struct delegation, node));
}

/* A group that was returned meanwhile is unknown, which is no error. */
void delegation_recall(struct task *t, struct unpack *fields)
{
    struct delegation *d = find(t, unpack_u32(fields));

    if (d)
        give_back(t, d);
}

/* ---- barriers ----------------------------------------------------------------------------- */

/* False: there is no memory for the message, and the group is returned to hrun. */
static bool send_to(struct task *t, struct delegation *d, hn_tid to, int kind)
{
    if (subset_send_in(t, to, match_argument_checks(d->context), kind, NULL, 0) == HN_OK)
        return true;
    give_back(t, d);
    return false;
}

/* The barrier is over for this member: its question counts as answered. */
static void pass(struct delegation *d)
{
    struct question *q = d->waits;

    d->passed++;
    d->waits = NULL;
    if (!q)
        return;
    list_remove(&q->node);
    q->kind = CONTROL_DONE;
}

/* At the first member: ends the barrier when all members have entered it. */
static bool check(struct task *t, struct delegation *d)
{
    if (!d->name || d->entered < d->size)
        return false;
    d->entered = 0;
    pass(d); /* before sending GO: if one member cannot be sent to, hrun knows that the barrier is
                over */
    for (int i = 0; i < d->n; i++)
        if (d->tids[i] > 0 && d->tids[i] != t->tid && !send_to(t, d, d->tids[i], DELEGATION_GO))
            break;
    return true;
}

/* Counts a member, or this task itself, in the next barrier.  True: all have entered. */
static bool enter(struct task *t, hn_context context)
{
    struct delegation *d = find(t, context);

    /* ENTER has overtaken DELEGATE; the list of members is unknown until that arrives. */
    if (!d && context > t->asking.delegated)
        d = add(t, context);
    if (!d)
        return false;
    d->entered++;
    return check(t, d);
}

/* One thread at a time, with the whole group. */
bool delegation_serves_barrier(const struct delegation *d, int count)
{
    return !d->waits && (count == HN_ANY || count == d->size);
}

static bool look(void *question)
{
    return engine_look(&((struct question *)question)->task->engine);
}

/* The question is on the list of questions but was not sent.  Either a member's GO answers it, or
 * hrun does after RETURN. */
int delegation_barrier(struct delegation *d, struct question *q, int count)
{
    struct task *t = q->task;

    list_append(&t->asking.questions, &q->node);
    d->waits = q;
    d->count = count;
    if (d->first == t->tid)
        enter(t, d->context);
    else
        send_to(t, d, d->first, DELEGATION_ENTER);
    return question_wait(q, CONTROL_DONE, look);
}

/* d may be freed inside enter(), so it is not used afterwards.  GO for a group that was returned
 * meanwhile is ignored. */
bool delegation_look(struct task *t)
{
    struct inbound *in;
    bool over = false;

    while ((in = match_first_argument_check(&t->match, DELEGATION_ENTER, DELEGATION_GO))) {
        hn_context context = in->context - in->context % CONTROL_STEP;
        struct delegation *d = find(t, context);
        int kind = in->info.tag;
        match_drop_argument_check(&t->match, in);
        if (kind == DELEGATION_ENTER)
            over |= enter(t, context);
        else if (d && d->name)
            pass(d);
        over |= kind == DELEGATION_GO;
    }
    return over;
}

/* ---- beginning ---------------------------------------------------------------------------- */

/* The list is by instance and has a 0 for each instance that is free.  The first member is the one
 * with the lowest instance. */
static bool fill(struct task *t, struct delegation *d, const char *name, struct unpack *fields)
{
    d->n = (int)unpack_count(fields, 4);
    d->tids = malloc(((size_t)d->n + 1) * sizeof *d->tids);
    d->name = strdup(name);
    if (!d->tids || !d->name)
        return false;
    for (int i = 0; i < d->n; i++) {
        d->tids[i] = (hn_tid)unpack_u32(fields);
        d->size += d->tids[i] > 0;
        d->first = d->first ? d->first : d->tids[i];
    }
    tids_learn_all(&t->tids, d->tids, d->n);
    return true;
}

/* An entry may exist already, because ENTER has overtaken this frame.  Without memory the group is
 * returned at once, and hrun answers for it. */
void delegation_take(struct task *t, struct unpack *fields)
{
    const char *name = unpack_str(fields);
    hn_context context = unpack_u32(fields);
    struct delegation *d = find(t, context);

    d = d ? d : add(t, context);
    t->asking.delegated = context;
    if (!d)
        agent_put(t, CONTROL_RETURN, 0u, (unsigned)context, 0u, 0u);
    else if (!fill(t, d, name, fields))
        give_back(t, d);
}

int delegation_members(const struct delegation *d, hn_tid **tids, int *n)
{
    *tids = malloc(((size_t)d->n + 1) * sizeof **tids);
    if (!*tids)
        return error_set(HN_ENOMEM, "out of memory");
    memcpy(*tids, d->tids, (size_t)d->n * sizeof **tids);
    *n = d->n;
    return HN_OK;
}
