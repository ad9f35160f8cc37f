/* activity.c - runs activities when messages arrive (rules: activity.h).
 *
 * Invariant: an activity that is not `busy` and whose message is done is found by the next call of
 * work().  The list is scanned anew after each one, because advance() runs without the lock and
 * anything may have changed.
 */
#include "engine/activity.h"

#include "base/error.h"
#include "job/task.h"

static struct activity *activity_of(struct list_node *node)
{
    return list_entry(node, struct activity, node);
}

/* ---- working ------------------------------------------------------------------------------ */

/* The first one that can continue: no thread runs it, and what it waits for has happened. */
static struct activity *first_ready(const struct task *t)
{
    list_for_each (n, &t->work.activities) {
        struct activity *a = activity_of(n);
        if (!a->busy && (!a->awaits || a->awaits->done))
            return a;
    }
    return NULL;
}

/* A task that waits for a send requests early acknowledgements.  Idempotent; each activity counts
 * at most once. */
static void want_acks(struct task *t, struct activity *a, bool wanted)
{
    if (wanted == a->wants_acks)
        return;
    a->wants_acks = wanted;
    if (wanted)
        peer_want_acks(t);
    else
        peer_stop_wanting(t);
}

/* An orphan stays on the list, busy, until it is freed, so that the task does not leave its job
 * meanwhile. */
static void end(struct task *t, struct activity *a)
{
    t->engine.under_way--;
    if (a->orphan) {
        engine_step_out(&t->engine);
        a->release(a);
        engine_enter(&t->engine);
        return;
    }
    a->busy = false;
    list_remove(&a->node);
    list_append(&t->work.resting, &a->node);
    a->request.done = true;
}

/* `busy` keeps other threads away while the lock is released.  Each acknowledgement that was
 * requested for the last message is withdrawn first, as the next wait may be for a receive. */
static void work_on(struct task *t, struct activity *a)
{
    char text[ERROR_TEXT] = "", *before;

    a->busy = true;
    want_acks(t, a, false);
    engine_step_out(&t->engine);
    before = error_redirect(text); /* keeps the text of the caller's own error */
    bool over = a->advance(a);
    error_redirect(before);
    engine_enter(&t->engine);
    if (over) {
        end(t, a);
        return;
    }
    a->busy = false;
    want_acks(t, a, a->awaits->to > 0);
}

/* The engine's work hook.  It ends when no activity can continue without another message. */
static bool work(void *arg)
{
    struct task *t = arg;
    struct activity *a;
    bool any = false;

    while ((a = first_ready(t))) {
        work_on(t, a);
        any = true;
    }
    return any;
}

/* ---- starting and ending -------------------------------------------------------------------- */

/* The request starts as done, like that of an operation that was never started. hn_wait() then
 * returns at once. */
int activity_init(struct activity *a)
{
    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    list_init(&a->request.node);
    a->request.activity = a;
    a->request.done = true;
    engine_enter(&t->engine);
    list_append(&t->work.resting, &a->node);
    engine_leave(&t->engine, false);
    return HN_OK;
}

/* Refused when the task is leaving its job, as no message would arrive any more.  The first steps
 * run in the calling thread: a short operation may be over when this returns. */
int activity_start(struct activity *a)
{
    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    engine_enter(&t->engine);
    int result = t->quitting;
    if (result == HN_OK) {
        a->request.done = false;
        a->request.result = HN_OK;
        a->unseen = true;
        a->awaits = NULL;
        list_remove(&a->node);
        list_append(&t->work.activities, &a->node);
        t->engine.under_way++;
        t->engine.hooks.work = work;
        t->engine.hooks.work_arg = t;
        engine_work(&t->engine);
    }
    engine_leave(&t->engine, !list_empty(&t->work.activities));
    return result ? task_refuse(result) : HN_OK;
}

/* The caller owns the activity and frees it; no thread may be in it. */
void activity_forget(struct activity *a)
{
    struct task *t = task_get();

    if (!t)
        return; /* activities_clear() has unregistered it */
    engine_enter(&t->engine);
    list_remove(&a->node);
    engine_leave(&t->engine, false);
}

/* `unseen`, not the list, decides: otherwise the answer would depend on whether messages have
 * arrived yet. */
bool activity_is_under_way(struct activity *a)
{
    struct task *t = task_get();
    bool unseen;

    if (!t)
        return false;
    lock_enter(&t->engine.lock);
    unseen = a->unseen;
    lock_leave(&t->engine.lock);
    return unseen;
}

/* ---- waiting ------------------------------------------------------------------------------ */

/* The argument of is_over() and look(), on the stack of activity_wait(). */
struct activity_wait {
    struct task *task;
    struct activity *activity;
};

static bool is_over(void *arg)
{
    return ((struct activity_wait *)arg)->activity->request.done;
}

static bool look(void *arg)
{
    struct task *t = ((struct activity_wait *)arg)->task;
    bool moved = engine_look(&t->engine);

    return engine_work(&t->engine) || moved;
}

/* A send has `to` set, a receive has 0 there.  The operation then adds its name and step. */
bool activity_explain(const struct activity *a, struct wait_reason *reason)
{
    const hn_request *r = a->awaits;
    bool sends = r && r->to > 0;

    if (a->busy || !r)
        return false;
    *reason = (struct wait_reason){.kind = sends ? CONTROL_WAIT_SENT : CONTROL_WAIT_RECV,
                                   .peer = sends ? r->to : r->from,
                                   .tag = sends ? r->info.tag : r->tag,
                                   .context = r->context};
    a->explain(a, reason);
    return true;
}

/* The program is given the result. */
static int conclude(struct activity *a)
{
    int result = a->request.result;

    if (result)
        error_set(result, "%s", a->text);
    a->request.result = HN_OK;
    if (!a->rewind)
        a->release(a);
    return result;
}

/* Spins first, as a wait for a message does. hrun's report shows the activity's own reason, because
 * `activity` is set in the record of the thread. */
int activity_wait(struct task *t, struct activity *a, hn_info *info)
{
    struct activity_wait w = {t, a};

    engine_enter(&t->engine);
    wait_reason()->activity = a;
    engine_wait_soon(&t->engine, is_over, look, &w, 0);
    wait_reason()->activity = NULL;
    a->unseen = false;
    engine_leave(&t->engine, false);
    if (info)
        *info = (hn_info){0};
    return conclude(a);
}

/* ---- gates -------------------------------------------------------------------------------- */

/* Outside a job no thread waits through the engine, so marking the gate suffices.  Inside, the
 * leader must look again, and activities that wait for the gate continue here. */
void activity_open(hn_request *gate)
{
    struct task *t = task_get();

    if (!t) {
        request_finish(gate, HN_OK);
        return;
    }
    engine_enter(&t->engine);
    request_finish(gate, HN_OK);
    engine_changed(&t->engine);
    engine_work(&t->engine);
    engine_leave(&t->engine, false);
}

static bool is_open(void *arg)
{
    return ((hn_request *)arg)->done;
}

/* Blocks without spinning: a gate is opened by another thread's call, not by a message. */
void activity_await(hn_request *gate)
{
    struct task *t = task_get();

    if (!t)
        return;
    engine_enter(&t->engine);
    wait_because(CONTROL_WAIT_RECV, 0, 0, 0);
    engine_wait(&t->engine, is_open, gate, 0);
    engine_leave(&t->engine, false);
}

static bool none_left(void *arg)
{
    const struct task *t = arg;

    list_for_each (n, &t->work.activities)
        /* When the job is ending, waiting activities are abandoned; a busy one uses its memory
         * still. */
        if (!t->quitting || activity_of(n)->busy)
            return false;
    return true;
}

/* Blocks until every operation under way is over, even those whose request was freed. */
void activities_finish(struct task *t)
{
    wait_because(CONTROL_WAIT_EXIT, 0, 0, 0);
    engine_wait(&t->engine, none_left, t, 0);
}

/* No thread runs any activity now, since the task has left. */
void activities_clear(struct task *t)
{
    struct list_node *lists[] = {&t->work.activities, &t->work.resting};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        list_for_each_safe (n, lists[i]) {
            list_remove(n);
            activity_of(n)->release(activity_of(n));
        }
}
