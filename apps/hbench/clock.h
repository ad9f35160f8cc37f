/* clock.h - time, and processor time of this process. Peers' programs use the same functions, so
 * that both sides are timed alike. */
#pragma once

#include <stdint.h>

/* CLOCK_MONOTONIC, nanoseconds. */
int64_t clock_now(void);
/* Seconds since a point in time. */
double clock_since(int64_t start);
/* Seconds of processor time of all threads of this process so far, in user and kernel mode. */
double clock_cpu(void);
