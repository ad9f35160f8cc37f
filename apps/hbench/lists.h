/* lists.h - the messages of the multimulticast benchmark.  As in Wu's simulations every task is a
 * source with random destinations. Nothing is exchanged: every task computes all lists from the
 * ranks. */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>

/* True if a task receives another one's message: equal at every task and in every run, true for
 * half of all pairs. */
bool lists_reach(int source, int to);

/* Makes a message of each of n tasks, with NULL buffers, to be freed by free().  NULL: out of
 * memory. */
hn_multicast_message *lists_new(int n, size_t bytes);
