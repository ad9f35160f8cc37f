/* lists.h - the messages of the multimulticast benchmark: as in Wu's simulations every task is a
 * source, and its destinations are drawn at random. */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>

/* Whether a task gets the message of another one: the same at every task and in every run, true
 * for half of all pairs. */
bool lists_reach(int source, int to);

/* A message of each of n tasks, the buffers NULL; lists_free() gives it back.  NULL: no memory. */
hn_multicast_message *lists_new(int n, size_t bytes);
void lists_free(hn_multicast_message *messages);
