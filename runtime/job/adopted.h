/* adopted.h - how a process that no agent started becomes a task: a stand-in (a process that an
 * agent started) hands over its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ADOPTED_DESCRIPTORS = 3, ADOPTED_WORDS = 1 << 16 /* bytes */ };

/* Whether this process is a task already, through an agent or a stand-in. */
bool adopted_already(void);
/* Takes over a stand-in's place: its descriptors, and its environment as "HNOW_...=..." strings of
 * `size` bytes in all, each with a terminating 0.  Modifies the strings. */
void adopted_take(char *words, size_t size, const int descriptors[ADOPTED_DESCRIPTORS]);

/* For a process that a PMI launcher started (pmi.h): all processes of the launcher's job become the
 * tasks of one job of hnow, with the same ranks.  Blocks until all have called it.  HN_OK,
 * HN_ESTART or HN_ESYS. */
int launched_take(void);
/* For such a process, in hn_abort(): requests that its launcher ends with that status. */
void launched_abort(int status, const char *why);
/* For such a process, in hn_exit(): its later end is not a failure for the launcher. */
void launched_leave(void);
