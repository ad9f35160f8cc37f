/* pvm_descriptor.c - pvm_getfds(), for programs that use select() for messages and other input.
 *
 * hnow has no descriptor that becomes readable when a message arrives: its background thread reads
 * all connections.  So a thread probes for messages in the program's context, and makes an eventfd
 * readable.  Each receive resets the eventfd, and the thread probes again.
 *
 * A readable descriptor means that a receive is worth a try, not that it succeeds: another
 * thread may take the message first. It becomes readable a little after the message has arrived.
 */
#include "vm.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { LOOK = 100 }; /* milliseconds after which it adopts a changed context */

/* The eventfd, and the semaphore for which the thread waits after it has made it readable. */
static struct {
    int readable; /* 0: pvm_getfds() was not called */
    sem_t again;  /* posted when it was reset */
} watch;

/* A signal may interrupt the wait. */
static void wait_for_reset(void)
{
    /* The value does not matter; each write makes it readable. */
    eventfd_write(watch.readable, 1);
    while (sem_wait(&watch.again) != 0)
        ;
}

/* Runs until the process ends. It only probes, so it takes no message away. */
static void *watch_messages(void *unused)
{
    hn_info info;

    for (;;) {
        /* The program may have changed its context since the last round. */
        vm_follow_context();
        int result = hn_probe_timeout(HN_ANY, HN_ANY, LOOK, &info);
        /* The message stays where it is. */
        if (result == HN_OK)
            wait_for_reset();
        else if (result != HN_ETIMEOUT) /* no task is left that could send, or this task has left */
            /* Without the pause the loop would use a whole core. */
            nanosleep(&(struct timespec){.tv_nsec = LOOK * 1000000}, NULL);
    }
    return unused;
}

/* Blocks all signals, which are meant for the program's threads. */
static bool start_thread(void)
{
    pthread_t thread;
    sigset_t all, before;

    /* The mask is inherited by the new thread, so it is set around its creation. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, watch_messages, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        pthread_detach(thread);
    return error == 0;
}

/* The descriptor is not inherited by programs that the task starts. */
static int start_watch(void)
{
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

    if (fd < 0)
        return PvmSysErr;
    /* Before the thread starts, which uses both. */
    sem_init(&watch.again, 0, 0);
    watch.readable = fd;
    if (start_thread())
        return PvmOk;
    watch.readable = 0;
    close(fd);
    return PvmNoMem;
}

/* If messages are left, the thread makes it readable again. */
void vm_descriptor_reset(void)
{
    eventfd_t set;

    /* If it was not readable, the thread does not wait, and needs no post. */
    if (watch.readable && eventfd_read(watch.readable, &set) == 0)
        sem_post(&watch.again);
}

static int descriptors(int **list)
{
    /* The thread is started by the first call, and serves all later ones. */
    int result = watch.readable ? PvmOk : start_watch();

    if (list)
        *list = &watch.readable;
    return result == PvmOk ? 1 : result;
}

/* Returns the number of descriptors, which is 1. The program must not read it or close it. */
int pvm_getfds(int **list)
{
    return VM_CALL(descriptors(list));
}
