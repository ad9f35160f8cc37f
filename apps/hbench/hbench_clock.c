/* hbench_clock.c - time (clock.h). Processor time includes threads of hnow that run in the
 * background, which is what a program pays for its messages. */
#include "clock.h"

#include <time.h>

/* CLOCK_MONOTONIC is never stepped, and all processes of a host read the same one. */
static int64_t nanoseconds(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t clock_now(void)
{
    return nanoseconds(CLOCK_MONOTONIC);
}

double clock_since(int64_t start)
{
    return (double)(clock_now() - start) * 1e-9;
}

/* Costs a system call, unlike the monotonic clock. */
double clock_cpu(void)
{
    return (double)nanoseconds(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}
