/* ledger.c - operations by number (ledger.h).
 *
 * A ring of entries for those that come once, and one for lasting ones, of which nobody can say
 * that they have ended.  What has left the ring has ended, too, unless more were under way at once
 * than it holds.  One lock guards all ledgers; nothing is called with it.
 */
#include "ledger.h"

#include "error.h"
#include "inquiry.h"
#include "list.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ONCE = 128, LASTING = 32 };

struct ring {
    struct ledger_entry *entries;
    unsigned size;
    unsigned begun; /* so far */
};

struct ledger {
    struct list_node node; /* on `ledgers` */
    hn_context context;
    unsigned mark;
    struct ring once, lasting;
    struct ledger_entry entries[ONCE + LASTING];
    bool crowded; /* an operation was under way when its entry was needed for another */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_node ledgers = {&ledgers, &ledgers};

/* ---- tags --------------------------------------------------------------------------------------
 *
 * Of all members: lasting (1 bit), kind (5), root (3), number (22).  Of some: their mark (15),
 * lasting (1), number (15).
 */

enum { NUMBER_BITS = 22, ROOT_BITS = 3, KIND_BITS = 5, LASTING_BIT = 1 << 30 };
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
    unsigned roots = (unsigned)root & ((1u << ROOT_BITS) - 1);
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

/* ---- asking (inquiry.h) ------------------------------------------------------------------------
 */

/* The words: what is known of the operation (nothing, kind and root, that it has ended, or how it
 * has failed); these; and its plan, or 0, or the error. */
enum { KNOWN, KIND, ROOT, PLAN };
enum { NOT_KNOWN, IS_KNOWN, IS_ENDED, IS_FAILED };

static bool ask(struct inquiry *q)
{
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(q->context, q->tag);
    const struct ledger_entry *e = ledger ? entry_of(ledger, q->tag) : NULL;
    q->words[PLAN] = e ? e->plan : 0;
    pthread_mutex_unlock(&lock);
    return ledger;
}

static void tell(struct inquiry *q, const struct ledger_entry *e)
{
    int error = e->ended ? e->error : HN_OK;
    q->words[KNOWN] = error ? IS_FAILED : e->ended ? IS_ENDED : IS_KNOWN;
    q->words[KIND] = (uint64_t)e->kind;
    q->words[ROOT] = (uint64_t)e->root;
    q->words[PLAN] = error ? (uint64_t)error : e->plan;
}

/* For good: one that comes again and again does so only by a mistake in its making. */
static bool has_ended(const struct ledger_entry *e, bool lasting)
{
    return e->ended && (!lasting || e->error);
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
        q->words[KNOWN] = NOT_KNOWN;
        return !lasting && !ledger->crowded;
    }
    tell(q, e);
    return e->tag != q->tag || (plan && e->plan && plan != e->plan) || has_ended(e, lasting);
}

static bool answer(struct inquiry *q)
{
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(q->context, q->tag);
    bool vain = ledger && is_vain(ledger, q);
    pthread_mutex_unlock(&lock);
    return vain;
}

static bool hear(const struct inquiry *q)
{
    pthread_mutex_lock(&lock);
    struct ledger *ledger = find(q->context, q->tag);
    struct ledger_entry *e = ledger ? entry_of(ledger, q->tag) : NULL;
    if (e)
        e->dispute =
            (struct dispute){.other = q->other,
                             .kind = (int)q->words[KIND],
                             .root = (int)q->words[ROOT],
                             .ended = q->words[KNOWN] == IS_ENDED,
                             .known = q->words[KNOWN] != NOT_KNOWN,
                             .error = q->words[KNOWN] == IS_FAILED ? (int)q->words[PLAN] : HN_OK};
    pthread_mutex_unlock(&lock);
    return ledger;
}

/* Whether nobody here will ever receive what has come with this tag. */
static bool is_for_nobody(hn_context context, int tag)
{
    struct inquiry q = {.context = context, .tag = tag};
    return answer(&q);
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
    if (found && !d->other)
        return HN_EARG;
    if (!found || !d->known)
        return error_set(HN_EARG, "the members do not call the same operations");
    say_what(e.kind, e.root, here, sizeof here);
    say_what(d->kind, d->root, there, sizeof there);
    if (d->kind != e.kind || d->root != e.root)
        return error_set(HN_EARG, "task %d on host %s has called %s where this one called %s",
                         d->other, host ? host : "?", there, here);
    if (d->error)
        return error_set(HN_EARG, "task %d on host %s has ended it with an error: %s", d->other,
                         host ? host : "?", hn_strerror(d->error));
    return error_set(HN_EARG,
                     "task %d on host %s %s the operation by another plan: its counts, or "
                     "operations before, are not the same",
                     d->other, host ? host : "?", d->ended ? "has ended" : "is in");
}

/* ---- operations --------------------------------------------------------------------------------
 */

struct ledger_entry *ledger_begin(struct ledger *ledger, bool lasting, int kind, int root, int *tag)
{
    struct ring *ring = lasting ? &ledger->lasting : &ledger->once;
    pthread_mutex_lock(&lock);
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
    pthread_mutex_unlock(&lock);
    return e;
}

void ledger_planned(struct ledger_entry *entry, int tag, uint32_t plan)
{
    if (entry->tag == tag)
        atomic_store_explicit(&entry->plan, plan, memory_order_relaxed);
}

void ledger_ended(struct ledger_entry *entry, int tag, int error)
{
    if (entry->tag != tag)
        return;
    atomic_store_explicit(&entry->error, error, memory_order_relaxed);
    atomic_store_explicit(&entry->ended, true, memory_order_release);
    if (error)
        inquiry_sweep();
}

void ledger_mistake(struct ledger *ledger, bool lasting, int kind, int root, int error)
{
    int tag;
    struct ledger_entry *entry = ledger_begin(ledger, lasting, kind, root, &tag);
    ledger_ended(entry, tag, error);
}

int ledger_open(struct ledger **made, hn_context context, unsigned mark)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *made = ledger;
    if (!ledger)
        return HN_ENOMEM;
    ledger->context = context;
    ledger->mark = mark;
    ledger->once = (struct ring){.entries = ledger->entries, .size = ONCE};
    ledger->lasting = (struct ring){.entries = ledger->entries + ONCE, .size = LASTING};
    for (int i = 0; i < ONCE + LASTING; i++)
        ledger->entries[i].tag = -1;
    pthread_mutex_lock(&lock);
    list_append(&ledgers, &ledger->node);
    pthread_mutex_unlock(&lock);
    return inquiry_start(&inquirer);
}

void ledger_close(struct ledger *ledger)
{
    if (!ledger)
        return;
    pthread_mutex_lock(&lock);
    list_remove(&ledger->node);
    pthread_mutex_unlock(&lock);
    free(ledger);
}
