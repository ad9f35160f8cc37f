/* mover.h - a thread that moves bytes over a plain socket while its task computes.
 *
 * What programs without hnow do to hide a transfer, and so what hnow's own is measured beside.
 */
#pragma once

#include "wire.h"

#include <pthread.h>
#include <semaphore.h>

struct mover {
    struct pair *pair;
    pthread_t thread;
    sem_t begin, end;
    bool started;
    /* of the transfer that is going on */
    bool sends, stop, good;
    size_t bytes;
};

/* Starts the thread, which sleeps.  The pair must have its plain socket, and stay where it is.
 * False: failed, and said why. */
bool mover_start(struct mover *m, struct pair *p);
/* Ends it, between transfers; nothing when it was not started. */
void mover_stop(struct mover *m);

/* Begins to send (and then to wait for one byte, which says that all has arrived), or to receive.
 * Does not block. */
void mover_begin(struct mover *m, bool sends, size_t bytes);
/* Waits until that is over.  False: it failed, and said why. */
bool mover_end(struct mover *m);
