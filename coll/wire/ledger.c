/* ledger.c - operations by number (ledger.h).
 *
 * A ring of entries for those that come once, and one for lasting ones, of which nobody can say
 * that they have ended.  What has left the ring has ended, too, unless more were under way at once
 * than it holds.  One lock guards all ledgers; nothing is called with it.
 */
#include "ledger.h"

#include "error.h"
#include "inquiry.h"
#include "loss.h"
#include "list.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ONCE = 128, LASTING = 128 };

struct ring {
    struct ledger_entry *entries;
    unsigned size;
    unsigned begun; /* so far */
};

struct ledger {
    struct list_node node;      /* on `ledgers` */
    hn_context context, parent; /* parent: of operations of what was split for it; 0: none */
    unsigned mark;
    struct ledger_list list;
    bool orphan; /* nobody has opened it: a stray's */
    struct ring once, lasting;
    struct ledger_entry entries[ONCE + LASTING];
    bool crowded; /* an operation was under way when its entry was needed for another */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_node ledgers = {&ledgers, &ledgers};

/* ---- tags --------------------------------------------------------------------------------------
 *
 * Of all members: lasting (1 bit), kind (5), root and plan (7), number (18).  Of some: their mark
 * (15), lasting (1), number (15).
 */

enum { NUMBER_BITS = 18, ROOT_BITS = 7, KIND_BITS = 5, LASTING_BIT = 1 << 30 };
enum { ROOT_MASK = ((1 << ROOT_BITS) - 1) << NUMBER_BITS };
enum { MARKED_LASTING = 0x8000, MARKED_NUMBERS = 0x7fff };

static unsigned numbers(const struct ledger *ledger)
{
    return ledger->mark ? MARKED_NUMBERS : (1u << NUMBER_BITS) - 1;
}

unsigned ledger_number(const struct ledger *ledger, int tag)
{
    return (unsigned)tag & numbers(ledger);
}

static bool is_lasting(const struct ledger *ledger, int tag)
{
    return tag & (ledger->mark ? MARKED_LASTING : LASTING_BIT);
}

static int make_tag(const struct ledger *ledger, bool lasting, int kind, int root, unsigned number)
{
    number &= numbers(ledger);
    if (ledger->mark)
        return (int)(ledger->mark << 16 | (lasting ? MARKED_LASTING : 0u) | number);
    unsigned roots = (unsigned)root % (1u << ROOT_BITS);
    unsigned what = (unsigned)kind << ROOT_BITS | roots;
    return (int)((lasting ? (unsigned)LASTING_BIT : 0u) | what << NUMBER_BITS | number);
}

/* ---- finding -----------------------------------------------------------------------------------
 */

static struct ledger *find(hn_context context, int tag)
{
    list_for_each (n, &ledgers) {
        struct ledger *ledger = list_entry(n, struct ledger, node);
        if (ledger->context == context && (!ledger->mark || ledger->mark == (unsigned)tag >> 16))
            return ledger;
    }
    return NULL;
}

static struct ring *ring_of(struct ledger *ledger, int tag)
{
    return is_lasting(ledger, tag) ? &ledger->lasting : &ledger->once;
}

static struct ledger_entry *place_of(struct ledger *ledger, int tag)
{
    struct ring *ring = ring_of(ledger, tag);
    return &ring->entries[ledger_number(ledger, tag) % ring->size];
}

/* The entry of an operation; NULL: it has left the ring, or is not there yet. */
static struct ledger_entry *entry_of(struct ledger *ledger, int tag)
{
    struct ledger_entry *e = place_of(ledger, tag);
    return e->tag == tag ? e : NULL;
}

/* Whether an operation of this number has begun here. */
static bool has_begun(struct ledger *ledger, int tag)
{
    const struct ring *ring = ring_of(ledger, tag);
    unsigned last = ring->begun - 1;
    unsigned behind = (last - ledger_number(ledger, tag)) & numbers(ledger);
    return ring->begun > 0 && behind <= numbers(ledger) / 2;
}

/* What members ask and answer (inquiry.h).  The words of an answer: what is known of the operation;
 * its kind and root; and its plan, or 0, or the error.  Of a question: whose operation it is, where
 * it is one of some members; and the plan.
 */
enum { KNOWN, KIND, ROOT, PLAN };
enum { MEMBERS, COUNT };
enum {
    OTHER_SHIFT = 8
}; /* what is known, and whose mistake it was, where that is another member */

/* ---- beginning and ending ----------------------------------------------------------------------
 *
 * With the lock.
 */

static struct ledger_entry *begin(struct ledger *ledger, bool lasting, int kind, int root, int *tag)
{
    struct ring *ring = lasting ? &ledger->lasting : &ledger->once;
    *tag = make_tag(ledger, lasting, kind, root, ring->begun);
    struct ledger_entry *e = place_of(ledger, *tag);
    ledger->crowded |= ring->begun >= ring->size && !lasting && !e->ended;
    ring->begun++;
    atomic_store_explicit(&e->tag, *tag, memory_order_relaxed);
    atomic_store_explicit(&e->plan, 0, memory_order_relaxed);
    atomic_store_explicit(&e->ended, false, memory_order_relaxed);
    atomic_store_explicit(&e->error, HN_OK, memory_order_relaxed);
    e->kind = kind;
    e->root = root;
    e->dispute = (struct dispute){0};
    return e;
}

static void end(struct ledger_entry *entry, int error)
{
    atomic_store_explicit(&entry->error, error, memory_order_relaxed);
    atomic_store_explicit(&entry->ended, true, memory_order_release);
}

static struct ledger *new_ledger(hn_context context, unsigned mark)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (!ledger)
        return NULL;
    ledger->context = context;
    ledger->mark = mark;
    ledger->once = (struct ring){.entries = ledger->entries, .size = ONCE};
    ledger->lasting = (struct ring){.entries = ledger->entries + ONCE, .size = LASTING};
    for (int i = 0; i < ONCE + LASTING; i++)
        ledger->entries[i].tag = -1;
    list_append(&ledgers, &ledger->node);
    return ledger;
}

static void free_ledger(struct ledger *ledger)
{
    list_remove(&ledger->node);
    free(ledger);
}

/* ---- lists that are wrong ----------------------------------------------------------------------
 */

enum { STRAYS = 64, FREED = 256 };

/* The last calls of which no list is known yet. */
struct stray {
    hn_context context; /* 0: none */
    bool lasting;
    struct ledger_list list;
    int error;
};
static struct stray strays[STRAYS];
static unsigned strays_noted;

uint64_t ledger_member(hn_tid member)
{
    return UINT64_C(1) << ((uint32_t)member * UINT32_C(2654435769) >> 26);
}

void ledger_stray(hn_context context, bool lasting, const struct ledger_list *list, int error)
{
    pthread_mutex_lock(&lock);
    strays[strays_noted++ % STRAYS] = (struct stray){context, lasting, *list, error};
    pthread_mutex_unlock(&lock);
}

/* Whether what is known of one list fits another.  A member that has forgotten itself names one
 * less. */
static bool may_be(const struct ledger_list *meant, const struct ledger_list *list)
{
    return (!meant->root || meant->root == list->root) &&
           (!meant->count || meant->count == list->count || meant->count + 1 == list->count) &&
           !(meant->members & ~list->members);
}

/* The oldest that may have been one to this list. */
static struct stray *find_stray(hn_context context, bool lasting, const struct ledger_list *list)
{
    for (unsigned i = 0; i < STRAYS; i++) {
        struct stray *s = &strays[(strays_noted + i) % STRAYS];
        if (s->context == context && s->lasting == lasting && may_be(&s->list, list))
            return s;
    }
    return NULL;
}

/* It was the next one in this ledger, and has ended. */
static void claim(struct ledger *ledger, struct stray *stray)
{
    int tag;
    end(begin(ledger, stray->lasting, OP_BCAST, 0, &tag), stray->error);
    stray->context = 0;
}

/* What is asked about has not begun here: if it is the next one, it may have been a stray. In the
 * ledger of its list (NULL: there is none yet). */
static struct ledger *look_for_stray(struct ledger *ledger, const struct inquiry *q)
{
    struct ledger_list list = {.root = (hn_tid)q->words[ROOT],
                               .count = (int)q->words[COUNT],
                               .members = q->words[MEMBERS]};
    struct stray *s = find_stray(q->context, q->tag & MARKED_LASTING, &list);
    if (!s)
        return ledger;
    if (!ledger) {
        ledger = new_ledger(q->context, (unsigned)q->tag >> 16);
        if (!ledger)
            return NULL;
        ledger->orphan = true;
    }
    if (ledger_number(ledger, q->tag) == (ring_of(ledger, q->tag)->begun & numbers(ledger)))
        claim(ledger, s);
    return ledger;
}

/* A group of which there is no ledger any more. */
static hn_context freed[FREED];
static unsigned freed_count;

static bool is_freed(hn_context context)
{
    for (int i = 0; i < FREED; i++)
        if (context && freed[i] == context)
            return true;
    return false;
}

void ledger_forget(hn_context context)
{
    pthread_mutex_lock(&lock);
    freed[freed_count++ % FREED] = context;
    for (int i = 0; i < STRAYS; i++)
        strays[i].context = strays[i].context == context ? 0 : strays[i].context;
    list_for_each_safe (n, &ledgers) {
        struct ledger *ledger = list_entry(n, struct ledger, node);
        if (ledger->context == context && ledger->orphan)
            free_ledger(ledger);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- asking (inquiry.h) ------------------------------------------------------------------------
 */

static bool ask(struct inquiry *q)
{
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(q->context, q->tag);
    const struct ledger_entry *e = ledger ? entry_of(ledger, q->tag) : NULL;
    q->words[PLAN] = e ? e->plan : 0;
    q->words[MEMBERS] = ledger ? ledger->list.members : 0;
    q->words[COUNT] = ledger ? (uint64_t)ledger->list.count : 0;
    q->words[ROOT] = ledger ? (uint64_t)ledger->list.root : 0;
    pthread_mutex_unlock(&lock);
    return ledger;
}

static void tell(struct inquiry *q, const struct ledger_entry *e)
{
    int error = e->ended ? e->error : HN_OK;
    q->words[KNOWN] = error ? IS_FAILED : e->ended ? IS_ENDED : IS_KNOWN;
    q->words[KNOWN] |= error ? (uint64_t)e->dispute.other << OTHER_SHIFT : 0;
    q->words[KIND] = (uint64_t)e->kind;
    q->words[ROOT] = (uint64_t)e->root;
    q->words[PLAN] = error ? (uint64_t)error : e->plan;
}

/* For good: one that comes again and again does so only by a mistake in its making. */
static bool has_ended(const struct ledger_entry *e, bool lasting)
{
    return e->ended && (!lasting || e->error);
}

/* Whether what has begun under a number is not what a tag says.  As long as it has no plan, which
 * that is does not count. */
static bool is_another(const struct ledger *ledger, const struct ledger_entry *e, int tag)
{
    bool planned = e->plan; /* before its tag (ledger_planned()) */
    int differ = e->tag ^ tag;
    return ledger->mark || planned ? differ != 0 : (differ & ~ROOT_MASK) != 0;
}

/* Whether what is asked for never comes; then the words say why. */
static bool is_vain(struct ledger *ledger, struct inquiry *q)
{
    const struct ledger_entry *e = place_of(ledger, q->tag);
    bool lasting = is_lasting(ledger, q->tag);
    uint64_t plan = q->words[PLAN];
    if (!has_begun(ledger, q->tag))
        return false;
    if (ledger_number(ledger, e->tag) != ledger_number(ledger, q->tag)) {
        q->words[KNOWN] = IS_FORGOTTEN;
        return !lasting && !ledger->crowded;
    }
    tell(q, e);
    return is_another(ledger, e, q->tag) || (plan && e->plan && plan != e->plan) ||
           has_ended(e, lasting);
}

/* Whether nobody here will ever receive what has come with this tag. */
static bool is_for_nobody(hn_context context, int tag)
{
    struct inquiry q = {.context = context, .tag = tag};
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(context, tag);
    bool vain = ledger ? is_vain(ledger, &q) : is_freed(context);
    pthread_mutex_unlock(&lock);
    return vain;
}

static bool answer(struct inquiry *q)
{
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(q->context, q->tag);
    if (!ledger || !has_begun(ledger, q->tag))
        ledger = look_for_stray(ledger, q);
    bool vain = ledger ? is_vain(ledger, q) : is_freed(q->context);
    bool unknown = !ledger && !vain && !q->has_group;
    if (!ledger)
        q->words[KNOWN] = vain ? IS_FREED : IS_UNKNOWN;
    pthread_mutex_unlock(&lock);
    return vain || unknown;
}

/* Somebody does not know the group, or no more: for good, where what it was split from is broken,
 * and for that reason. */
static bool is_unborn(const struct ledger *ledger)
{
    return ledger->parent && loss_known(ledger->parent);
}

static struct dispute failed_there(const struct ledger_entry *e, hn_tid other, int error)
{
    return (struct dispute){
        .other = other, .known = IS_FAILED, .kind = e->kind, .root = e->root, .error = error};
}

/* What is known first stays: who has been told whose mistake it was does not hear it of others who
 * ended for it, too. */
static bool hear(const struct inquiry *q)
{
    enum ledger_known known = (enum ledger_known)(q->words[KNOWN] % (1 << OTHER_SHIFT));
    hn_tid other = (hn_tid)(q->words[KNOWN] >> OTHER_SHIFT);
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(q->context, q->tag);
    struct ledger_entry *e = ledger ? entry_of(ledger, q->tag) : NULL;
    bool unborn = ledger && (known == IS_UNKNOWN || known == IS_FREED) && is_unborn(ledger);
    bool vain = ledger && (known != IS_UNKNOWN || unborn);
    if (e && unborn)
        e->dispute = failed_there(e, q->other, HN_EDEAD);
    else if (e && vain && !e->dispute.other)
        e->dispute = (struct dispute){.other = other ? other : q->other,
                                      .known = known,
                                      .kind = (int)q->words[KIND],
                                      .root = (int)q->words[ROOT],
                                      .error = known == IS_FAILED ? (int)q->words[PLAN] : HN_OK};
    pthread_mutex_unlock(&lock);
    return vain;
}

void ledger_told(struct ledger *ledger, int tag, hn_tid other, int error)
{
    pthread_mutex_lock(&lock);
    struct ledger_entry *e = entry_of(ledger, tag);
    if (e && !e->dispute.other)
        e->dispute = failed_there(e, other, error);
    pthread_mutex_unlock(&lock);
}

static const struct inquirer inquirer = {ask, answer, hear, is_for_nobody};

/* ---- explaining --------------------------------------------------------------------------------
 */

static const char *kind_name(int kind)
{
    if (kind == KIND_NEIGHBOURS)
        return "an exchange between neighbours";
    enum operation op = (enum operation)(kind % KIND_ROUND);
    return kind < 0 || op >= OP_COUNT ? "?" : operation_name(op);
}

static bool has_root(int kind)
{
    return kind < OP_COUNT && operation_rooted((enum operation)kind);
}

static void say_what(int kind, int root, char *text, size_t room)
{
    if (has_root(kind))
        snprintf(text, room, "%s with root %d", kind_name(kind), root);
    else
        snprintf(text, room, "%s%s", kind_name(kind),
                 kind >= KIND_ROUND && kind < KIND_NEIGHBOURS ? " of counts" : "");
}

hn_tid ledger_blamed(const struct ledger *ledger, int tag)
{
    pthread_mutex_lock(&lock);
    const struct ledger_entry *e = entry_of((struct ledger *)ledger, tag);
    hn_tid other = e ? e->dispute.other : 0;
    pthread_mutex_unlock(&lock);
    return other;
}

/* The operation has not become another one there, but will not go on. */
static int explain_end(const struct dispute *d, const char *host)
{
    switch (d->known) {
    case IS_FORGOTTEN:
        return error_set(HN_EARG,
                         "task %d on host %s has begun many operations since: the members do not "
                         "call the same ones",
                         d->other, host);
    case IS_FREED:
        return error_set(HN_EARG, "task %d on host %s has freed its group", d->other, host);
    case IS_FAILED:
        if (d->error == LEDGER_GIVEN_UP)
            return error_set(HN_EARG, "task %d on host %s has freed its request", d->other, host);
        return error_set(d->error == HN_EDEAD ? HN_EDEAD : HN_EARG,
                         "task %d on host %s has ended it with an error: %s", d->other, host,
                         hn_strerror(d->error));
    default:
        return error_set(HN_EARG,
                         "task %d on host %s %s the operation by another plan: its counts, or "
                         "operations before, are not the same",
                         d->other, host, d->known == IS_ENDED ? "has ended" : "is in");
    }
}

bool ledger_met_end(const struct ledger *ledger, int tag)
{
    pthread_mutex_lock(&lock);
    const struct ledger_entry *e = entry_of((struct ledger *)ledger, tag);
    bool met = e && e->dispute.error == HN_EDEAD;
    pthread_mutex_unlock(&lock);
    return met;
}

int ledger_explain(struct ledger *ledger, int tag)
{
    struct ledger_entry e = {0};
    char here[64], there[64];
    pthread_mutex_lock(&lock);
    const struct ledger_entry *found = entry_of(ledger, tag);
    e.kind = found ? found->kind : 0;
    e.root = found ? found->root : 0;
    e.dispute = found ? found->dispute : (struct dispute){0};
    pthread_mutex_unlock(&lock);
    const struct dispute *d = &e.dispute;
    const char *host = d->other ? hn_host_of(d->other) : NULL;
    if (!found)
        return error_set(HN_EARG, "the members do not call the same operations");
    if (!d->other)
        return HN_EARG;
    if (d->known == IS_FORGOTTEN || d->known == IS_FREED ||
        (d->kind == e.kind && d->root == e.root))
        return explain_end(d, host ? host : "?");
    say_what(e.kind, e.root, here, sizeof here);
    say_what(d->kind, d->root, there, sizeof there);
    return error_set(HN_EARG, "task %d on host %s has called %s where this one called %s", d->other,
                     host ? host : "?", there, here);
}

/* ---- operations --------------------------------------------------------------------------------
 */

struct ledger_entry *ledger_begin(struct ledger *ledger, bool lasting, int kind, int root, int *tag)
{
    struct stray *stray;
    pthread_mutex_lock(&lock);
    while (ledger->mark && (stray = find_stray(ledger->context, lasting, &ledger->list)))
        claim(ledger, stray);
    struct ledger_entry *e = begin(ledger, lasting, kind, root, tag);
    pthread_mutex_unlock(&lock);
    return e;
}

int ledger_planned(const struct ledger *ledger, struct ledger_entry *entry, int tag, uint32_t plan,
                   const char *name)
{
    uint32_t hash = 2166136261u;
    int planned = tag;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    if (!ledger->mark)
        planned ^= (int)((hash ^ hash >> 16) << NUMBER_BITS & ROOT_MASK);
    if (entry->tag == tag) {
        atomic_store_explicit(&entry->tag, planned, memory_order_relaxed);
        atomic_store_explicit(&entry->plan, plan, memory_order_release);
    }
    return planned;
}

void ledger_ended(struct ledger_entry *entry, int tag, int error)
{
    if (entry->tag != tag || entry->ended)
        return;
    end(entry, error);
    /* What others send for a request that has been freed goes when it is in the way. */
    if (error < 0)
        inquiry_sweep();
}

void ledger_mistake(struct ledger *ledger, bool lasting, int kind, int root, int error)
{
    int tag;
    struct ledger_entry *entry = ledger_begin(ledger, lasting, kind, root, &tag);
    ledger_ended(entry, tag, error);
}

int ledger_open(struct ledger **made, hn_context context, unsigned mark,
                const struct ledger_list *list)
{
    pthread_mutex_lock(&lock);
    struct ledger *ledger = mark ? find(context, (int)(mark << 16)) : NULL;
    if (!ledger || !ledger->orphan)
        ledger = new_ledger(context, mark);
    if (ledger) {
        ledger->orphan = false;
        ledger->list = list ? *list : (struct ledger_list){0};
    }
    pthread_mutex_unlock(&lock);
    *made = ledger;
    return ledger ? inquiry_start(&inquirer) : HN_ENOMEM;
}

void ledger_born(struct ledger *ledger, hn_context parent)
{
    pthread_mutex_lock(&lock);
    ledger->parent = parent;
    pthread_mutex_unlock(&lock);
}

void ledger_close(struct ledger *ledger)
{
    if (!ledger)
        return;
    pthread_mutex_lock(&lock);
    free_ledger(ledger);
    pthread_mutex_unlock(&lock);
}
