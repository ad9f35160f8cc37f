/* open_table.c - operations by number (open_table.h).
 *
 * A ring holds the operations of the last slots. Persistent operations have a second ring, because
 * they may stay open for long; in the first ring they only occupy their slot. An operation that has
 * left the ring has ended, unless more were open at once than the ring holds. One lock protects all
 * tables of the task. No foreign function is called with it held.
 */
#include "wire/open_table.h"

#include "wire/operation_tag.h"

#include "runtime/internal.h"
#include "job/internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Operations open at once; persistent requests; unmatched calls of the task, in all groups. Beyond
 * these numbers not all mistakes are found. */
enum { ONCE = 128, PERSISTENT = 128, UNMATCHED = 64 };

_Static_assert((int)ONCE < (int)TAG_SWEEP, "what is swept was long over");

/* A call whose list is not known yet. */
struct unmatched {
    bool noted;
    bool persistent;
    struct open_list list;
    hn_tid *tids; /* of the list */
    int error;
    hn_tid dead; /* the member that is gone, if that is the error */
};

/* All tables of the task. Tables are few, one for each group with collective operations, so a list
 * is searched. */
struct open_tables {
    pthread_mutex_t lock;
    /* Tables in the order in which they were opened. */
    struct list_node list;
    struct unmatched unmatched[UNMATCHED]; /* the last ones */
    unsigned unmatched_noted;
};

/* One table. `operations` has the ring of calls first, then that of persistent operations. */
struct open_table {
    struct open_tables *all;
    struct list_node node;      /* in all->list */
    hn_context context, parent; /* parent: of the group that was split; 0: none */
    struct open_list list;      /* if for multicasts to a list; else 0 */
    bool orphan;                /* made for an unmatched call, not opened yet */
    unsigned begun, persistent; /* calls so far, and how many of them are persistent */
    struct open_operation operations[ONCE + PERSISTENT];
    bool crowded;  /* an operation was still open when its slot was needed for another one */
    bool mistaken; /* a call of this member had wrong arguments: its later plans may differ from
                      others' */
    unsigned late; /* number of further calls during which messages may arrive for one that ended
                      with an error */
};

/* ---- finding ---------------------------------------------------------------------------- */

/* The table of a context; NULL: none here. With the lock. */
static struct open_table *find(struct open_tables *all, hn_context context)
{
    list_for_each (n, &all->list) {
        struct open_table *table = list_entry(n, struct open_table, node);
        if (table->context == context)
            return table;
    }
    return NULL;
}

static struct open_operation *slot_of(struct open_table *table, unsigned number)
{
    return &table->operations[number % ONCE];
}

/* The operation with this tag; NULL: it has left the ring, or is not there yet or any more. */
static struct open_operation *operation_of(struct open_table *table, int tag)
{
    struct open_operation *e = slot_of(table, operation_tag_number(tag));
    if (!operation_tag_is_persistent(tag))
        return e->tag == tag ? e : NULL;
    /* No index by tag: persistent operations are few, and only questions search for them. */
    for (int i = ONCE; i < ONCE + PERSISTENT; i++)
        if (table->operations[i].tag == tag)
            return &table->operations[i];
    return NULL;
}

/* The call at a slot, for a member that asks about a tag; NULL: it has not begun, or has left the
 * ring. */
static struct open_operation *called_at(struct open_table *table, unsigned number, int tag)
{
    /* A persistent request is also found if its slot in the first ring has been reused since. */
    for (int i = ONCE; i < ONCE + PERSISTENT && operation_tag_is_persistent(tag); i++)
        if (table->operations[i].tag >= 0 && table->operations[i].number == number)
            return &table->operations[i];
    struct open_operation *e = slot_of(table, number);
    return e->tag >= 0 && e->number == number ? e : NULL;
}

/* Whether a call with this number has begun. Numbers wrap around, so differences are compared. */
static bool has_begun(const struct open_table *table, unsigned number)
{
    return (int)(table->begun - number) > 0;
}

/* The full number whose lower bits a tag has: that of an operation, or the nearest one. */
static unsigned number_in(struct open_table *table, int tag)
{
    const struct open_operation *e = operation_of(table, tag);
    return e ? e->number : operation_tag_nearest(tag, table->begun - 1);
}

/* Questions and answers of members (argument_check.h). The words of an answer: the state of the
 * operation; its kind, and whether it is persistent; its root; and its plan or 0, or the error. The
 * words of a question: the operation's number, and the plan. */
enum { KNOWN, KIND, ROOT, PLAN };
enum { NUMBER };
enum { OTHER_SHIFT = 8 };     /* the state, then the member to blame */
enum { IS_PERSISTENT = 256 }; /* besides the kind */

/* ---- beginning and ending, with the lock -------------------------------------------------- */

/* Begins an entry anew. Questions take the lock, so they never see it half made. */
static void note_begin(struct open_operation *e, const struct slot *slot,
                       const struct called *called)
{
    e->number = slot->number;
    e->called = *called;
    e->argument_error = (struct argument_error){0};
    atomic_store_explicit(&e->plan, 0, memory_order_relaxed);
    atomic_store_explicit(&e->ended, false, memory_order_relaxed);
    atomic_store_explicit(&e->error, HN_OK, memory_order_relaxed);
    atomic_store_explicit(&e->tag, slot->tag, memory_order_relaxed);
}

/* Takes the next number. The operation that had the entry before may still be open; then `crowded`
 * prevents the conclusion that operations missing in the ring have ended. */
static void begin(struct open_table *table, struct slot *slot, enum kind kind, int root)
{
    struct called called = {kind, root, slot->persistent};
    slot->taken = true;
    slot->number = table->begun++;
    slot->tag = operation_tag_make(&called, slot->number);
    slot->table = table;
    slot->operation = slot_of(table, slot->number);
    table->late -= table->late > 0;
    table->crowded |= slot->operation->tag >= 0 && !slot->operation->ended;
    note_begin(slot->operation, slot, &called);
    if (slot->persistent) {
        slot->operation->ended = true; /* it only occupies the slot */
        /* The same for persistent requests: PERSISTENT of them have an entry at a time. */
        slot->operation = &table->operations[ONCE + table->persistent++ % PERSISTENT];
        note_begin(slot->operation, slot, &called);
    }
}

/* The slot continues with another kind or root and the same number. An entry that a later call has
 * taken stays as it is. */
static void next_step(struct slot *slot, enum kind kind, int root)
{
    struct called called = {kind, root, slot->persistent};
    bool noted = slot->operation && slot->operation->tag == slot->tag;
    slot->tag = operation_tag_make(&called, slot->number);
    if (noted)
        note_begin(slot->operation, slot, &called);
}

/* Readers that see `ended` also see the error, by the release order. */
static void end(struct open_operation *operation, int error)
{
    atomic_store_explicit(&operation->error, error, memory_order_relaxed);
    atomic_store_explicit(&operation->ended, true, memory_order_release);
}

/* The error that another member has caused, or its death. */
static struct argument_error failed_there(const struct open_operation *e, hn_tid other, int error)
{
    return (struct argument_error){
        .other = other, .known = IS_FAILED, .called = e->called, .error = error};
}

/* With the lock. The table is empty; the caller sets the list and the parent. */
static struct open_table *new_table(struct open_tables *all, hn_context context)
{
    struct open_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->all = all;
    table->context = context;
    for (int i = 0; i < ONCE + PERSISTENT; i++)
        table->operations[i].tag = -1;
    list_append(&all->list, &table->node);
    return table;
}

static void free_table(struct open_table *table)
{
    list_remove(&table->node);
    free(table);
}

/* ---- lists that are wrong --------------------------------------------------------------- */

static void forget_unmatched(struct unmatched *s)
{
    free(s->tids);
    *s = (struct unmatched){0};
}

void open_tables_unmatched(struct open_tables *all, bool persistent, const struct open_list *list,
                           int error, hn_tid dead)
{
    size_t size = (size_t)list->known * sizeof *list->tids;
    /* One byte more: an empty list needs memory that is not NULL. */
    hn_tid *tids = malloc(size + 1);
    if (!tids)
        /* Without memory the call is not recorded. Members that wait for it then learn no reason.
         */
        return;
    if (size > 0)
        memcpy(tids, list->tids, size);
    pthread_mutex_lock(&all->lock);
    /* The oldest record is overwritten when there are too many. */
    struct unmatched *s = &all->unmatched[all->unmatched_noted++ % UNMATCHED];
    forget_unmatched(s);
    *s = (struct unmatched){true, persistent, *list, tids, error, dead};
    s->list.tids = tids;
    pthread_mutex_unlock(&all->lock);
}

static bool is_on(const struct open_list *list, hn_tid tid)
{
    for (int i = 0; i < list->known; i++)
        if (list->tids[i] == tid)
            return true;
    return false;
}

/* Whether the known part of one list fits another list. A caller that forgot itself in its list
 * names one member less. */
static bool may_be(const struct open_list *meant, const struct open_list *list)
{
    bool fits = meant->whole == list->whole && (!meant->root || meant->root == list->root) &&
                (!meant->count || meant->count == list->count || meant->count + 1 == list->count);
    for (int i = 0; i < meant->known && fits; i++)
        fits = is_on(list, meant->tids[i]);
    return fits;
}

/* The oldest unmatched call that may belong to this list; persistent: 0, 1, or either (-1). */
static struct unmatched *find_unmatched(struct open_tables *all, int persistent,
                                        const struct open_list *list)
{
    for (unsigned i = 0; i < UNMATCHED; i++) {
        /* From the oldest record on, since calls are made in this order at all members. */
        struct unmatched *s = &all->unmatched[(all->unmatched_noted + i) % UNMATCHED];
        bool fits = persistent < 0 || s->persistent == (persistent > 0);
        if (s->noted && fits && may_be(&s->list, list))
            return s;
    }
    return NULL;
}

/* The unmatched call was the next one in this table, and has ended. */
static void claim(struct open_table *table, struct unmatched *unmatched)
{
    struct slot slot = {.persistent = unmatched->persistent};
    begin(table, &slot, (enum kind)OP_BCAST, 0);
    /* If the call ended because a member is gone, that member is named to all that ask. */
    if (unmatched->dead)
        slot.operation->argument_error = failed_there(slot.operation, unmatched->dead, HN_EDEAD);
    end(slot.operation, unmatched->error);
    forget_unmatched(unmatched);
}

/* Assigns unmatched calls that may belong to this table's list before its next call. */
static void claim_all(struct open_table *table)
{
    struct unmatched *unmatched;
    /* A list with known members belongs to a multicast; other tables have no unmatched calls. */
    while (table->list.known > 0 && (unmatched = find_unmatched(table->all, -1, &table->list)))
        claim(table, unmatched);
}

/* Unmatched calls come before the next call, so they are claimed before the number is read. */
unsigned open_table_begun(struct open_table *table)
{
    pthread_mutex_lock(&table->all->lock);
    claim_all(table);
    unsigned begun = table->begun;
    pthread_mutex_unlock(&table->all->lock);
    return begun;
}

/* The operation asked about has not begun here. If it is the next one, it may be an unmatched call.
 * Searches the table of its list (NULL: there is none yet). */
static struct open_table *look_for_unmatched(struct open_tables *all, struct open_table *table,
                                             const struct argument_check *q)
{
    /* Without a list the question is about an operation of a whole group, which has no unmatched
     * calls. */
    if (q->count == 0)
        return table;
    struct open_list list = {q->whole, q->tids[0], q->count, q->tids, q->count};
    struct unmatched *s = find_unmatched(all, operation_tag_is_persistent(q->tag), &list);
    if (!s)
        return table;
    /* The member asked has never used this list. A table is made for the error, and adopted when
     * the list is opened. */
    if (!table) {
        table = new_table(all, q->context);
        if (!table)
            return NULL;
        table->orphan = true;
        table->list.whole = q->whole;
    }
    /* Only the next call of the table can be the unmatched one: earlier ones were other calls. */
    if ((unsigned)q->words[NUMBER] == table->begun)
        claim(table, s);
    return table;
}

void open_tables_forget(struct open_tables *all, hn_context whole)
{
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < UNMATCHED; i++)
        if (all->unmatched[i].noted && all->unmatched[i].list.whole == whole)
            forget_unmatched(&all->unmatched[i]);
    /* Tables of unmatched calls have no group that would close them. */
    list_for_each_safe (n, &all->list) {
        struct open_table *table = list_entry(n, struct open_table, node);
        if (table->orphan && table->list.whole == whole)
            free_table(table);
    }
    pthread_mutex_unlock(&all->lock);
}

/* ---- asking (argument_check.h) ---------------------------------------------------------- */

/* Completes a question of this member with what it knows of its operation. false: the context has
 * no table any more, so nothing is asked. */
static bool ask(void *data, struct argument_check *q)
{
    struct open_tables *all = data;
    pthread_mutex_lock(&all->lock);
    struct open_table *table = find(all, q->context);
    const struct open_operation *e = table ? operation_of(table, q->tag) : NULL;
    q->words[PLAN] = e ? e->plan : 0;
    q->words[NUMBER] = table ? number_in(table, q->tag) : 0;
    q->whole = table ? table->list.whole : 0;
    q->tids = table ? table->list.tids : NULL;
    q->count = table ? table->list.known : 0;
    pthread_mutex_unlock(&all->lock);
    return table;
}

/* The other member to blame; 0: none, or this one. */
static hn_tid blamed(const struct open_operation *e)
{
    return e->argument_error.own ? 0 : e->argument_error.other;
}

/* The words of an answer about an entry. If it has failed, the member to blame is named with the
 * error, so that the member that asked names the same cause. */
static void fill_answer(struct argument_check *q, const struct open_operation *e)
{
    int error = e->ended ? e->error : HN_OK;
    q->words[KNOWN] = error ? IS_FAILED : e->ended ? IS_ENDED : IS_KNOWN;
    q->words[KNOWN] |= error ? (uint64_t)blamed(e) << OTHER_SHIFT : 0;
    q->words[KIND] = (uint64_t)e->called.kind | (e->called.persistent ? IS_PERSISTENT : 0u);
    q->words[ROOT] = (uint64_t)e->called.root;
    q->words[PLAN] = error ? (uint64_t)error : e->plan;
}

/* Whether it has ended for good. A persistent operation is started again, so only an error ends it.
 */
static bool has_ended(const struct open_operation *e)
{
    return e->ended && (!e->called.persistent || e->error);
}

/* Whether the call at a slot differs from that of a tag. The plan counts only once it is known. */
static bool is_another(const struct open_operation *e, int tag)
{
    bool planned = e->plan; /* stored after the tag (open_table_planned()) */
    return operation_tag_differs(e->tag, tag, planned);
}

/* Whether it is the same call, which has not reached that step yet. */
static bool is_to_come(const struct open_operation *e, int tag)
{
    /* Kinds of the steps of one call ascend, so a lower one of the call is an earlier step. */
    enum kind kind = operation_tag_kind(tag);
    return !has_ended(e) &&
           operation_tag_is_persistent(e->tag) == operation_tag_is_persistent(tag) &&
           kind_call(e->called.kind) == kind_call(kind) && e->called.kind < kind;
}

/* Whether what another member waits for will never be sent. Then the words of the answer say why.
 * With the lock. */
static bool is_vain(struct open_table *table, unsigned number, struct argument_check *q)
{
    const struct open_operation *e = called_at(table, number, q->tag);
    uint64_t plan = q->words[PLAN];
    if (!has_begun(table, number))
        return false;
    /* The entry was reused. Then the operation has ended, unless more were open than the ring
     * holds. */
    if (!e) {
        q->words[KNOWN] = IS_FORGOTTEN;
        return !table->crowded &&
               (!operation_tag_is_persistent(q->tag) || table->persistent <= PERSISTENT);
    }
    /* The member that asks is at a later step of the same call: it must wait. */
    if (is_to_come(e, q->tag))
        return false;
    fill_answer(q, e);
    return is_another(e, q->tag) || (plan && e->plan && plan != e->plan) || has_ended(e);
}

/* Whether a message with this tag will never be received here. Unlike an answer this is about a
 * message that is in the inbox, without a question. */
static bool is_for_nobody(void *data, hn_context context, int tag)
{
    struct open_tables *all = data;
    struct argument_check q = {.context = context, .tag = tag};
    pthread_mutex_lock(&all->lock);
    struct open_table *table = find(all, context);
    bool vain = table && is_vain(table, number_in(table, tag), &q);
    pthread_mutex_unlock(&all->lock);
    return vain;
}

/* Answers a question of another member. true: the answer is final and is sent. It is final, too, if
 * this task has neither a table nor a group with this context. */
static bool answer(void *data, struct argument_check *q)
{
    struct open_tables *all = data;
    unsigned number = (unsigned)q->words[NUMBER];
    pthread_mutex_lock(&all->lock);
    struct open_table *table = find(all, q->context);
    if (!table || !has_begun(table, number))
        table = look_for_unmatched(all, table, q);
    bool vain = table && is_vain(table, number, q);
    bool unknown = !table && !q->has_group;
    if (!table)
        q->words[KNOWN] = IS_UNKNOWN;
    pthread_mutex_unlock(&all->lock);
    return vain || unknown;
}

/* Another member does not know the group (any more). That is final if the group that it was split
 * from is broken. The table's own group is known here; failure_known() is about the one that it was
 * split from. */
static bool is_unborn(const struct open_table *table)
{
    return table->parent && failure_known(table->parent);
}

/* Converts the words of an answer. A member that blames another one is followed, so that all name
 * the same cause. */
static struct argument_error from_answer(const struct argument_check *q, enum open_known known)
{
    hn_tid other = (hn_tid)(q->words[KNOWN] >> OTHER_SHIFT);
    struct called called = {.kind = (enum kind)(q->words[KIND] % IS_PERSISTENT),
                            .root = (int)q->words[ROOT],
                            .persistent = q->words[KIND] & IS_PERSISTENT};
    return (struct argument_error){.other = other && !q->freed ? other : q->other,
                                   .known = known,
                                   .called = called,
                                   .error = known == IS_FAILED ? (int)q->words[PLAN] : HN_OK};
}

/* Keeps the first answer. A member that knows the cause ignores members that ended for the same
 * cause. */
static bool receive(void *data, const struct argument_check *q)
{
    struct open_tables *all = data;
    enum open_known known =
        q->freed ? IS_FREED : (enum open_known)(q->words[KNOWN] % (1 << OTHER_SHIFT));
    pthread_mutex_lock(&all->lock);
    struct open_table *table = find(all, q->context);
    struct open_operation *e = table ? operation_of(table, q->tag) : NULL;
    /* The other member will never know the group, since the one that it was split from is broken.
     */
    bool unborn = table && (known == IS_UNKNOWN || known == IS_FREED) && is_unborn(table);
    bool vain = table && (known != IS_UNKNOWN || unborn);
    /* A death counts more than other causes, since all members must get the same error. */
    if (e && unborn)
        e->argument_error = failed_there(e, q->other, HN_EDEAD);
    else if (e && vain && !e->argument_error.other) {
        e->argument_error = from_answer(q, known);
        /* This member's own mistake may be the reason why plans differ; then it blames itself. */
        e->argument_error.own =
            table->mistaken && argument_error_over_plans(&e->argument_error, &e->called);
    }
    pthread_mutex_unlock(&all->lock);
    return vain;
}

/* Keeps the first cause. Notices that arrive later are consequences of it. */
void open_table_notified(struct open_table *table, int tag, hn_tid other, int error)
{
    pthread_mutex_lock(&table->all->lock);
    struct open_operation *e = operation_of(table, tag);
    if (e && !e->argument_error.other)
        e->argument_error = failed_there(e, other, error);
    pthread_mutex_unlock(&table->all->lock);
}

void open_table_met_end(struct open_table *table, int tag, hn_tid peer)
{
    /* Outside the lock, since it takes the lock of another module. */
    hn_tid before = failure_broken(table->context);
    pthread_mutex_lock(&table->all->lock);
    struct open_operation *e = operation_of(table, tag);
    /* A death replaces another cause; a second death does not replace the first one. */
    if (e && e->argument_error.error != HN_EDEAD)
        e->argument_error = failed_there(e, before ? before : peer, HN_EDEAD);
    pthread_mutex_unlock(&table->all->lock);
}

static const struct argument_checker argument_checker = {ask, answer, receive, is_for_nobody};

/* ---- explaining ------------------------------------------------------------------------- */

hn_tid open_table_blamed(const struct open_table *table, int tag)
{
    pthread_mutex_lock(&table->all->lock);
    const struct open_operation *e = operation_of((struct open_table *)table, tag);
    hn_tid other = e ? blamed(e) : 0;
    pthread_mutex_unlock(&table->all->lock);
    return other;
}

hn_tid open_table_dead(const struct open_table *table, int tag)
{
    pthread_mutex_lock(&table->all->lock);
    const struct open_operation *e = operation_of((struct open_table *)table, tag);
    hn_tid dead = e && e->argument_error.error == HN_EDEAD ? e->argument_error.other : 0;
    pthread_mutex_unlock(&table->all->lock);
    return dead;
}

int open_table_explain(struct open_table *table, int tag)
{
    struct argument_error argument_error = {0};
    struct called called = {0};
    pthread_mutex_lock(&table->all->lock);
    const struct open_operation *found = operation_of(table, tag);
    /* Copied under the lock, and put into words without it: the text needs host names. */
    if (found) {
        argument_error = found->argument_error;
        called = found->called;
    }
    pthread_mutex_unlock(&table->all->lock);
    if (!found)
        /* The entry was reused, so only the fact is known. */
        return error_set(HN_EARG, "the members do not call the same operations");
    return argument_error.other ? argument_error_explain(&argument_error, &called) : HN_EARG;
}

/* ---- calls ------------------------------------------------------------------------------ */

/* In a sequence of calls after an error, old messages are dropped four times in a round of numbers.
 */
int open_table_step(struct open_table *table, struct slot *slot, enum kind kind, int root)
{
    bool begins = !slot->taken, late = false;
    pthread_mutex_lock(&table->all->lock);
    if (begins)
        begin(table, slot, kind, root);
    else
        next_step(slot, kind, root);
    late = begins && table->late > 0 && table->late % TAG_SWEEP == 0;
    pthread_mutex_unlock(&table->all->lock);
    /* The sweep takes other locks, so it is not done with this one held. */
    if (late)
        argument_check_sweep();
    return slot->tag;
}

/* The plan is a part of the tag from now on. The tag is stored before the plan: a reader that sees
 * a plan compares the whole tag (is_another()). */
int open_table_planned(struct slot *slot, uint32_t plan, const char *name)
{
    struct open_operation *operation = slot->operation;
    uint32_t hash = 2166136261u;
    int tag = slot->tag;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    /* Members that follow plans of different names usually have different tags (see above). */
    slot->tag = operation_tag_with_plan(slot->tag, hash, slot->number);
    if (operation && operation->tag == tag) {
        atomic_store_explicit(&operation->tag, slot->tag, memory_order_relaxed);
        atomic_store_explicit(&operation->plan, plan, memory_order_release);
    }
    return slot->tag;
}

void open_table_left(struct slot *slot, int error)
{
    struct open_operation *operation = slot->operation;
    slot->operation = NULL;
    /* A later call has taken the entry: then nothing is recorded. An operation ends once only. */
    if (!operation || operation->tag != slot->tag || operation->ended)
        return;
    end(operation, error);
    /* Other members' messages for a freed request are dropped when they fill the inbox. */
    if (error >= 0)
        return;
    /* Messages for an operation that has failed may arrive for a whole round of numbers. */
    pthread_mutex_lock(&slot->table->all->lock);
    slot->table->late = 4 * TAG_SWEEP;
    pthread_mutex_unlock(&slot->table->all->lock);
    argument_check_sweep();
}

void open_table_mistake(struct open_table *table, struct slot *slot, enum kind kind, int root,
                        int error)
{
    /* A step of a call that has begun keeps the slot of the call. */
    if (!slot->taken)
        open_table_step(table, slot, kind, root);
    pthread_mutex_lock(&table->all->lock);
    table->mistaken = true;
    pthread_mutex_unlock(&table->all->lock);
    open_table_left(slot, error);
}

void open_table_refuse(struct open_table *table, struct slot *slot, enum kind kind, int root,
                       hn_tid dead)
{
    /* The slot is taken first, so that other members find the refusal under its number. */
    if (!slot->taken)
        open_table_step(table, slot, kind, root);
    open_table_met_end(table, slot->tag, dead);
    open_table_left(slot, HN_EDEAD);
}

struct open_tables *open_tables_new(void)
{
    struct open_tables *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    pthread_mutex_init(&all->lock, NULL);
    list_init(&all->list);
    return all;
}

void open_tables_free(struct open_tables *all)
{
    /* NULL is allowed. All tables of groups have been closed before. */
    if (!all)
        return;
    for (int i = 0; i < UNMATCHED; i++)
        forget_unmatched(&all->unmatched[i]);
    list_for_each_safe (n, &all->list) /* of unmatched calls */
        free_table(list_entry(n, struct open_table, node));
    pthread_mutex_destroy(&all->lock);
    free(all);
}

int open_table_open(struct open_tables *all, struct open_table **made, hn_context context,
                    const struct open_list *list)
{
    pthread_mutex_lock(&all->lock);
    /* An orphan of the same context already has the calls that were unmatched. */
    struct open_table *table = list ? find(all, context) : NULL;
    if (!table || !table->orphan)
        table = new_table(all, context);
    if (table) {
        table->orphan = false;
        table->list = list ? *list : (struct open_list){0};
    }
    pthread_mutex_unlock(&all->lock);
    *made = table;
    return table ? argument_check_start(&argument_checker, all) : HN_ENOMEM;
}

void open_table_born(struct open_table *table, hn_context parent)
{
    pthread_mutex_lock(&table->all->lock);
    table->parent = parent;
    pthread_mutex_unlock(&table->all->lock);
}

void open_table_close(struct open_table *table)
{
    if (!table)
        return;
    struct open_tables *all = table->all;
    pthread_mutex_lock(&all->lock);
    free_table(table);
    pthread_mutex_unlock(&all->lock);
}
