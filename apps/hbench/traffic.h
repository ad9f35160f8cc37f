/* traffic.h - ambient traffic: tasks of the job that send to each other while something else runs.
 *
 * Every task but 0 sends messages of a packet's size to one other task, chosen by the seed, at a
 * steady rate.  It is bounded twice: by the rate, and by a window of messages that have not been
 * answered, so that nothing piles up where the network has no room.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Tasks 1 ... n - 1: sends until task 0 stops it.  rate: bytes a second of each.  False: failed,
 * and said why. */
bool traffic_make(int64_t rate, uint64_t seed);
/* Task 0: ends it, and waits until nothing is under way any more; *sent: bytes that all have sent.
 */
bool traffic_stop(int64_t *sent);
