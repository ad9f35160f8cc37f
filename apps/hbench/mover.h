/* mover.h - a thread that moves bytes over a plain socket while its task computes.
 *
 * Programs without hnow hide a transfer in this way; so it is the reference for hnow's own overlap.
 */
#pragma once

#include "wire.h"

#include <pthread.h>
#include <semaphore.h>

/* The thread of one task.  It must not move in memory while it runs. */
struct mover {
    struct pair *pair;
    pthread_t thread;
    /* Posted by the task and by the thread, once for each transfer. */
    sem_t begin, end;
    bool started;
    /* of the current transfer */
    bool sends, stop, good;
    size_t bytes;
};

/* Starts the thread, which sleeps.  The pair must have its plain socket, and must not move.
 * Returns false after printing an error. */
bool mover_start(struct mover *m, struct pair *p);
/* Ends the thread, between transfers; does nothing if it was not started. */
void mover_stop(struct mover *m);

/* Begins to send (and then to wait for a one-byte acknowledgement), or to receive.  Does not
 * block. */
void mover_begin(struct mover *m, bool sends, size_t bytes);
/* Waits until the transfer is complete.  Returns false after printing an error. */
bool mover_end(struct mover *m);
