/* traffic.h - ambient traffic: tasks of the job that send to each other while something else runs.
 *
 * Every task but 0 sends packet-sized messages to one other task, chosen by the seed, at a steady
 * rate.  The traffic is bounded by that rate, and by a window of unanswered messages, so that no
 * backlog builds up in a congested network.
 *
 * Task 0 takes no part, because it measures something else at the same time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Tasks 1 ... n - 1: sends until task 0 stops it. rate: bytes per second of each.  Returns false
 * after printing an error. */
bool traffic_make(int64_t rate, uint64_t seed);
/* Task 0: ends the traffic, and waits until nothing is in transit; *sent: bytes sent by all
 * tasks. */
bool traffic_stop(int64_t *sent);
