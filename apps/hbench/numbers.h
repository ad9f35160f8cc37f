/* numbers.h - numbers between the tasks that time an operation together: all that single.c and
 * common_clock.c need of those whose messages they are.
 *
 * hbench's tasks send them by hnow (numbers.c), a peer's processes by the peer (peers/ops_mpi.c,
 * peers/ops_pvm.c): so both are timed by the same code.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How many take part; rank 0 leads. */
int numbers_size(void);
/* The first rank that reads the same clock as this one; where nobody knows, the rank itself. */
int numbers_clock(int rank);
/* Both block; the order between two ranks is kept.  False: failed, and said why. */
bool numbers_send(int to, const int64_t *numbers, int n);
bool numbers_receive(int from, int64_t *numbers, int n);
