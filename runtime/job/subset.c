/* subset.c - calls with lists of members: finds the subset of a list, or agrees on it with the root
 * (rules: subset.h).
 *
 * Locking: the fast path takes the lock only.  All others enter the engine, since they send
 * messages or process those that have arrived.  A caller that has waited looks up the subset
 * again.
 */
#include "job/subset_parts.h"

#include "base/error.h"
#include "job/group.h"
#include "job/task.h"
#include "job/tid_check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* A context that was proposed but not needed; 0: there is none. */
static hn_context take_spare(struct task *t)
{
    lock_enter(&t->engine.lock);
    hn_context spare = t->subsets.spare;
    t->subsets.spare = 0;
    lock_leave(&t->engine.lock);
    return spare;
}

/* The reply's tag is unique among the questions of this task that are in progress.  The root's
 * library answers in the context subset_answers(). */
static int post_question(struct task *t, hn_context whole, const hn_tid *tids, int n,
                         hn_context proposed, int *reply)
{
    uint32_t *words = subset_words(QUESTION_WORDS, tids, n);
    if (!words)
        return error_set(HN_ENOMEM, "out of memory");
    engine_enter(&t->engine);
    /* each thread has at most one question in progress */
    *reply = (int)(t->subsets.replies++ & INT_MAX);
    words[REPLY] = (uint32_t)*reply;
    words[PROPOSED] = proposed;
    int error = subset_send_in(t, tids[0], match_argument_checks(whole), SUBSET_QUESTION, words,
                               QUESTION_WORDS + (size_t)n);
    engine_leave(&t->engine, true);
    free(words);
    return error ? error_set(error, "out of memory") : HN_OK;
}

static int explain_refusal(uint32_t error, hn_tid root)
{
    if (error == ANSWER_FREED)
        return error_set(HN_EARG, "task %d on host %s has freed its group", root, tids_host(root));
    return error_set(HN_EPROTO, "task %d on host %s cannot take the list", root, tids_host(root));
}

/* Asks the root for the context of the list.  Meanwhile the root may have sent it by itself.
 * Blocks until the answer arrives; the lock is not held.  A context costs a round trip to hrun, so
 * an unused one is kept. */
static int ask(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
               hn_context *context)
{
    uint32_t words[ANSWER_WORDS];
    hn_context proposed = take_spare(t);
    int reply = 0, error = proposed ? HN_OK : hn_context_new(&proposed);
    if (!error)
        error = post_question(t, whole->context, tids, n, proposed, &reply);
    if (error)
        return error;
    hn_context before = hn_set_context(subset_answers(whole->context));
    error = hn_recv(tids[0], reply, words, ANSWER_WORDS, HN_UINT32, NULL);
    hn_set_context(before);
    if (!error && words[ANSWER_ERROR])
        error = explain_refusal(words[ANSWER_ERROR], tids[0]);
    *context = error ? 0 : words[ANSWER_CONTEXT];
    /* The root had chosen a context before, so the proposed one is free for the next question. */
    if (!error && *context != proposed) {
        lock_enter(&t->engine.lock);
        t->subsets.spare = proposed;
        lock_leave(&t->engine.lock);
    }
    return error;
}

/* With the lock.  The caller may have waited, so messages that have arrived are processed first. */
static int hold(struct task *t, const hn_group *whole, struct subset *s)
{
    bool first = s && !s->group;
    if (first)
        s->group = group_make_subset(t, whole, s->tids, s->size, s->context);
    if (!s || !s->group)
        return error_set(HN_ENOMEM, "out of memory");
    int error = subset_is_root(t, s) && s->uninformed > 0 ? subset_notify_all(t, s) : HN_OK;
    if (error)
        return error;
    s->users++;
    s->requested = false;
    subset_keep(t, s);
    if (first)
        subset_make_room(t, s);
    return HN_OK;
}

/* Holds a subset that the root has announced, or that exists already; *held NULL: there is none. */
static int hold_known(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
                      struct subset **held)
{
    engine_enter(&t->engine);
    subset_look(t);
    *held = subset_find(t, whole->context, tids, n, NULL);
    int error = *held ? hold(t, whole, *held) : HN_OK;
    engine_leave(&t->engine, true);
    return error;
}

/* Holds a subset with this context, unless an older one with the same list is known by now. */
static int hold_new(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
                    hn_context context, struct subset **held)
{
    engine_enter(&t->engine);
    subset_look(t);
    if (!subset_find_context(t, context) && !subset_find(t, whole->context, tids, n, NULL))
        subset_new(t, whole->context, tids, n, context);
    *held = subset_find(t, whole->context, tids, n, NULL);
    int error = hold(t, whole, *held);
    engine_leave(&t->engine, true);
    return error;
}

/* No subset is known: the root chooses a context, a member asks the root. */
static int begin(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
                 struct subset **held)
{
    hn_context context;
    bool root = tids[0] == t->tid;
    int error = root ? hn_context_new(&context) : ask(t, whole, tids, n, &context);
    if (!error)
        return hold_new(t, whole, tids, n, context, held);
    /* the root may have announced it and left */
    char text[ERROR_TEXT];
    snprintf(text, sizeof text, "%s", hn_error_text());
    int known = root ? HN_OK : hold_known(t, whole, tids, n, held);
    return known || *held ? known : error_set(error, "%s", text);
}

/* Three attempts: a subset that is ready, one that is known or announced, and a new one. */
int subset_hold(const hn_group *whole, const hn_tid *tids, int n, struct subset **held)
{
    struct task *t = task_get();
    if (!t)
        return HN_ESTATE;
    lock_enter(&t->engine.lock);
    struct subset *s = subset_find(t, whole->context, tids, n, NULL);
    /* The fast path of all calls but the first: nothing is sent, so the lock alone is enough. */
    bool ready = s && s->group && (!subset_is_root(t, s) || s->uninformed == 0);
    if (ready) {
        s->users++;
        s->requested = false;
        subset_keep(t, s);
    }
    lock_leave(&t->engine.lock);
    *held = s;
    if (ready)
        return HN_OK;
    int error = hold_known(t, whole, tids, n, held);
    return error || *held ? error : begin(t, whole, tids, n, held);
}

const hn_group *subset_group(const struct subset *subset)
{
    return subset->group;
}

/* With the lock: whether the number is one of its calls, as far as this task knows.  The root
 * always may begin a call, because it decides about the end itself. */
static bool is_within(const struct task *t, const struct subset *s, unsigned number)
{
    return subset_is_root(t, s) || !s->limited || number < s->last;
}

/* The root has answered with this context: the same subset continues, or another one begins. */
static int follow(struct task *t, struct subset *s, hn_context context, bool *has)
{
    engine_enter(&t->engine);
    subset_look(t);
    *has = context == s->context;
    bool missing = !*has && !subset_find_context(t, context);
    struct subset *made = missing ? subset_new(t, s->whole, s->tids, s->size, context) : NULL;
    s->replaced = !*has;
    if (*has)
        s->limited = false;
    engine_leave(&t->engine, true);
    return missing && !made ? error_set(HN_ENOMEM, "out of memory") : HN_OK;
}

/* A member that has voted for the end must ask the root before its next call.  A newer subset with
 * the same list makes the question unnecessary. */
int subset_has_call(const hn_group *whole, struct subset *s, unsigned number, bool *has)
{
    struct task *t = task_get();
    hn_context context;
    if (!t)
        return HN_ESTATE;
    lock_enter(&t->engine.lock);
    *has = is_within(t, s, number);
    bool next = !*has && subset_find(t, s->whole, s->tids, s->size, s);
    s->replaced |= next;
    lock_leave(&t->engine.lock);
    if (*has || next)
        return HN_OK;
    int error = ask(t, whole, s->tids, s->size, &context);
    return error ? error : follow(t, s, context, has);
}

/* The root closes a subset that a member wanted to close as soon as no call uses it any more. */
void subset_release(struct subset *s, unsigned begun)
{
    struct task *t = task_get();
    if (!t)
        return; /* the task has left: subsets_clear() frees all */
    engine_enter(&t->engine);
    s->begun = begun;
    s->users--;
    bool closes = s->users == 0 && s->wanted && subset_is_root(t, s) && !s->closing;
    if (closes)
        subset_close(t, s);
    else
        subset_free_if_done(t, s);
    engine_leave(&t->engine, closes);
}
