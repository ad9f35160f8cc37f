/* bench_clock.c - the clock of the parts of hplan -bench (bench.h). */
#include "bench.h"

#include <time.h>

/* CLOCK_PROCESS_CPUTIME_ID: other programs on the machine change it little. */
double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
