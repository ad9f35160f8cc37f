/* sequence.c - the queue of operations (sequence.h).
 *
 * Operations are planned one at a time, in the order in which they joined, by whichever thread
 * makes the next one ready.  A thread whose operation is planned by another waits at the entry's
 * gate. */
#include "wire/sequence.h"

void sequence_init(struct sequence *t)
{
    *t = (struct sequence){0};
    pthread_mutex_init(&t->lock, NULL);
    list_init(&t->line);
}

void sequence_free(struct sequence *t)
{
    pthread_mutex_destroy(&t->lock);
}

/* With the lock. */
static void join(struct sequence *t, struct sequence_entry *entry)
{
    entry->gate = (hn_request){0};
    entry->queued = true;
    entry->ready = false;
    list_append(&t->line, &entry->node);
}

/* Lock held. The next operation that can be planned; NULL: none, or it must wait. */
static struct sequence_entry *next(struct sequence *t)
{
    if (t->closed || list_empty(&t->line))
        return NULL;
    struct sequence_entry *entry = list_entry(t->line.next, struct sequence_entry, node);
    if (!entry->ready)
        return NULL;
    list_remove(&entry->node);
    entry->queued = false;
    return entry;
}

/* Lock held; released while an operation is planned. Plans all operations that can be planned, in
 * order. `own` belongs to the caller, which does not wait at its gate. */
static void call_line(struct sequence *t, const struct sequence_entry *own)
{
    if (t->called)
        return; /* the thread that does it continues with them */
    t->called = true;
    for (struct sequence_entry *entry; (entry = next(t));) {
        /* Without the lock: planning takes long, and may itself close the sequence. */
        pthread_mutex_unlock(&t->lock);
        if (entry->plan)
            entry->plan(entry);
        /* The entry may be freed by its owner as soon as its gate is open, so it is not used
         * afterwards. */
        if (entry != own)
            activity_open(&entry->gate);
        pthread_mutex_lock(&t->lock);
    }
    t->called = false;
}

/* With the lock. true: this thread has planned the entry. */
static bool get_ready(struct sequence *t, struct sequence_entry *entry)
{
    entry->ready = true;
    /* Otherwise another thread may plan it. */
    bool own = !t->called;
    call_line(t, own ? entry : NULL);
    return own && !entry->queued;
}

void sequence_join(struct sequence *t, struct sequence_entry *entry)
{
    pthread_mutex_lock(&t->lock);
    join(t, entry);
    pthread_mutex_unlock(&t->lock);
}

bool sequence_ready(struct sequence *t, struct sequence_entry *entry)
{
    pthread_mutex_lock(&t->lock);
    bool there = get_ready(t, entry);
    pthread_mutex_unlock(&t->lock);
    return there;
}

bool sequence_take(struct sequence *t, struct sequence_entry *entry)
{
    pthread_mutex_lock(&t->lock);
    join(t, entry);
    bool there = get_ready(t, entry);
    pthread_mutex_unlock(&t->lock);
    return there;
}

void sequence_pass(struct sequence_entry *entry)
{
    activity_await(&entry->gate);
}

/* Those behind it may be ready, so they are planned now. */
void sequence_leave(struct sequence *t, struct sequence_entry *entry)
{
    pthread_mutex_lock(&t->lock);
    if (entry->queued) {
        list_remove(&entry->node);
        entry->queued = false;
        call_line(t, NULL);
    }
    pthread_mutex_unlock(&t->lock);
}

/* Operations behind the present one wait until sequence_open(). */
void sequence_close(struct sequence *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = true;
    pthread_mutex_unlock(&t->lock);
}

void sequence_open(struct sequence *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = false;
    call_line(t, NULL);
    pthread_mutex_unlock(&t->lock);
}
