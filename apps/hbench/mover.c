/* mover.c - a thread that makes blocking calls, started by semaphores (mover.h).
 *
 * Between mover_begin() and mover_end() the struct belongs to the thread, otherwise to the task.
 * The semaphores order their accesses, so no lock is needed. */
#include "mover.h"

#include "fail.h"
#include "raw_tcp.h"

#include <errno.h>

/* Signals interrupt sem_wait(), and mean nothing here. */
static void await(sem_t *s)
{
    while (sem_wait(s) < 0 && errno == EINTR)
        ;
}

static void *move(void *arg)
{
    struct mover *m = arg;
    struct pair *p = m->pair;

    /* The acknowledgement of one byte shows that the other task has received everything. */
    for (;;) {
        char arrived;

        await(&m->begin);
        /* Only set between transfers, so nothing is in progress. */
        if (m->stop)
            return NULL;
        m->good = m->sends ? raw_tcp_put(p->raw, p->out, m->bytes, false) &&
                                 raw_tcp_take(p->raw, &arrived, 1, false)
                           : raw_tcp_take(p->raw, p->in, m->bytes, false);
        sem_post(&m->end);
    }
}

bool mover_start(struct mover *m, struct pair *p)
{
    *m = (struct mover){.pair = p};
    sem_init(&m->begin, 0, 0);
    sem_init(&m->end, 0, 0);
    /* The function returns its error instead of setting errno. */
    errno = pthread_create(&m->thread, NULL, move, m);
    m->started = errno == 0;
    return m->started || fail_system("raw TCP: pthread_create");
}

void mover_stop(struct mover *m)
{
    if (!m->started)
        return;
    /* The semaphore orders this store before the thread's load. */
    m->stop = true;
    sem_post(&m->begin);
    pthread_join(m->thread, NULL);
    sem_destroy(&m->begin);
    sem_destroy(&m->end);
    m->started = false;
}

void mover_begin(struct mover *m, bool sends, size_t bytes)
{
    m->sends = sends;
    m->bytes = bytes;
    sem_post(&m->begin);
}

/* The thread has printed an error, if any. */
bool mover_end(struct mover *m)
{
    await(&m->end);
    return m->good;
}
