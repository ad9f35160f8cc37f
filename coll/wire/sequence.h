/* sequence.h - operations of a group are planned in the order in which they are started, one after
 * the other, although what an operation leaves to be settled at its end (adapt.h) may change the
 * plans of those behind it: they take turns.
 *
 * While nothing is to be settled, which is nearly always, a turn is there at once.  Else the
 * operation gets in line; when all is settled, those in line are planned, until one of them closes
 * a window again.  An operation that cannot be planned yet, since it does not know its sizes, joins
 * the line first and says later that it is ready; until then, nobody behind it is planned.
 */
#pragma once

#include "runtime/internal.h"
#include "job/internal.h"

#include <pthread.h>

struct sequence {
    pthread_mutex_t lock;
    bool closed; /* something is to be settled */
    bool called; /* somebody plans, and calls those in line then */
    struct list_node line;
};

struct turn {
    struct list_node node;
    bool in_line, ready;
    void (*plan)(struct turn *turn); /* called when it is there, in any thread; NULL: nothing is */
    hn_request gate;                 /* done when that has been called: an activity can await it */
};

void sequence_init(struct sequence *sequence);
void sequence_free(struct sequence *sequence);
/* Gets in line. */
void turn_join(struct sequence *sequence, struct turn *turn);
/* Now turn->plan() can be called.  True: it has been, here.  False: it will be, in another thread;
 * turn_pass() waits for that. */
bool turn_ready(struct sequence *sequence, struct turn *turn);
/* Both at once. */
bool turn_take(struct sequence *sequence, struct turn *turn);
void turn_pass(struct turn *turn);
/* Gives a turn up that has not been ready, if it was in line. */
void turn_leave(struct sequence *sequence, struct turn *turn);
/* While an operation is planned that has its turn: none follows until turns_open(). */
void sequence_close(struct sequence *sequence);
void sequence_open(struct sequence *sequence);
