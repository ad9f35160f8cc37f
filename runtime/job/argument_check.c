/* argument_check.c - asks about messages that do not arrive (rules: argument_check.h).
 *
 * The timer runs only while there is something to ask or to answer.  Each tick answers what has
 * arrived, asks about receives that have become old enough, and sweeps the inbox if that is
 * full.
 */
#include "job/argument_check.h"

#include "job/task.h"
#include "base/type.h"
#include "job/orphans.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double tick = 0.5; /* seconds */
/* questions in a tick; minimum age of a receive in ticks */
enum { ASKED_MOST = 64, TICKS_LEAST = 2 };

/* Words of a message: context, tag, and the checker's words.  A question about a list has also the
 * group and the list. */
enum { FIXED = 2, WORDS = FIXED + ARGUMENT_CHECK_WORDS, LIST = WORDS + 1 };

/* ---- sending -------------------------------------------------------------------------------- */

static size_t words_of(const struct argument_check *q)
{
    return q->count > 0 ? LIST + (size_t)q->count : WORDS;
}

/* Never blocks: without room, nothing is sent, and a later tick asks again. */
static void send_check(struct task *t, enum argument_check_kind kind,
                       const struct argument_check *q)
{
    struct peer *p = peer_get(t, q->other);
    size_t count = words_of(q);
    hn_info info = {.from = t->tid, .tag = (int)kind, .type = HN_UINT64, .count = count};

    if (!p || p->failed || t->quitting ||
        t->match.outgoing + count * sizeof(uint64_t) > t->limits.outbox_limit)
        return;

    uint64_t *words = malloc(count * sizeof *words);
    if (!words)
        return;
    words[0] = q->context;
    words[1] = (uint64_t)q->tag;
    memcpy(words + FIXED, q->words, sizeof q->words);
    if (q->count > 0)
        words[WORDS] = q->whole;
    for (int i = 0; i < q->count; i++)
        words[LIST + i] = (uint64_t)q->tids[i];
    if (link_send_copy(&p->link, &info, match_argument_checks(q->context), words) == HN_OK)
        peer_flush(p);
    free(words);
}

/* ---- asking ------------------------------------------------------------------------------- */

/* A receive is asked about at ages 2, 4, 8, ... ticks, so a long wait costs few questions. */
static bool is_power_of_two(unsigned n)
{
    return (n & (n - 1)) == 0;
}

/* Increments the age of a receive.  Returns whether to ask about it now. */
static bool grows_old(struct hn_request *r)
{
    r->ticks++;
    return r->ticks >= TICKS_LEAST && is_power_of_two(r->ticks);
}

/* Collects all receives first, because sending may fail others.  Records whether there are any. */
static void ask_all(struct task *t)
{
    struct argument_check asked[ASKED_MOST];
    int count = 0;

    t->match.waits = false;
    list_for_each (n, &t->match.posted) {
        struct hn_request *r = list_entry(n, struct hn_request, node);
        struct argument_check *q = &asked[count];
        if (count == ASKED_MOST)
            break;
        /* A receive from any sender has no single task to ask. */
        if (r->from <= 0 || r->from == t->tid || !orphans_is_operations(t, r->context))
            continue;
        t->match.waits = true;
        if (!grows_old(r))
            continue;
        *q = (struct argument_check){.other = r->from, .context = r->context, .tag = r->tag};
        count += t->argument_checks.argument_checker->ask(t->argument_checks.data, q);
    }
    for (int i = 0; i < count; i++)
        send_check(t, ARGUMENT_CHECK_QUESTION, &asked[i]);
}

/* Called at once after an operation has failed, because its remaining messages may fill the
 * inbox. */
void argument_check_sweep(void)
{
    struct task *t = task_get();

    if (!t)
        return;
    bool before = engine_hold_work(true); /* an activity may have ended an operation */
    engine_enter(&t->engine);
    if (t->argument_checks.argument_checker) {
        orphans_sweep(t);
        peer_resume(t);
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
}

/* ---- receiving ------------------------------------------------------------------------------ */

/* Decodes the words of a message.  The list, if there is one, has been copied to `tids`. */
static void take_words(const uint64_t *words, size_t count, hn_tid *tids, struct argument_check *q)
{
    q->context = (hn_context)words[0];
    q->tag = (int)words[1];
    memcpy(q->words, words + FIXED, sizeof q->words);
    if (count <= LIST)
        return;
    q->whole = (hn_context)words[WORDS];
    q->count = (int)(count - LIST);
    q->tids = tids;
    for (int i = 0; i < q->count; i++)
        tids[i] = (hn_tid)words[LIST + i];
}

/* Processes a question or an answer.  An answer is ignored if the message has arrived meanwhile:
 * its sender may have ended normally since, and another member may have caused what is missing. */
static void receive(struct task *t, enum argument_check_kind kind, struct argument_check *q)
{
    q->has_group = orphans_is_operations(t, q->context);
    q->freed = kind == ARGUMENT_CHECK_HAS_FREED;
    if (kind == ARGUMENT_CHECK_QUESTION && orphans_is_freed(t, q->context)) {
        q->count = 0;
        send_check(t, ARGUMENT_CHECK_HAS_FREED, q);
    } else if (kind == ARGUMENT_CHECK_QUESTION && t->argument_checks.argument_checker &&
               t->argument_checks.argument_checker->answer(t->argument_checks.data, q)) {
        q->count = 0;
        send_check(t, ARGUMENT_CHECK_ANSWER, q);
    } else if (kind != ARGUMENT_CHECK_QUESTION && t->argument_checks.argument_checker &&
               match_is_posted(&t->match, q->other, q->tag, q->context) &&
               t->argument_checks.argument_checker->receive(t->argument_checks.data, q)) {
        match_fail_receives(&t->match, q->other, q->tag, q->context, HN_EARG);
    }
}

/* Processes a message and frees it. */
static void take(struct task *t, struct inbound *in)
{
    enum argument_check_kind kind = (enum argument_check_kind)in->info.tag;
    struct argument_check q = {.other = in->info.from};
    hn_context context = in->context;
    size_t count = in->info.count;
    /* The message comes from another task, so its type, length and context are checked before it is
     * used. */
    bool good = in->info.type == HN_UINT64 && count >= WORDS && count < INT_MAX;
    uint64_t *words = good ? malloc(count * (sizeof *words + sizeof(hn_tid))) : NULL;

    good = words &&
           type_convert(in->data, HN_UINT64, in->big_endian, words, HN_UINT64, count) == HN_OK;
    match_drop_argument_check(&t->match, in);
    if (good)
        take_words(words, count, (hn_tid *)(words + count), &q);
    if (good && match_argument_checks(q.context) == context)
        receive(t, kind, &q);
    free(words);
}

/* Freed groups are known even without the room above. */
static bool has_work(const struct task *t)
{
    if (!t->argument_checks.argument_checker)
        return t->argument_checks.freed_count > 0 && !list_empty(&t->match.argument_checks);
    return t->match.waits || !list_empty(&t->match.argument_checks) || t->peers.paused;
}

static void on_tick(struct ev_loop *loop, ev_timer *w, int events)
{
    struct task *t = w->data;
    struct inbound *in;

    (void)events;
    while ((in = match_first_argument_check(&t->match, ARGUMENT_CHECK_QUESTION,
                                            ARGUMENT_CHECK_HAS_FREED)))
        take(t, in);
    if (t->argument_checks.argument_checker)
        ask_all(t);
    if (t->argument_checks.argument_checker && t->peers.paused) {
        orphans_sweep(t); /* the program may be in another operation by now */
        peer_resume(t);
    }
    if (!has_work(t))
        ev_timer_stop(loop, w);
}

/* ---- starting and ending -------------------------------------------------------------------- */

/* Without an agent there is only one task, and nothing to ask. */
int argument_check_start(const struct argument_checker *argument_checker, void *data)
{
    struct task *t = task_get();
    bool before;

    if (!t)
        return HN_ESTATE;
    before =
        engine_hold_work(true); /* the caller holds the lock under which group states are made */
    engine_enter(&t->engine);
    if (!t->argument_checks.argument_checker && t->agent.fd >= 0 && orphans_are_wanted()) {
        t->argument_checks.argument_checker = argument_checker;
        t->argument_checks.data = data;
        argument_check_look(t);
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
    return HN_OK;
}

/* Idempotent: starts the timer if there is something to do. */
void argument_check_look(struct task *t)
{
    if (!has_work(t) || ev_is_active(&t->argument_checks.tick))
        return;
    ev_timer_init(&t->argument_checks.tick, on_tick, tick, tick);
    t->argument_checks.tick.data = t;
    /* a full tick from now, not from the last iteration of the loop */
    ev_now_update(t->engine.loop);
    ev_timer_again(t->engine.loop, &t->argument_checks.tick);
    engine_changed(&t->engine);
}

/* The checker's functions are not called any more. */
void argument_check_stop(struct task *t)
{
    ev_timer_stop(t->engine.loop, &t->argument_checks.tick);
    t->argument_checks.argument_checker = NULL;
    t->argument_checks.freed_count = 0;
}
