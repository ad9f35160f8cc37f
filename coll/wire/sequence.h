/* sequence.h - operations of a group are planned one at a time, in the order in which they are
 * started.
 *
 * What remains to be agreed at the end of an operation (adapt.h) may change the plans of later
 * operations. Usually nothing remains, and an operation gets its turn at once. Otherwise
 * it queues. When everything is agreed, the queued operations are planned, until one of them ends
 * a window again. An operation that does not know its sizes yet joins the queue first and becomes
 * ready later. Operations behind it are not planned until then.
 */
#pragma once

#include "runtime/internal.h"
#include "job/internal.h"

#include <pthread.h>

/* One for each order of a group (plan_order.h). The lock protects all fields, and is never held
 * while an operation is planned. */
struct sequence {
    pthread_mutex_t lock;
    bool closed; /* something has to be agreed */
    bool called; /* a thread is planning; it will plan the queued operations */
    struct list_node line;
};

/* An operation in the sequence; a part of the call, which must not be moved while it is queued. */
struct sequence_entry {
    struct list_node node;
    bool queued, ready;
    void (*plan)(struct sequence_entry *entry); /* called in order, by any thread */
    hn_request gate;                            /* done after that call: an activity can await it */
};

void sequence_init(struct sequence *sequence);
void sequence_free(struct sequence *sequence);
/* Joins the queue. */
void sequence_join(struct sequence *sequence, struct sequence_entry *entry);
/* The operation is ready to be planned. true: entry->plan() has been called. false: another thread
 * will call it; sequence_pass() waits for that. */
bool sequence_ready(struct sequence *sequence, struct sequence_entry *entry);
/* sequence_join() and sequence_ready(). */
bool sequence_take(struct sequence *sequence, struct sequence_entry *entry);
void sequence_pass(struct sequence_entry *entry);
/* Leaves the queue, if the operation was queued and not ready. */
void sequence_leave(struct sequence *sequence, struct sequence_entry *entry);
/* Closed while an operation is planned: no other operation is planned until sequence_open(). */
void sequence_close(struct sequence *sequence);
void sequence_open(struct sequence *sequence);
