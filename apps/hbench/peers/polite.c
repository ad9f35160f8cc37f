/* polite.c - a library for LD_PRELOAD that makes a polling program sleep now and then.
 *
 * MPI libraries wait by polling.  If a machine runs more of their processes than it has processors,
 * for example when its network namespaces are used as hosts, each takes processor time from the one
 * that it waits for.  An operation then takes time slices of the scheduler instead of the network's
 * time.  This library lets the twenty-first unsuccessful poll in a row block, for at most a
 * millisecond, until one of all the descriptors that the thread polls is ready.  So a process that
 * really waits yields its processor, and continues as soon as something arrives.
 *
 * Only calls with a timeout of 0 are changed: these are polls. State is kept for each thread, as
 * each waits for itself. Programs that never poll in vain are not slowed down.
 */
#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>

/* KNOWN: epoll sets of a thread; a library has one or two. IDLE_MOST: polls without success
 * before the first sleep, so that short waits stay fast. */
enum { IDLE_MOST = 20, KNOWN = 16, SLEEP_MS = 1 };

typedef int wait_function(int set, struct epoll_event *events, int most, int milliseconds);
typedef int poll_function(struct pollfd *fds, nfds_t n, int milliseconds);

static __thread int idle;                  /* unsuccessful polls in a row */
static __thread struct pollfd sets[KNOWN]; /* the epoll sets that are polled in turn */
static __thread int known;

static void know(int set)
{
    for (int i = 0; i < known; i++)
        if (sets[i].fd == set)
            return;
    /* Further sets are not awaited; the sleep then ends after SLEEP_MS. */
    if (known < KNOWN)
        sets[known++] = (struct pollfd){.fd = set, .events = POLLIN};
}

/* Milliseconds that the next poll may block: 0 unless many polls found nothing. */
static int patience(void)
{
    return idle > IDLE_MOST ? SLEEP_MS : 0;
}

/* Counts polls that found nothing. Errors (-1) count as found. */
static int seen(int found)
{
    idle = found == 0 ? idle + 1 : 0;
    return found;
}

/* The real function is looked up once; two threads may do so at the same time, with one result. */
int poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
    static poll_function *real;

    if (!real)
        real = (poll_function *)dlsym(RTLD_NEXT, "poll");
    return milliseconds == 0 ? seen(real(fds, n, patience())) : real(fds, n, milliseconds);
}

/* Sleeps on all sets of the thread, then looks at the one that was asked for. */
int epoll_wait(int set, struct epoll_event *events, int most, int milliseconds)
{
    static wait_function *real;
    static poll_function *real_poll;

    if (!real) {
        real_poll = (poll_function *)dlsym(RTLD_NEXT, "poll");
        real = (wait_function *)dlsym(RTLD_NEXT, "epoll_wait");
    }
    /* The program waits anyway. */
    if (milliseconds != 0)
        return real(set, events, most, milliseconds);
    know(set);
    if (patience() > 0)
        real_poll(sets, (nfds_t)known, SLEEP_MS);
    return seen(real(set, events, most, 0));
}
