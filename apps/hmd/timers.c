/* timers.c - see timers.h. */
#include "timers.h"

#include <time.h>

double timers_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
