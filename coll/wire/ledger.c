/* ledger.c - operations by number (ledger.h).
 *
 * A ring of entries has the last places.  Lasting calls have a second one, of which nobody can say
 * that they have ended; in the first they only hold their place.  What has left the ring has ended,
 * too, unless more were under way at once than it holds.  One lock guards all ledgers of the
 * task; nothing is called with it.
 */
#include "wire/ledger.h"

#include "runtime/internal.h"
#include "job/internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ONCE = 128, LASTING = 128 };

enum { STRAYS = 64 };

/* A call of which no list is known yet. */
struct stray {
    bool noted;
    bool lasting;
    struct ledger_list list;
    hn_tid *tids; /* of that */
    int error;
    hn_tid dead; /* the member that is gone, where that is the error */
};

struct ledgers {
    pthread_mutex_t lock;
    struct list_node list;
    struct stray strays[STRAYS]; /* the last ones */
    unsigned strays_noted;
};

struct ledger {
    struct ledgers *all;
    struct list_node node;      /* on all->list */
    hn_context context, parent; /* parent: of operations of what was split for it; 0: none */
    struct ledger_list list;    /* of multicasts to one; else 0 */
    bool orphan;                /* nobody has opened it: a stray's */
    unsigned begun, lasting;    /* calls so far, and how many of them make what comes again */
    struct ledger_entry entries[ONCE + LASTING];
    bool crowded;  /* an operation was under way when its entry was needed for another */
    bool mistaken; /* a call of this member had wrong arguments: it may follow other plans since */
    unsigned late; /* for so many calls something may come for one that has ended with an error */
};

/* ---- tags --------------------------------------------------------------------------------------
 *
 * Lasting (1 bit), kind (6), root and plan (7), number (17).  Lasting ones live long: how often
 * numbers have begun anew since is mixed with the root.
 *
 * Numbers begin anew after 2^17 operations of a group.  A message can only be taken for one of the
 * operation with the same tag a round later if it is still there then.  Where an operation has
 * ended with an error, what comes for it afterwards would be: for a round it is dropped every SWEEP
 * operations.  Without an error nothing is, for what is from far ahead looks as from the far past.
 * Besides, an operation that does not wait must end before 2^16 later ones of its group have: then
 * neither its receives nor its messages meet those of a round later.
 */

enum { NUMBER_BITS = 17, ROOT_BITS = 7, KIND_BITS = 6, LASTING_BIT = 1 << 30, SWEEP = 1 << 15 };
_Static_assert(NUMBER_BITS + ROOT_BITS + KIND_BITS == 30, "a tag is a positive int");
_Static_assert((int)ONCE < (int)SWEEP && 4 * SWEEP == 1 << NUMBER_BITS,
               "what is swept was long over");
enum { ROOT_MASK = ((1 << ROOT_BITS) - 1) << NUMBER_BITS };
_Static_assert(KINDS <= 1 << KIND_BITS, "a tag has room for all kinds");
enum { NUMBERS = (1 << NUMBER_BITS) - 1 };

unsigned ledger_number(int tag)
{
    return (unsigned)tag & NUMBERS;
}

static bool is_lasting(int tag)
{
    return tag & LASTING_BIT;
}

static int make_tag(const struct called *called, unsigned number)
{
    unsigned low = number & NUMBERS;
    bool lasting = called->lasting;
    unsigned rounds = lasting ? number >> NUMBER_BITS : 0;
    unsigned roots = ((unsigned)called->root ^ rounds) % (1u << ROOT_BITS);
    unsigned what = (unsigned)called->kind << ROOT_BITS | roots;
    return (int)((lasting ? (unsigned)LASTING_BIT : 0u) | what << NUMBER_BITS | low);
}

static enum kind kind_in(int tag)
{
    return (enum kind)(tag >> (NUMBER_BITS + ROOT_BITS) & ((1 << KIND_BITS) - 1));
}

/* ---- finding -----------------------------------------------------------------------------------
 */

static struct ledger *find(struct ledgers *all, hn_context context)
{
    list_for_each (n, &all->list) {
        struct ledger *ledger = list_entry(n, struct ledger, node);
        if (ledger->context == context)
            return ledger;
    }
    return NULL;
}

static struct ledger_entry *place_of(struct ledger *ledger, unsigned number)
{
    return &ledger->entries[number % ONCE];
}

/* The entry of a step; NULL: it has left the ring, or is not there yet, or any more. */
static struct ledger_entry *entry_of(struct ledger *ledger, int tag)
{
    struct ledger_entry *e = place_of(ledger, ledger_number(tag));
    if (!is_lasting(tag))
        return e->tag == tag ? e : NULL;
    for (int i = ONCE; i < ONCE + LASTING; i++)
        if (ledger->entries[i].tag == tag)
            return &ledger->entries[i];
    return NULL;
}

/* What has been called at a place, for who asks about what a tag says; NULL: it has not begun, or
 * has left the ring. */
static struct ledger_entry *called_at(struct ledger *ledger, unsigned number, int tag)
{
    for (int i = ONCE; i < ONCE + LASTING && is_lasting(tag); i++)
        if (ledger->entries[i].tag >= 0 && ledger->entries[i].number == number)
            return &ledger->entries[i];
    struct ledger_entry *e = place_of(ledger, number);
    return e->tag >= 0 && e->number == number ? e : NULL;
}

static bool has_begun(const struct ledger *ledger, unsigned number)
{
    return (int)(ledger->begun - number) > 0;
}

/* The number of which a tag has the end: that of an entry, or the one that is nearest. */
static unsigned number_in(struct ledger *ledger, int tag)
{
    const struct ledger_entry *e = entry_of(ledger, tag);
    unsigned most = NUMBERS, last = ledger->begun - 1;
    unsigned behind = (last - ledger_number(tag)) & most;
    if (e)
        return e->number;
    return behind <= most / 2 ? last - behind : last - behind + most + 1;
}

/* What members ask and answer (inquiry.h).  The words of an answer: what is known of the operation;
 * its kind, and whether it is lasting; its root; and its plan, or 0, or the error.  Of a question:
 * the operation's number, and the plan.
 */
enum { KNOWN, KIND, ROOT, PLAN };
enum { NUMBER };
enum { OTHER_SHIFT = 8 };  /* what is known, and whose mistake it was, if it is another member's */
enum { IS_LASTING = 256 }; /* besides the kind */

/* ---- beginning and ending ----------------------------------------------------------------------
 *
 * With the lock.
 */

static void note_begin(struct ledger_entry *e, const struct place *place,
                       const struct called *called)
{
    e->number = place->number;
    e->called = *called;
    e->dispute = (struct dispute){0};
    atomic_store_explicit(&e->plan, 0, memory_order_relaxed);
    atomic_store_explicit(&e->ended, false, memory_order_relaxed);
    atomic_store_explicit(&e->error, HN_OK, memory_order_relaxed);
    atomic_store_explicit(&e->tag, place->tag, memory_order_relaxed);
}

static void begin(struct ledger *ledger, struct place *place, enum kind kind, int root)
{
    struct called called = {kind, root, place->lasting};
    place->taken = true;
    place->number = ledger->begun++;
    place->tag = make_tag(&called, place->number);
    place->ledger = ledger;
    place->entry = place_of(ledger, place->number);
    ledger->late -= ledger->late > 0;
    ledger->crowded |= place->entry->tag >= 0 && !place->entry->ended;
    note_begin(place->entry, place, &called);
    if (place->lasting) {
        place->entry->ended = true; /* it only holds the place */
        place->entry = &ledger->entries[ONCE + ledger->lasting++ % LASTING];
        note_begin(place->entry, place, &called);
    }
}

static void go_on(struct place *place, enum kind kind, int root)
{
    struct called called = {kind, root, place->lasting};
    bool noted = place->entry && place->entry->tag == place->tag;
    place->tag = make_tag(&called, place->number);
    if (noted)
        note_begin(place->entry, place, &called);
}

static void end(struct ledger_entry *entry, int error)
{
    atomic_store_explicit(&entry->error, error, memory_order_relaxed);
    atomic_store_explicit(&entry->ended, true, memory_order_release);
}

static struct dispute failed_there(const struct ledger_entry *e, hn_tid other, int error)
{
    return (struct dispute){
        .other = other, .known = IS_FAILED, .called = e->called, .error = error};
}

static struct ledger *new_ledger(struct ledgers *all, hn_context context)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (!ledger)
        return NULL;
    ledger->all = all;
    ledger->context = context;
    for (int i = 0; i < ONCE + LASTING; i++)
        ledger->entries[i].tag = -1;
    list_append(&all->list, &ledger->node);
    return ledger;
}

static void free_ledger(struct ledger *ledger)
{
    list_remove(&ledger->node);
    free(ledger);
}

/* ---- lists that are wrong ----------------------------------------------------------------------
 */

static void forget_stray(struct stray *s)
{
    free(s->tids);
    *s = (struct stray){0};
}

void ledgers_stray(struct ledgers *all, bool lasting, const struct ledger_list *list, int error,
                   hn_tid dead)
{
    size_t size = (size_t)list->known * sizeof *list->tids;
    hn_tid *tids = malloc(size + 1);
    if (!tids)
        return;
    if (size > 0)
        memcpy(tids, list->tids, size);
    pthread_mutex_lock(&all->lock);
    struct stray *s = &all->strays[all->strays_noted++ % STRAYS];
    forget_stray(s);
    *s = (struct stray){true, lasting, *list, tids, error, dead};
    s->list.tids = tids;
    pthread_mutex_unlock(&all->lock);
}

static bool is_on(const struct ledger_list *list, hn_tid tid)
{
    for (int i = 0; i < list->known; i++)
        if (list->tids[i] == tid)
            return true;
    return false;
}

/* Whether what is known of one list fits another.  A member that has forgotten itself names one
 * less. */
static bool may_be(const struct ledger_list *meant, const struct ledger_list *list)
{
    bool fits = meant->whole == list->whole && (!meant->root || meant->root == list->root) &&
                (!meant->count || meant->count == list->count || meant->count + 1 == list->count);
    for (int i = 0; i < meant->known && fits; i++)
        fits = is_on(list, meant->tids[i]);
    return fits;
}

/* The oldest that may have been one to this list; lasting: or not, or both (-1). */
static struct stray *find_stray(struct ledgers *all, int lasting, const struct ledger_list *list)
{
    for (unsigned i = 0; i < STRAYS; i++) {
        struct stray *s = &all->strays[(all->strays_noted + i) % STRAYS];
        bool fits = lasting < 0 || s->lasting == (lasting > 0);
        if (s->noted && fits && may_be(&s->list, list))
            return s;
    }
    return NULL;
}

/* It was the next one in this ledger, and has ended. */
static void claim(struct ledger *ledger, struct stray *stray)
{
    struct place place = {.lasting = stray->lasting};
    begin(ledger, &place, (enum kind)OP_BCAST, 0);
    if (stray->dead)
        place.entry->dispute = failed_there(place.entry, stray->dead, HN_EDEAD);
    end(place.entry, stray->error);
    forget_stray(stray);
}

/* Those that may have been multicasts to this ledger's list come before the next one. */
static void claim_all(struct ledger *ledger)
{
    struct stray *stray;
    while (ledger->list.known > 0 && (stray = find_stray(ledger->all, -1, &ledger->list)))
        claim(ledger, stray);
}

unsigned ledger_begun(struct ledger *ledger)
{
    pthread_mutex_lock(&ledger->all->lock);
    claim_all(ledger);
    unsigned begun = ledger->begun;
    pthread_mutex_unlock(&ledger->all->lock);
    return begun;
}

/* What is asked about has not begun here: if it is the next one, it may have been a stray. In the
 * ledger of its list (NULL: there is none yet). */
static struct ledger *look_for_stray(struct ledgers *all, struct ledger *ledger,
                                     const struct inquiry *q)
{
    if (q->count == 0)
        return ledger;
    struct ledger_list list = {q->whole, q->tids[0], q->count, q->tids, q->count};
    struct stray *s = find_stray(all, is_lasting(q->tag), &list);
    if (!s)
        return ledger;
    if (!ledger) {
        ledger = new_ledger(all, q->context);
        if (!ledger)
            return NULL;
        ledger->orphan = true;
        ledger->list.whole = q->whole;
    }
    if ((unsigned)q->words[NUMBER] == ledger->begun)
        claim(ledger, s);
    return ledger;
}

void ledgers_forget(struct ledgers *all, hn_context whole)
{
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < STRAYS; i++)
        if (all->strays[i].noted && all->strays[i].list.whole == whole)
            forget_stray(&all->strays[i]);
    list_for_each_safe (n, &all->list) {
        struct ledger *ledger = list_entry(n, struct ledger, node);
        if (ledger->orphan && ledger->list.whole == whole)
            free_ledger(ledger);
    }
    pthread_mutex_unlock(&all->lock);
}

/* ---- asking (inquiry.h) ------------------------------------------------------------------------
 */

static bool ask(void *data, struct inquiry *q)
{
    struct ledgers *all = data;
    pthread_mutex_lock(&all->lock);
    struct ledger *ledger = find(all, q->context);
    const struct ledger_entry *e = ledger ? entry_of(ledger, q->tag) : NULL;
    q->words[PLAN] = e ? e->plan : 0;
    q->words[NUMBER] = ledger ? number_in(ledger, q->tag) : 0;
    q->whole = ledger ? ledger->list.whole : 0;
    q->tids = ledger ? ledger->list.tids : NULL;
    q->count = ledger ? ledger->list.known : 0;
    pthread_mutex_unlock(&all->lock);
    return ledger;
}

/* Another member, or 0: none, or this one. */
static hn_tid blamed(const struct ledger_entry *e)
{
    return e->dispute.own ? 0 : e->dispute.other;
}

static void tell(struct inquiry *q, const struct ledger_entry *e)
{
    int error = e->ended ? e->error : HN_OK;
    q->words[KNOWN] = error ? IS_FAILED : e->ended ? IS_ENDED : IS_KNOWN;
    q->words[KNOWN] |= error ? (uint64_t)blamed(e) << OTHER_SHIFT : 0;
    q->words[KIND] = (uint64_t)e->called.kind | (e->called.lasting ? IS_LASTING : 0u);
    q->words[ROOT] = (uint64_t)e->called.root;
    q->words[PLAN] = error ? (uint64_t)error : e->plan;
}

/* For good: one that comes again and again does so only by a mistake in its making. */
static bool has_ended(const struct ledger_entry *e)
{
    return e->ended && (!e->called.lasting || e->error);
}

/* Whether what has been called at a place is not what a tag says.  As long as it has no plan, which
 * that is does not count. */
static bool is_another(const struct ledger_entry *e, int tag)
{
    bool planned = e->plan; /* before its tag (ledger_planned()) */
    int differ = e->tag ^ tag;
    return planned ? differ != 0 : (differ & ~ROOT_MASK) != 0;
}

/* Whether it is the same call, which comes to that step later. */
static bool is_to_come(const struct ledger_entry *e, int tag)
{
    enum kind kind = kind_in(tag);
    return !has_ended(e) && is_lasting(e->tag) == is_lasting(tag) &&
           kind_call(e->called.kind) == kind_call(kind) && e->called.kind < kind;
}

/* Whether what is asked for never comes; then the words say why. */
static bool is_vain(struct ledger *ledger, unsigned number, struct inquiry *q)
{
    const struct ledger_entry *e = called_at(ledger, number, q->tag);
    uint64_t plan = q->words[PLAN];
    if (!has_begun(ledger, number))
        return false;
    if (!e) {
        q->words[KNOWN] = IS_FORGOTTEN;
        return !ledger->crowded && (!is_lasting(q->tag) || ledger->lasting <= LASTING);
    }
    if (is_to_come(e, q->tag))
        return false;
    tell(q, e);
    return is_another(e, q->tag) || (plan && e->plan && plan != e->plan) || has_ended(e);
}

/* Whether nobody here will ever receive what has come with this tag. */
static bool is_for_nobody(void *data, hn_context context, int tag)
{
    struct ledgers *all = data;
    struct inquiry q = {.context = context, .tag = tag};
    pthread_mutex_lock(&all->lock);
    struct ledger *ledger = find(all, context);
    bool vain = ledger && is_vain(ledger, number_in(ledger, tag), &q);
    pthread_mutex_unlock(&all->lock);
    return vain;
}

static bool answer(void *data, struct inquiry *q)
{
    struct ledgers *all = data;
    unsigned number = (unsigned)q->words[NUMBER];
    pthread_mutex_lock(&all->lock);
    struct ledger *ledger = find(all, q->context);
    if (!ledger || !has_begun(ledger, number))
        ledger = look_for_stray(all, ledger, q);
    bool vain = ledger && is_vain(ledger, number, q);
    bool unknown = !ledger && !q->has_group;
    if (!ledger)
        q->words[KNOWN] = IS_UNKNOWN;
    pthread_mutex_unlock(&all->lock);
    return vain || unknown;
}

/* Somebody does not know the group, or no more: for good, where what it was split from is broken,
 * and for that reason. */
static bool is_unborn(const struct ledger *ledger)
{
    return ledger->parent && loss_known(ledger->parent);
}

static struct dispute heard(const struct inquiry *q, enum ledger_known known)
{
    hn_tid other = (hn_tid)(q->words[KNOWN] >> OTHER_SHIFT);
    struct called called = {.kind = (enum kind)(q->words[KIND] % IS_LASTING),
                            .root = (int)q->words[ROOT],
                            .lasting = q->words[KIND] & IS_LASTING};
    return (struct dispute){.other = other && !q->freed ? other : q->other,
                            .known = known,
                            .called = called,
                            .error = known == IS_FAILED ? (int)q->words[PLAN] : HN_OK};
}

/* What is known first stays: who has been told whose mistake it was does not hear it of others who
 * ended for it, too. */
static bool hear(void *data, const struct inquiry *q)
{
    struct ledgers *all = data;
    enum ledger_known known =
        q->freed ? IS_FREED : (enum ledger_known)(q->words[KNOWN] % (1 << OTHER_SHIFT));
    pthread_mutex_lock(&all->lock);
    struct ledger *ledger = find(all, q->context);
    struct ledger_entry *e = ledger ? entry_of(ledger, q->tag) : NULL;
    bool unborn = ledger && (known == IS_UNKNOWN || known == IS_FREED) && is_unborn(ledger);
    bool vain = ledger && (known != IS_UNKNOWN || unborn);
    if (e && unborn)
        e->dispute = failed_there(e, q->other, HN_EDEAD);
    else if (e && vain && !e->dispute.other) {
        e->dispute = heard(q, known);
        e->dispute.own = ledger->mistaken && dispute_over_plans(&e->dispute, &e->called);
    }
    pthread_mutex_unlock(&all->lock);
    return vain;
}

void ledger_told(struct ledger *ledger, int tag, hn_tid other, int error)
{
    pthread_mutex_lock(&ledger->all->lock);
    struct ledger_entry *e = entry_of(ledger, tag);
    if (e && !e->dispute.other)
        e->dispute = failed_there(e, other, error);
    pthread_mutex_unlock(&ledger->all->lock);
}

void ledger_met_end(struct ledger *ledger, int tag, hn_tid peer)
{
    hn_tid before = loss_broken(ledger->context);
    pthread_mutex_lock(&ledger->all->lock);
    struct ledger_entry *e = entry_of(ledger, tag);
    if (e && e->dispute.error != HN_EDEAD)
        e->dispute = failed_there(e, before ? before : peer, HN_EDEAD);
    pthread_mutex_unlock(&ledger->all->lock);
}

static const struct inquirer inquirer = {ask, answer, hear, is_for_nobody};

/* ---- explaining --------------------------------------------------------------------------------
 */

hn_tid ledger_blamed(const struct ledger *ledger, int tag)
{
    pthread_mutex_lock(&ledger->all->lock);
    const struct ledger_entry *e = entry_of((struct ledger *)ledger, tag);
    hn_tid other = e ? blamed(e) : 0;
    pthread_mutex_unlock(&ledger->all->lock);
    return other;
}

hn_tid ledger_dead(const struct ledger *ledger, int tag)
{
    pthread_mutex_lock(&ledger->all->lock);
    const struct ledger_entry *e = entry_of((struct ledger *)ledger, tag);
    hn_tid dead = e && e->dispute.error == HN_EDEAD ? e->dispute.other : 0;
    pthread_mutex_unlock(&ledger->all->lock);
    return dead;
}

int ledger_explain(struct ledger *ledger, int tag)
{
    struct dispute dispute = {0};
    struct called called = {0};
    pthread_mutex_lock(&ledger->all->lock);
    const struct ledger_entry *found = entry_of(ledger, tag);
    if (found) {
        dispute = found->dispute;
        called = found->called;
    }
    pthread_mutex_unlock(&ledger->all->lock);
    if (!found)
        return error_set(HN_EARG, "the members do not call the same operations");
    return dispute.other ? dispute_explain(&dispute, &called) : HN_EARG;
}

/* ---- calls -------------------------------------------------------------------------------------
 */

int ledger_step(struct ledger *ledger, struct place *place, enum kind kind, int root)
{
    bool begins = !place->taken, late = false;
    pthread_mutex_lock(&ledger->all->lock);
    if (begins)
        begin(ledger, place, kind, root);
    else
        go_on(place, kind, root);
    late = begins && ledger->late > 0 && ledger->late % SWEEP == 0;
    pthread_mutex_unlock(&ledger->all->lock);
    if (late)
        inquiry_sweep();
    return place->tag;
}

int ledger_planned(struct place *place, uint32_t plan, const char *name)
{
    struct ledger_entry *entry = place->entry;
    uint32_t hash = 2166136261u;
    int tag = place->tag;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    place->tag ^= (int)((hash ^ hash >> 16) << NUMBER_BITS & ROOT_MASK);
    if (entry && entry->tag == tag) {
        atomic_store_explicit(&entry->tag, place->tag, memory_order_relaxed);
        atomic_store_explicit(&entry->plan, plan, memory_order_release);
    }
    return place->tag;
}

void ledger_left(struct place *place, int error)
{
    struct ledger_entry *entry = place->entry;
    place->entry = NULL;
    if (!entry || entry->tag != place->tag || entry->ended)
        return;
    end(entry, error);
    /* What others send for a request that has been freed goes when it is in the way. */
    if (error >= 0)
        return;
    pthread_mutex_lock(&place->ledger->all->lock);
    place->ledger->late = 4 * SWEEP;
    pthread_mutex_unlock(&place->ledger->all->lock);
    inquiry_sweep();
}

void ledger_mistake(struct ledger *ledger, struct place *place, enum kind kind, int root, int error)
{
    if (!place->taken)
        ledger_step(ledger, place, kind, root);
    pthread_mutex_lock(&ledger->all->lock);
    ledger->mistaken = true;
    pthread_mutex_unlock(&ledger->all->lock);
    ledger_left(place, error);
}

void ledger_refuse(struct ledger *ledger, struct place *place, enum kind kind, int root,
                   hn_tid dead)
{
    if (!place->taken)
        ledger_step(ledger, place, kind, root);
    ledger_met_end(ledger, place->tag, dead);
    ledger_left(place, HN_EDEAD);
}

struct ledgers *ledgers_new(void)
{
    struct ledgers *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    pthread_mutex_init(&all->lock, NULL);
    list_init(&all->list);
    return all;
}

void ledgers_free(struct ledgers *all)
{
    if (!all)
        return;
    for (int i = 0; i < STRAYS; i++)
        forget_stray(&all->strays[i]);
    list_for_each_safe (n, &all->list) /* of strays */
        free_ledger(list_entry(n, struct ledger, node));
    pthread_mutex_destroy(&all->lock);
    free(all);
}

int ledger_open(struct ledgers *all, struct ledger **made, hn_context context,
                const struct ledger_list *list)
{
    pthread_mutex_lock(&all->lock);
    struct ledger *ledger = list ? find(all, context) : NULL;
    if (!ledger || !ledger->orphan)
        ledger = new_ledger(all, context);
    if (ledger) {
        ledger->orphan = false;
        ledger->list = list ? *list : (struct ledger_list){0};
    }
    pthread_mutex_unlock(&all->lock);
    *made = ledger;
    return ledger ? inquiry_start(&inquirer, all) : HN_ENOMEM;
}

void ledger_born(struct ledger *ledger, hn_context parent)
{
    pthread_mutex_lock(&ledger->all->lock);
    ledger->parent = parent;
    pthread_mutex_unlock(&ledger->all->lock);
}

void ledger_close(struct ledger *ledger)
{
    if (!ledger)
        return;
    struct ledgers *all = ledger->all;
    pthread_mutex_lock(&all->lock);
    free_ledger(ledger);
    pthread_mutex_unlock(&all->lock);
}
