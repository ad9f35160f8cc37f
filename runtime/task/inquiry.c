/* inquiry.c - asking about messages that do not come (rules: inquiry.h). */
#include "inquiry.h"

#include "task.h"
#include "type.h"

#include <stdlib.h>
#include <string.h>

static const double tick = 0.5;            /* seconds */
enum { ASKED_MOST = 64, TICKS_LEAST = 2 }; /* questions a tick; how old a receive must be */
enum { QUESTION, ANSWER, FREED };          /* tags */

/* A message: context, tag, and the words. */
enum { FIXED = 2, WORDS = FIXED + INQUIRY_WORDS };

/* ---- saying ------------------------------------------------------------------------------- */

/* Never waits: where there is no room, nothing is said, and it is asked again later. */
static void say(struct task *t, int kind, const struct inquiry *q)
{
    struct peer *p = peer_get(t, q->other);
    uint64_t words[WORDS] = {q->context, (uint64_t)q->tag};
    hn_info info = {.from = t->tid, .tag = kind, .type = HN_UINT64, .count = WORDS};

    memcpy(words + FIXED, q->words, sizeof q->words);
    if (!p || p->failed || t->quitting || t->match.outgoing + sizeof words > t->outbox_limit)
        return;
    if (link_send_copy(&p->link, &info, match_inquiries(q->context), words) == HN_OK)
        peer_flush(p);
}

/* ---- asking ------------------------------------------------------------------------------- */

static bool is_power_of_two(unsigned n)
{
    return (n & (n - 1)) == 0;
}

/* A receive has become older; whether it is to be asked about now. */
static bool grows_old(struct hn_request *r)
{
    r->ticks++;
    return r->ticks >= TICKS_LEAST && is_power_of_two(r->ticks);
}

static bool is_operations(const struct task *t, hn_context context)
{
    list_for_each (n, &t->groups) {
        const struct hn_group *group = list_entry(n, struct hn_group, node);
        if (context > group->context && context < match_inquiries(group->context))
            return true;
    }
    return false;
}

/* Saying may fail other receives, so all are found first.  Notes whether there are any. */
static void ask_all(struct task *t)
{
    struct inquiry asked[ASKED_MOST];
    int count = 0;

    t->match.waits = false;
    list_for_each (n, &t->match.posted) {
        struct hn_request *r = list_entry(n, struct hn_request, node);
        struct inquiry *q = &asked[count];
        if (count == ASKED_MOST)
            break;
        if (r->from <= 0 || r->from == t->tid || !is_operations(t, r->context))
            continue;
        t->match.waits = true;
        if (!grows_old(r))
            continue;
        *q = (struct inquiry){.other = r->from, .context = r->context, .tag = r->tag};
        count += t->inquirer->ask(q);
    }
    for (int i = 0; i < count; i++)
        say(t, QUESTION, &asked[i]);
}

/* ---- groups that have been freed ---------------------------------------------------------- */

/* HNOW_ASK=0: a job that hangs shall stay as it is. */
static bool is_wanted(void)
{
    const char *text = getenv("HNOW_ASK");

    return !text || strcmp(text, "0") != 0;
}

void inquiry_forget(struct task *t, hn_context context)
{
    if (context != 0 && is_wanted())
        t->freed[t->freed_count++ % INQUIRY_FREED] = context;
}

/* Whether operations in this context were those of a group that is gone. */
static bool is_freed(const struct task *t, hn_context context)
{
    hn_context group = context - context % CONTROL_STEP;

    for (unsigned i = 0; i < INQUIRY_FREED && i < t->freed_count; i++)
        if (t->freed[i] == group)
            return !is_operations(t, context);
    return false;
}

/* ---- what nobody receives ----------------------------------------------------------------- */

static bool is_for_nobody(const struct task *t, const struct inbound *in)
{
    return in->context % CONTROL_STEP != 0 &&
           (is_freed(t, in->context) || t->inquirer->is_for_nobody(in->context, in->info.tag));
}

/* So many looks does each message pay for that has come since the last sweep. */
enum { LOOKS = 8 };

static void sweep(struct task *t)
{
    uint64_t left = 0;

    list_for_each_safe (n, &t->match.unexpected) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (is_for_nobody(t, in))
            match_drop_unexpected(&t->match, in);
        else
            left++;
    }
    t->next_sweep = t->match.kept + left / LOOKS + 1;
}

void inquiry_make_room(struct task *t, bool last)
{
    if (t->inquirer && (last || t->match.kept >= t->next_sweep))
        sweep(t);
}

void inquiry_sweep(void)
{
    struct task *t = task_get();
    bool before;

    if (!t)
        return;
    before = engine_hold_work(true); /* an activity may have ended an operation */
    engine_enter(&t->engine);
    if (t->inquirer) {
        sweep(t);
        peer_resume(t);
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
}

/* ---- hearing ------------------------------------------------------------------------------ */

static bool take_apart(struct inbound *in, struct inquiry *q)
{
    uint64_t words[WORDS];

    if (in->info.type != HN_UINT64 || in->info.count != WORDS ||
        type_convert(in->data, HN_UINT64, in->big_endian, words, HN_UINT64, WORDS) != HN_OK)
        return false;
    *q = (struct inquiry){
        .other = in->info.from, .context = (hn_context)words[0], .tag = (int)words[1]};
    memcpy(q->words, words + FIXED, sizeof q->words);
    return match_inquiries(q->context) == in->context;
}

static void hear(struct task *t, int kind, struct inquiry *q)
{
    q->has_group = is_operations(t, q->context);
    q->freed = kind == FREED;
    if (kind == QUESTION && is_freed(t, q->context))
        say(t, FREED, q);
    else if (kind == QUESTION && t->inquirer && t->inquirer->answer(q))
        say(t, ANSWER, q);
    else if (kind != QUESTION && t->inquirer && t->inquirer->hear(q))
        match_fail_receives(&t->match, q->other, q->tag, q->context, HN_EARG);
}

/* Without the room above, what has been freed is known all the same. */
static bool has_work(const struct task *t)
{
    if (!t->inquirer)
        return t->freed_count > 0 && !list_empty(&t->match.inquiries);
    return t->match.waits || !list_empty(&t->match.inquiries) || t->peers.paused;
}

static void on_tick(struct ev_loop *loop, ev_timer *w, int events)
{
    struct task *t = w->data;
    struct inbound *in;

    (void)events;
    while ((in = match_first_inquiry(&t->match))) {
        struct inquiry q;
        int kind = in->info.tag;
        bool good = take_apart(in, &q);

        match_drop_inquiry(&t->match, in);
        if (good)
            hear(t, kind, &q);
    }
    if (t->inquirer)
        ask_all(t);
    if (t->inquirer && t->peers.paused) {
        sweep(t); /* the program may be in another operation by now */
        peer_resume(t);
    }
    if (!has_work(t))
        ev_timer_stop(loop, w);
}

/* ---- beginning and ending ----------------------------------------------------------------- */

int inquiry_start(const struct inquirer *inquirer)
{
    struct task *t = task_get();
    bool before;

    if (!t)
        return HN_ESTATE;
    before = engine_hold_work(true); /* who makes a team holds the lock of all teams */
    engine_enter(&t->engine);
    if (!t->inquirer && t->agent.fd >= 0 && is_wanted()) {
        t->inquirer = inquirer;
        inquiry_look(t);
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
    return HN_OK;
}

void inquiry_look(struct task *t)
{
    if (!has_work(t) || ev_is_active(&t->tick))
        return;
    ev_timer_init(&t->tick, on_tick, tick, tick);
    t->tick.data = t;
    ev_now_update(t->engine.loop); /* a full tick, not one from when the loop has turned last */
    ev_timer_again(t->engine.loop, &t->tick);
    engine_changed(&t->engine);
}

void inquiry_stop(struct task *t)
{
    ev_timer_stop(t->engine.loop, &t->tick);
    t->inquirer = NULL;
    t->freed_count = 0;
}
