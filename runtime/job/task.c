/* task.c - enrolment, leaving, and the identity of this task.
 *
 * hn_enrol() either makes everything or nothing: on an error it dismantles what exists.  Between
 * enrolment and exit `task_enrolled` is constant.  So reading it needs no lock.
 *
 * The task context is one struct, whose parts belong to the files that use them.  All but its
 * constants is protected by the engine's lock.
 */
#include "job/task.h"

#include "job/adopted.h"

#include "engine/activity.h"
#include "base/error.h"
#include "base/options.h"
#include "job/delegation.h"
#include "job/group.h"
#include "match/handler.h"
#include "job/argument_check.h"
#include "match/ssend_ack.h"
#include "connect/mtu.h"
#include "connect/tail_probe.h"
#include "job/notification.h"
#include "job/others.h"
#include "job/routes.h"
#include "job/trace.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>

/* A job with one task, without agent, network or thread. */
static int enrol_alone(struct task *t)
{
    t->tid = (hn_tid)control_tid(0, 1);
    t->world.tid = malloc(sizeof *t->world.tid);
    if (!t->world.tid)
        return error_set(HN_ENOMEM, "out of memory");
    t->world.tid[0] = t->tid;
    tids_learn(&t->tids, t->tid);
    t->world.size = 1;
    t->contexts.lease = CONTROL_CONTEXT_FIRST;
    t->contexts.lease_end = CONTROL_CONTEXT_END;
    return HN_OK;
}

/* Listens before the agent learns the port, so that no other task can be refused.  The background
 * thread starts last. */
static int enrol_with_agent(struct task *t)
{
    int result = listener_open(t);

    if (result != HN_OK)
        return result;
    listener_start(t);
    agent_enrol(t, t->door.listener.ports.port);
    return engine_start(&t->engine);
}

/* Called in each iteration of the loop, so every function here must be cheap when there is nothing
 * to do.  Peers are freed at this point, where no callback uses them. */
static bool turn(void *task, bool before_sleep)
{
    ssend_acks_send(task);
    peer_free_buried(task);
    bool moved = peer_turn(task, before_sleep);
    subset_look(task);
    moved |= delegation_look(task);
    argument_check_look(task);
    return moved;
}

/* Reads a size from the environment, if it is set. */
static int read_limit(const char *name, size_t *limit)
{
    const char *text = getenv(name);
    int64_t bytes = 0;

    if (!text || !*text)
        return HN_OK;
    if (!options_size(text, PTRDIFF_MAX, &bytes) || bytes == 0)
        return error_set(HN_EARG, "%s='%s': give a number of bytes, or such as 64M", name, text);
    *limit = (size_t)bytes;
    return HN_OK;
}

/* 1 GiB each, unless the environment sets another size.  Bounds for messages, not reservations. */
static int read_limits(struct task *t)
{
    t->limits.outbox_limit = t->limits.inbox_limit = (size_t)1 << 30;

    int result = read_limit("HNOW_OUTBOX", &t->limits.outbox_limit);
    return result == HN_OK ? read_limit("HNOW_INBOX", &t->limits.inbox_limit) : result;
}

/* The world is part of the context and is not freed by itself. */
static void free_groups(struct task *t)
{
    list_for_each_safe (n, &t->groups) {
        struct hn_group *group = list_entry(n, struct hn_group, node);
        group_clear(group);
        if (group != &t->world)
            free(group);
    }
}

/* The order is that of use: first the background thread stops; then everything ends that may still
 * deliver a message (connections, before the tables of receives and handlers that they deliver to);
 * the outbox last, because the pieces of links are in it. */
static void dismantle(struct task *t)
{
    engine_stop(&t->engine);
    listener_close(t);
    cast_clear(t);
    if (t->engine.loop) {
        tail_probe_clear(t);
        mtu_clear(t);
    }
    peer_table_clear(t);
    handlers_clear(t);
    notification_clear(t);
    match_clear(&t->match);
    activities_clear(t);
    captured_clear(&t->captured);
    agent_clear(t);
    tids_clear(&t->tids);
    engine_destroy(&t->engine);
    outbox_close(&t->match.outbox);
    trace_close(t->trace);
    t->trace = NULL;
    sodium_memzero(t->secret, sizeof t->secret);
    subsets_clear(t);
    free_groups(t);
    free(t->others.broken);
}

static void destroy(struct task *t)
{
    dismantle(t);
    free(t);
}

/* A forked child is not a task: its copies of connections and rings belong to the parent. The child
 * may enrol only as a job of its own (agent.c). */
static void in_forked_child(void)
{
    task_enrolled = NULL;
}

/* Once in a process, however often it enrols. */
static void prepare_process(void)
{
    static bool prepared;

    if (prepared)
        return;
    prepared = true;
    pthread_atfork(NULL, NULL, in_forked_child);
}

static void received(struct peer *p)
{
    ssend_acks_send(p->task);
    cast_continue(p);
}

/* Callbacks for events of connections. */
static const struct peer_events events = {
    .opened = cast_adopt, .received = received, .missing = cast_look, .ended = others_over};

/* Blocks until the agent's WELCOME has arrived.  The order: a launcher's offer, the lists, the
 * engine, the tables that need its loop, the agent, and at last the sockets. */
int hn_enrol(void)
{
    if (task_enrolled)
        return error_set(HN_ESTATE, "this process is enrolled already");
    int result = adopted_already() ? HN_OK : launched_take();
    if (result != HN_OK)
        return result;
    struct task *t = calloc(1, sizeof *t);
    if (!t || sodium_init() < 0) {
        free(t);
        return error_set(HN_ENOMEM, "out of memory");
    }
    /* No step before engine_init() can fail, so destroy() always finds these parts initialised. */
    listener_init(t);
    agent_init(&t->agent, task_routes);
    /* Encryption between hosts is the default. hrun sets these variables according to its
     * options. */
    t->door.encrypt = getenv("HNOW_ENCRYPT") || !getenv("HNOW_TRUSTED");
    list_init(&t->others.notifications);
    list_init(&t->asking.questions);
    list_init(&t->asking.delegations);
    list_init(&t->groups);
    subsets_init(&t->subsets);
    list_init(&t->work.activities);
    list_init(&t->work.resting);
    /* The world is a group like any other, but is never freed by itself. */
    list_append(&t->groups, &t->world.node);
    t->world.holders = 1;
    captured_init(&t->captured);
    cast_init(t);
    match_init(&t->match);
    result = engine_init(&t->engine);
    if (result == HN_OK)
        result = tids_init(&t->tids);
    if (result == HN_OK)
        result = read_limits(t);
    tail_probe_init(t);
    mtu_init(t);
    t->engine.turn = turn;
    t->engine.turn_arg = t;
    if (result == HN_OK)
        result = peer_table_init(t, &events);
    if (result == HN_OK)
        result = agent_welcome(t);
    /* Memory that the agent shares, so that it can be read after a crash. */
    if (result == HN_OK && t->agent.fd >= 0) {
        t->trace = trace_open();
        outbox_open(&t->match.outbox);
    }
    if (result == HN_OK)
        result = t->agent.fd < 0 ? enrol_alone(t) : enrol_with_agent(t);
    if (result != HN_OK) {
        destroy(t);
        return result;
    }
    task_enrolled = t;
    prepare_process();
    return HN_OK;
}

/* ---- leaving ------------------------------------------------------------------------------ */

/* Notifies peers that are connected, or have not acknowledged everything, that nothing follows. */
static bool send_bye(struct peer *p)
{
    if (!p->failed && (p->state == PEER_OPEN || !link_all_acknowledged(&p->link)) &&
        link_send_bye(&p->link) == HN_OK)
        peer_flush(p);
    return true;
}

/* A failed peer will never acknowledge anything. */
static bool is_quiet(struct peer *p)
{
    return p->failed || link_all_acknowledged(&p->link);
}

static bool all_arrived(void *arg)
{
    struct task *t = arg;

    return t->quitting || peer_all(t, is_quiet);
}

/* The caller itself is one of those that wait. */
static bool others_have_left(void *arg)
{
    const struct task *t = arg;

    return engine_waiting(&t->engine) <= 1;
}

/* Makes calls of other threads that wait fail at once, as all of them check t->quitting.  Waits
 * until they have returned.  Returns whether there were any. */
static bool send_others_away(struct task *t)
{
    /* ns; waiting threads wake within microseconds, and a stopped thread must not block
     * hn_exit() */
    const uint64_t patience = 2000000000;
    bool any = engine_waiting(&t->engine) > 0;

    if (!t->quitting)
        t->quitting = HN_ESTATE;
    match_fail_all(&t->match, t->quitting);
    engine_changed(&t->engine);
    engine_wait(&t->engine, others_have_left, t, engine_now() + patience);
    return any;
}

/* A task context that calls in other threads may still read before they return. It is never
 * freed. */
static struct task *left_behind;

/* When the process ends, waiting threads need not be considered.  The steps: captured output is
 * written; activities end; a closing frame follows the last message to each peer, and all are
 * acknowledged; delegated groups are returned; hrun and the agent are notified, so that the end of
 * the process is no failure from then on; calls of other threads fail; everything is freed.  Blocks
 * until all peers have acknowledged, have failed, or the job ends. */
static int leave(struct task *t, bool process_ends)
{
    captured_finish(t);
    engine_enter(&t->engine);
    activities_finish(t);
    argument_check_stop(t);
    t->subsets.left = true;
    peer_all(t, send_bye);
    wait_because(CONTROL_WAIT_EXIT, 0, 0, 0);
    match_close(&t->match); /* acknowledgements may be behind messages that fill the inbox */
    peer_wait_acks(t, all_arrived, t);
    listener_report(t);
    delegations_return(t);
    agent_leave(t, false);
    launched_leave();
    /* A thread that did not return in time may still read the context, so it is left behind instead
     * of freed. */
    if (!process_ends && send_others_away(t))
        left_behind = t;
    engine_leave(&t->engine, false);
    task_enrolled = NULL;
    dismantle(t);
    if (left_behind != t)
        free(t);
    return HN_OK;
}

int hn_exit(void)
{
    struct task *t = task_get();

    return t ? leave(t, false) : HN_ESTATE;
}

/* As hn_exit(), but connections and the context stay, since the program may continue to take
 * part. */
int hn_pause(void)
{
    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    captured_finish(t);
    engine_enter(&t->engine);
    activities_finish(t);
    wait_because(CONTROL_WAIT_EXIT, 0, 0, 0);
    peer_wait_acks(t, all_arrived, t);
    delegations_return(t);
    agent_leave(t, true);
    engine_leave(&t->engine, false);
    return HN_OK;
}

/* exit() without hn_exit(): messages that were sent must still arrive.  A destructor runs after all
 * functions that the program has registered by atexit(), even before it enrolled: these may still
 * send. */
__attribute__((destructor)) static void at_exit(void)
{
    if (task_enrolled)
        leave(task_enrolled, true);
}
