/* subset.c - contexts for lists of members, and giving them up (rules: subset.h).
 *
 * All of it is done with the engine's lock, by calls or as messages come.  Messages are HN_UINT32
 * in the context of the group's inquiries (inquiry.h), but for the answer to a question, which a
 * receive waits for: it fails like that of any operation when a member is lost.
 */
#include "job/subset.h"

#include "base/error.h"
#include "job/group.h"
#include "job/task.h"
#include "base/type.h"
#include "job/orphans.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subset {
    struct list_node by_list, by_context; /* in their buckets */
    struct list_node used;                /* on subsets.used, until it has ended */
    struct hn_group *group;               /* NULL: the caller has not used it yet */
    hn_context whole, context;            /* of the group, and its own */
    hn_tid *tids;
    int size;
    unsigned users; /* calls that hold it */
    unsigned begun; /* calls so far, as of the last release */
    bool limited;   /* calls from `last` on are in another one, unless the root says no */
    unsigned last;
    bool over;      /* `last` calls are all */
    bool replaced;  /* no call begins in it any more */
    bool requested; /* the root has been asked to give it up */

    /* At the root: */
    bool wanted; /* some member wants to give it up */
    bool closing;
    unsigned round, votes; /* of CLOSE; votes that are missing */
    bool *told;            /* [member] it knows the context */
    int untold;            /* members that do not */
};

enum { ANSWER_ERROR, ANSWER_CONTEXT, ANSWER_WORDS };
enum answer_error { ANSWER_FREED = 1, ANSWER_BAD };

/* Of a question, before the list. */
enum { REPLY, PROPOSED, QUESTION_WORDS };
/* Of what the root tells, before the list; of the other messages. */
enum { CONTEXT, TELL_WORDS, NUMBER = TELL_WORDS, ROUND = NUMBER, LAST, YES = LAST, WORDS };

/* In the context of a group's operations that no operation uses. */
static hn_context answers_of(hn_context whole)
{
    return whole + 2;
}

/* ---- finding ------------------------------------------------------------------------------ */

static struct list_node *bucket_of(struct task *t, hn_context whole, const hn_tid *tids, int n)
{
    uint32_t hash = 2166136261u ^ whole; /* FNV-1a */
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)tids[i]) * 16777619u;
    return &t->subsets.by_list[(hash ^ hash >> 16) % SUBSET_BUCKETS];
}

static struct list_node *bucket_of_context(struct task *t, hn_context context)
{
    return &t->subsets.by_context[context / CONTROL_STEP % SUBSET_BUCKETS];
}

static bool is_of(const struct subset *s, hn_context whole, const hn_tid *tids, int n)
{
    return s->whole == whole && s->size == n &&
           memcmp(s->tids, tids, (size_t)n * sizeof *tids) == 0;
}

/* In which calls begin: the oldest; `but` is none.  NULL: none is known. */
static struct subset *find_current(struct task *t, hn_context whole, const hn_tid *tids, int n,
                                   const struct subset *but)
{
    list_for_each (node, bucket_of(t, whole, tids, n)) {
        struct subset *s = list_entry(node, struct subset, by_list);
        if (s != but && !s->replaced && is_of(s, whole, tids, n))
            return s;
    }
    return NULL;
}

static struct subset *find_context(struct task *t, hn_context context)
{
    list_for_each (node, bucket_of_context(t, context)) {
        struct subset *s = list_entry(node, struct subset, by_context);
        if (s->context == context)
            return s;
    }
    return NULL;
}

static int place_in(const hn_tid *tids, int n, hn_tid tid)
{
    for (int i = 0; i < n; i++)
        if (tids[i] == tid)
            return i;
    return -1;
}

static bool is_root(const struct task *t, const struct subset *s)
{
    return s->tids[0] == t->tid;
}

/* ---- making and freeing ------------------------------------------------------------------- */

static void leave_used(struct task *t, struct subset *s)
{
    if (!list_empty(&s->used))
        t->subsets.count--;
    list_remove(&s->used);
}

/* What has come for its group and nobody has received belongs to calls that have failed here. */
static void free_group(struct task *t, struct subset *s)
{
    if (!s->group)
        return;
    list_for_each_safe (n, &t->match.unexpected) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (in->context - s->context < CONTROL_STEP)
            match_drop_unexpected(&t->match, in);
    }
    group_clear(s->group);
    free(s->group);
}

static void free_subset(struct task *t, struct subset *s)
{
    leave_used(t, s);
    free_group(t, s);
    list_remove(&s->by_list);
    list_remove(&s->by_context);
    free(s->tids);
    free(s->told);
    free(s);
}

static struct subset *new_subset(struct task *t, hn_context whole, const hn_tid *tids, int n,
                                 hn_context context)
{
    struct subset *s = calloc(1, sizeof *s);
    size_t size = (size_t)n * sizeof *tids;
    if (!s)
        return NULL;
    list_init(&s->by_list);
    list_init(&s->by_context);
    list_init(&s->used);
    s->whole = whole;
    s->context = context;
    s->size = n;
    s->tids = malloc(size);
    s->told = calloc((size_t)n, sizeof *s->told);
    if (!s->tids || !s->told) {
        free_subset(t, s);
        return NULL;
    }
    memcpy(s->tids, tids, size);
    s->told[0] = true;
    s->untold = n - 1;
    list_append(bucket_of(t, whole, tids, n), &s->by_list);
    list_append(bucket_of_context(t, context), &s->by_context);
    list_append(&t->subsets.used, &s->used);
    t->subsets.count++;
    return s;
}

/* Frees it when no call needs it any more. */
static void settle(struct task *t, struct subset *s)
{
    bool done = s->replaced || (s->over && s->begun >= s->last);
    if (s->over)
        leave_used(t, s);
    if (s->users == 0 && done)
        free_subset(t, s);
}

static void touch(struct task *t, struct subset *s)
{
    if (list_empty(&s->used))
        return;
    list_remove(&s->used);
    list_append(&t->subsets.used, &s->used);
}

/* ---- saying ------------------------------------------------------------------------------- */

static int say_in(struct task *t, hn_tid to, hn_context context, int tag, const uint32_t *words,
                  size_t count)
{
    struct peer *p = peer_get(t, to);
    hn_info info = {.from = t->tid, .tag = tag, .type = HN_UINT32, .count = count};
    if (!p)
        return HN_ENOMEM;
    if (p->failed || t->quitting || t->subsets.left)
        return HN_OK; /* who waits for what is not sent hears of the end */
    int error = link_send_copy(&p->link, &info, context, words);
    if (!error)
        peer_flush(p);
    return error;
}

static void say(struct task *t, hn_tid to, int kind, const struct subset *s, unsigned number,
                unsigned last)
{
    uint32_t words[WORDS] = {s->context, number, last};
    say_in(t, to, match_inquiries(s->whole), kind, words, WORDS);
}

static void say_answer(struct task *t, hn_tid to, hn_context whole, uint32_t reply, uint32_t error,
                       hn_context context)
{
    const uint32_t words[ANSWER_WORDS] = {error, context};
    say_in(t, to, answers_of(whole), (int)reply, words, ANSWER_WORDS);
}

/* `before` words and the list; NULL: no memory. */
static uint32_t *words_before(int before, const hn_tid *tids, int n)
{
    uint32_t *words = malloc(((size_t)before + (size_t)n) * sizeof *words);
    if (words)
        memcpy(words + before, tids, (size_t)n * sizeof *tids);
    return words;
}

/* At the root's first call. */
static int tell_all(struct task *t, struct subset *s)
{
    uint32_t *words = words_before(TELL_WORDS, s->tids, s->size);
    int error = words ? HN_OK : HN_ENOMEM;
    if (words)
        words[CONTEXT] = s->context;
    for (int i = 1; i < s->size && !error; i++) {
        if (s->told[i])
            continue;
        error = say_in(t, s->tids[i], match_inquiries(s->whole), SUBSET_TELL, words,
                       TELL_WORDS + (size_t)s->size);
        s->told[i] = !error;
        s->untold -= !error;
    }
    free(words);
    return error ? error_set(error, "out of memory") : HN_OK;
}

/* ---- giving up ---------------------------------------------------------------------------- */

static void close_subset(struct task *t, struct subset *s)
{
    s->closing = false;
    s->over = s->replaced = true;
    for (int i = 1; i < s->size; i++)
        if (s->told[i])
            say(t, s->tids[i], SUBSET_END, s, s->last, 0);
    settle(t, s);
}

/* Who has ended does not vote. */
static bool is_there(struct task *t, hn_tid tid)
{
    const struct peer *p = peer_get(t, tid);
    return p && !p->failed;
}

static void begin_closing(struct task *t, struct subset *s)
{
    s->closing = true;
    s->round++;
    s->votes = 0;
    s->last = s->begun;
    for (int i = 1; i < s->size; i++)
        s->votes += s->told[i] && is_there(t, s->tids[i]);
    for (int i = 1; i < s->size; i++)
        if (s->told[i])
            say(t, s->tids[i], SUBSET_CLOSE, s, s->round, s->last);
    if (s->votes == 0)
        close_subset(t, s);
}

static void keep(struct task *t, struct subset *s)
{
    s->closing = false;
    touch(t, s);
}

static bool is_leaving(const struct subset *s)
{
    return s->closing || s->requested;
}

static void give_up(struct task *t, struct subset *s)
{
    if (is_root(t, s)) {
        begin_closing(t, s);
        return;
    }
    s->requested = true;
    say(t, s->tids[0], SUBSET_REQUEST, s, 0, 0);
}

/* A subset has been made: as many others as are too much go.  Where the roots of all that could go
 * have been asked already, they are asked again next time. */
static void make_room(struct task *t, const struct subset *made)
{
    int excess = t->subsets.count - SUBSETS_KEPT;
    list_for_each_safe (n, &t->subsets.used) {
        struct subset *s = list_entry(n, struct subset, used);
        if (excess <= 0)
            return;
        if (s == made || (s->users > 0 && !is_leaving(s)))
            continue;
        if (!is_leaving(s))
            give_up(t, s);
        excess--;
    }
    list_for_each (n, &t->subsets.used)
        list_entry(n, struct subset, used)->requested = false;
}

/* ---- hearing ------------------------------------------------------------------------------ */

static bool is_possible(hn_context context)
{
    return context % CONTROL_STEP == 0 && context >= CONTROL_CONTEXT_FIRST &&
           context < CONTROL_CONTEXT_END;
}

/* The context of a list for a member that asks; 0, and *error: there is none. */
static hn_context answer_to(struct task *t, hn_context whole, const hn_tid *tids, int n,
                            hn_tid from, hn_context proposed, uint32_t *error)
{
    int member = place_in(tids, n, from);
    *error = ANSWER_BAD;
    if (tids[0] != t->tid || member < 1 || !is_possible(proposed))
        return 0;
    *error = ANSWER_FREED;
    if (orphans_group_is_freed(t, whole))
        return 0;
    *error = ANSWER_BAD;
    struct subset *s = find_current(t, whole, tids, n, NULL);
    bool made = !s;
    if (!s)
        s = new_subset(t, whole, tids, n, proposed);
    if (!s)
        return 0;
    s->untold -= !s->told[member];
    s->told[member] = true;
    keep(t, s);
    if (made)
        make_room(t, s);
    *error = 0;
    return s->context;
}

static void hear_question(struct task *t, const hn_info *info, hn_context whole, uint32_t *words)
{
    if (info->count <= QUESTION_WORDS || info->count > INT_MAX)
        return;
    int n = (int)info->count - QUESTION_WORDS;
    uint32_t error;
    hn_context context = answer_to(t, whole, (hn_tid *)(words + QUESTION_WORDS), n, info->from,
                                   words[PROPOSED], &error);
    say_answer(t, info->from, whole, words[REPLY], error, context);
}

static void hear_tell(struct task *t, const hn_info *info, hn_context whole, uint32_t *words)
{
    if (info->count <= TELL_WORDS || info->count > INT_MAX || !is_possible(words[CONTEXT]))
        return;
    int n = (int)info->count - TELL_WORDS;
    hn_tid *tids = (hn_tid *)(words + TELL_WORDS);
    bool mine = tids[0] == info->from && place_in(tids, n, t->tid) > 0;
    if (!mine || orphans_group_is_freed(t, whole) || find_context(t, words[CONTEXT]))
        return;
    struct subset *s = new_subset(t, whole, tids, n, words[CONTEXT]);
    if (s)
        make_room(t, s);
}

static void hear_close(struct task *t, hn_tid root, struct subset *s, const uint32_t *words)
{
    bool yes = s->users == 0 && s->begun <= words[LAST];
    if (yes) {
        s->limited = true;
        s->last = words[LAST];
    }
    say(t, root, SUBSET_VOTE, s, words[ROUND], yes);
}

static void hear_vote(struct task *t, struct subset *s, const uint32_t *words)
{
    if (!s->closing || words[ROUND] != s->round)
        return;
    if (!words[YES])
        keep(t, s);
    else if (--s->votes == 0)
        close_subset(t, s);
}

static void hear_end(struct task *t, struct subset *s, unsigned last)
{
    s->over = s->limited = true;
    s->last = last;
    settle(t, s);
}

static void hear_request(struct task *t, struct subset *s)
{
    s->wanted = true;
    if (s->users == 0 && !s->closing && !s->over)
        begin_closing(t, s);
}

/* There was no memory for it. */
static void refuse_close(struct task *t, const hn_info *info, hn_context whole,
                         const uint32_t *words)
{
    uint32_t vote[WORDS] = {words[CONTEXT], words[ROUND], false};
    say_in(t, info->from, match_inquiries(whole), SUBSET_VOTE, vote, WORDS);
}

static void hear(struct task *t, const hn_info *info, hn_context whole, uint32_t *words)
{
    if (info->tag == SUBSET_QUESTION)
        hear_question(t, info, whole, words);
    if (info->tag == SUBSET_TELL)
        hear_tell(t, info, whole, words);
    if (info->count != WORDS || info->tag == SUBSET_QUESTION || info->tag == SUBSET_TELL)
        return;
    struct subset *s = find_context(t, words[CONTEXT]);
    bool member = s && place_in(s->tids, s->size, info->from) >= 0;
    bool from_root = member && s->tids[0] == info->from, to_root = member && is_root(t, s);
    if (info->tag == SUBSET_CLOSE && !s)
        refuse_close(t, info, whole, words);
    else if (info->tag == SUBSET_CLOSE && from_root)
        hear_close(t, info->from, s, words);
    else if (info->tag == SUBSET_END && from_root)
        hear_end(t, s, words[NUMBER]);
    else if (info->tag == SUBSET_VOTE && to_root)
        hear_vote(t, s, words);
    else if (info->tag == SUBSET_REQUEST && to_root)
        hear_request(t, s);
}

void subset_look(struct task *t)
{
    struct inbound *in;
    while ((in = match_first_inquiry(&t->match, SUBSET_QUESTION, SUBSET_END))) {
        hn_info info = in->info;
        hn_context whole = in->context - in->context % CONTROL_STEP;
        uint32_t *words = malloc(info.count * sizeof *words + 1);
        bool good = words && type_compatible(info.type, HN_UINT32) &&
                    type_convert(in->data, info.type, in->big_endian, words, HN_UINT32,
                                 info.count) == HN_OK;
        match_drop_inquiry(&t->match, in);
        if (good)
            hear(t, &info, whole, words);
        free(words);
    }
}

/* ---- calls -------------------------------------------------------------------------------- */

static hn_context take_spare(struct task *t)
{
    lock_enter(&t->engine.lock);
    hn_context spare = t->subsets.spare;
    t->subsets.spare = 0;
    lock_leave(&t->engine.lock);
    return spare;
}

static int post_question(struct task *t, hn_context whole, const hn_tid *tids, int n,
                         hn_context proposed, int *reply)
{
    uint32_t *words = words_before(QUESTION_WORDS, tids, n);
    if (!words)
        return error_set(HN_ENOMEM, "out of memory");
    engine_enter(&t->engine);
    *reply = (int)(t->subsets.replies++ & INT_MAX); /* one is under way in each thread at most */
    words[REPLY] = (uint32_t)*reply;
    words[PROPOSED] = proposed;
    int error = say_in(t, tids[0], match_inquiries(whole), SUBSET_QUESTION, words,
                       QUESTION_WORDS + (size_t)n);
    engine_leave(&t->engine, true);
    free(words);
    return error ? error_set(error, "out of memory") : HN_OK;
}

static int explain_refusal(uint32_t error, hn_tid root)
{
    const char *host = hn_host_of(root);
    if (error == ANSWER_FREED)
        return error_set(HN_EARG, "task %d on host %s has freed its group", root,
                         host ? host : "?");
    return error_set(HN_EPROTO, "task %d on host %s cannot take the list", root, host ? host : "?");
}

/* What the root says of the list: its context.  Meanwhile it may have told by itself. */
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
    hn_context before = hn_set_context(answers_of(whole->context));
    error = hn_recv(tids[0], reply, words, ANSWER_WORDS, HN_UINT32, NULL);
    hn_set_context(before);
    if (!error && words[ANSWER_ERROR])
        error = explain_refusal(words[ANSWER_ERROR], tids[0]);
    *context = error ? 0 : words[ANSWER_CONTEXT];
    if (!error && *context != proposed) {
        lock_enter(&t->engine.lock);
        t->subsets.spare = proposed;
        lock_leave(&t->engine.lock);
    }
    return error;
}

/* With the lock: as a caller that may wait, it sees what has come. */
static int hold(struct task *t, const hn_group *whole, struct subset *s)
{
    bool first = s && !s->group;
    if (first)
        s->group = group_make_subset(t, whole, s->tids, s->size, s->context);
    if (!s || !s->group)
        return error_set(HN_ENOMEM, "out of memory");
    int error = is_root(t, s) && s->untold > 0 ? tell_all(t, s) : HN_OK;
    if (error)
        return error;
    s->users++;
    s->requested = false;
    keep(t, s);
    if (first)
        make_room(t, s);
    return HN_OK;
}

/* One that the root has told of, or that has been found before; *held NULL: there is none. */
static int hold_known(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
                      struct subset **held)
{
    engine_enter(&t->engine);
    subset_look(t);
    *held = find_current(t, whole->context, tids, n, NULL);
    int error = *held ? hold(t, whole, *held) : HN_OK;
    engine_leave(&t->engine, true);
    return error;
}

/* With this context, unless an older one of the same list is known by now. */
static int hold_new(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
                    hn_context context, struct subset **held)
{
    engine_enter(&t->engine);
    subset_look(t);
    if (!find_context(t, context) && !find_current(t, whole->context, tids, n, NULL))
        new_subset(t, whole->context, tids, n, context);
    *held = find_current(t, whole->context, tids, n, NULL);
    int error = hold(t, whole, *held);
    engine_leave(&t->engine, true);
    return error;
}

/* None is known: the root takes a context, a member asks the root. */
static int begin(struct task *t, const hn_group *whole, const hn_tid *tids, int n,
                 struct subset **held)
{
    hn_context context;
    bool root = tids[0] == t->tid;
    int error = root ? hn_context_new(&context) : ask(t, whole, tids, n, &context);
    if (!error)
        return hold_new(t, whole, tids, n, context, held);
    /* The root may have told and left. */
    char text[ERROR_TEXT];
    snprintf(text, sizeof text, "%s", hn_error_text());
    int known = root ? HN_OK : hold_known(t, whole, tids, n, held);
    return known || *held ? known : error_set(error, "%s", text);
}

int subset_hold(const hn_group *whole, const hn_tid *tids, int n, struct subset **held)
{
    struct task *t = task_get();
    if (!t)
        return HN_ESTATE;
    lock_enter(&t->engine.lock);
    struct subset *s = find_current(t, whole->context, tids, n, NULL);
    bool ready = s && s->group && (!is_root(t, s) || s->untold == 0);
    if (ready) {
        s->users++;
        s->requested = false;
        keep(t, s);
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

/* With the lock: whether the number is one of its calls as far as is known here. */
static bool is_within(const struct task *t, const struct subset *s, unsigned number)
{
    return is_root(t, s) || !s->limited || number < s->last;
}

/* The root has answered with this context: the same one goes on, or another one begins. */
static int follow(struct task *t, struct subset *s, hn_context context, bool *has)
{
    engine_enter(&t->engine);
    subset_look(t);
    *has = context == s->context;
    bool missing = !*has && !find_context(t, context);
    struct subset *made = missing ? new_subset(t, s->whole, s->tids, s->size, context) : NULL;
    s->replaced = !*has;
    if (*has)
        s->limited = false;
    engine_leave(&t->engine, true);
    return missing && !made ? error_set(HN_ENOMEM, "out of memory") : HN_OK;
}

int subset_has_call(const hn_group *whole, struct subset *s, unsigned number, bool *has)
{
    struct task *t = task_get();
    hn_context context;
    if (!t)
        return HN_ESTATE;
    lock_enter(&t->engine.lock);
    *has = is_within(t, s, number);
    bool next = !*has && find_current(t, s->whole, s->tids, s->size, s);
    s->replaced |= next;
    lock_leave(&t->engine.lock);
    if (*has || next)
        return HN_OK;
    int error = ask(t, whole, s->tids, s->size, &context);
    return error ? error : follow(t, s, context, has);
}

void subset_release(struct subset *s, unsigned begun)
{
    struct task *t = task_get();
    if (!t)
        return; /* the task has left: subsets_clear() frees all */
    engine_enter(&t->engine);
    s->begun = begun;
    s->users--;
    bool closes = s->users == 0 && s->wanted && is_root(t, s) && !s->closing;
    if (closes)
        begin_closing(t, s);
    else
        settle(t, s);
    engine_leave(&t->engine, closes);
}

/* ---- the end ------------------------------------------------------------------------------ */

void subset_forget(struct task *t, const struct hn_group *whole)
{
    for (int i = 0; i < SUBSET_BUCKETS; i++)
        list_for_each_safe (n, &t->subsets.by_list[i]) {
            struct subset *s = list_entry(n, struct subset, by_list);
            if (s->whole != whole->context)
                continue;
            if (s->group)
                orphans_forget_group(t, s->context);
            free_subset(t, s);
        }
}

void subsets_init(struct subsets *subsets)
{
    for (int i = 0; i < SUBSET_BUCKETS; i++) {
        list_init(&subsets->by_list[i]);
        list_init(&subsets->by_context[i]);
    }
    list_init(&subsets->used);
}

void subsets_clear(struct task *t)
{
    for (int i = 0; i < SUBSET_BUCKETS; i++)
        list_for_each_safe (n, &t->subsets.by_list[i])
            free_subset(t, list_entry(n, struct subset, by_list));
}
