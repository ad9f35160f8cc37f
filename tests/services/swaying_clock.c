/* swaying_clock.c - preloaded, it makes the monotonic clock run faster for two seconds, then slower
 * for two seconds, and so on, as if it were corrected all the time.  All processes that preload it
 * see the same clock, which is up to a millisecond ahead of the real one.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000, PART = 2000 /* 500 ppm, as fast as adjtime(3) corrects */ };

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result != 0 || clock != CLOCK_MONOTONIC)
        return result;
    long rising = (now->tv_sec % 2 * SECOND + now->tv_nsec) / PART;
    now->tv_nsec += now->tv_sec % 4 < 2 ? rising : 2 * SECOND / PART - rising;
    if (now->tv_nsec >= SECOND) {
        now->tv_nsec -= SECOND;
        now->tv_sec++;
    }
    return 0;
}
