/* sequence.h - operations of a group are planned one at a time, in the order in which they are
 * started.
 *
 * What an operation leaves to be settled at its end (adapt.h) may change the plans of later
 * operations. Usually nothing has to be settled, and an operation gets its turn at once. Otherwise
 * it queues. When everything is settled, the queued operations are planned, until one of them ends
 * a window again. An operation that does not know its sizes yet joins the queue first and becomes
 * ready later. Operations behind it are not planned until then.
 */
#pragma once

#include "runtime/internal.h"
#include "job/internal.h"

#include <pthread.h>

struct sequence {
    pthread_mutex_t lock;
    bool closed; /* something has to be settled */
    bool called; /* a thread is planning; it will call the queued turns */
    struct list_node line;
};

struct turn {
    struct list_node node;
    bool in_line, ready;
    void (*plan)(struct turn *turn); /* called when the turn comes, in any thread; NULL: nothing */
    hn_request gate;                 /* done after that call: an activity can await it */
};

void sequence_init(struct sequence *sequence);
void sequence_free(struct sequence *sequence);
/* Joins the queue. */
void turn_join(struct sequence *sequence, struct turn *turn);
/* The operation is ready to be planned. true: turn->plan() has been called. false: another thread
 * will call it; turn_pass() waits for that. */
bool turn_ready(struct sequence *sequence, struct turn *turn);
/* turn_join() and turn_ready(). */
bool turn_take(struct sequence *sequence, struct turn *turn);
void turn_pass(struct turn *turn);
/* Leaves the queue, if the turn was queued and not ready. */
void turn_leave(struct sequence *sequence, struct turn *turn);
/* Closed during an operation's turn: no other operation is planned until sequence_open(). */
void sequence_close(struct sequence *sequence);
void sequence_open(struct sequence *sequence);
