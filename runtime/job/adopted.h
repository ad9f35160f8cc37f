/* adopted.h - how a process that no agent started gets a task's place from a stand-in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ADOPTED_DESCRIPTORS = 3, ADOPTED_WORDS = 1 << 16 /* bytes */ };

/* Whether an agent, or a stand-in, has given this process its place already. */
bool adopted_already(void);
/* Puts what came from a stand-in into the environment: its descriptors, and "HNOW_...=..." words of
 * `size` bytes, each with its 0, which are changed meanwhile. */
void adopted_take(char *words, size_t size, const int descriptors[ADOPTED_DESCRIPTORS]);

/* For a process that PMI's launcher started (pmi.h): all of its job's processes become the tasks of
 * one job of hnow, of the same ranks.  Blocks until all have called it.  HN_ESTART, HN_ESYS. */
int launched_take(void);
/* Of such a process, in hn_abort(): its launcher is to end with that status. */
void launched_abort(int status, const char *why);
/* Of such a process, in hn_exit(): from here on it may end as it likes. */
void launched_leave(void);
