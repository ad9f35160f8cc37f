/* timers.c - see timers.h.
 *
 * The kernel's scheduler counts, for each thread, nanoseconds on a processor and nanoseconds ready
 * but without one (/proc/thread-self/schedstat; Documentation/scheduler/sched-stats.rst).  Reading
 * them takes some microseconds.
 *
 * Waiting for a processor counts as busy: a task on a loaded host needs less work, not more.
 */
#include "timers.h"

#include <stdio.h>
#include <time.h>

/* Its zero is arbitrary; only differences have a meaning. */
double timers_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that the thread has run, or has waited for a core. -1: not known. */
double timers_busy(void)
{
    unsigned long long ran = 0, ready = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (!file)
        return -1;
    int got = fscanf(file, "%llu %llu", &ran, &ready);
    fclose(file);
    return got == 2 && ran + ready > 0 ? 1e-9 * ((double)ran + (double)ready) : -1;
}
