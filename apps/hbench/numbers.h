/* numbers.h - exchanges numbers between the tasks that time an operation together: the only
 * communication that single.c and common_clock.c need.
 *
 * hbench's tasks use hnow (numbers.c), a peer's processes use the peer (peers/peer_mpi.c,
 * peers/peer_pvm.c).  So both are timed by the same code.
 *
 * Numbers are int64_t in the sender's byte order; each system converts them itself.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Number of participants; rank 0 leads. */
int numbers_size(void);
/* The first rank that reads the same clock as this one; if unknown, the rank itself. */
int numbers_clock(int rank);
/* Both block; messages between two ranks arrive in order.  They return false after printing an
 * error. */
bool numbers_send(int to, const int64_t *numbers, int n);
bool numbers_receive(int from, int64_t *numbers, int n);
