/* clock.h - the time, and the processor time of this process. */
#pragma once

#include <stdint.h>

/* CLOCK_MONOTONIC, nanoseconds. */
int64_t clock_now(void);
/* Seconds from a moment until now. */
double clock_since(int64_t start);
/* Seconds that all threads of this process have computed so far, in system calls or not. */
double clock_cpu(void);
