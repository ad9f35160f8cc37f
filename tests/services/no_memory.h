/* no_memory.h - what the parts of no_memory_task share: whose memory runs out, where, and the calls
 * that are made then. */
#pragma once

#include "hnow.h"
#include "starve.h"

#include <stddef.h>

enum { LONG = 300000, NTH_MOST = 400, ECHO = 1, GONE = 2, QUIT = 3, GO = 4 };
enum { CASE_TIME = 60 /* s */ };

/* The allocation that fails now, whether all later ones fail, too, and whether one has failed. */
extern unsigned nth;
extern bool on, starved;
extern const char *current; /* the call */
extern char in[LONG], out[LONG];
extern hn_tid self, partner;
extern hn_group *alone; /* a group of this task */

/* Makes the call without memory; its result is in `result`, too. */
#define TRY(call) (starve_begin(nth, on), tried(&result, (call)))
int tried(int *result, int value);
/* Whether a result is one that is allowed; says so otherwise. */
bool good(int result);

/* A buffer with something in it, made with memory. */
hn_buffer *filled_buffer(void);

struct what {
    const char *name;
    int (*f)(void);
};
#define CASE(f)                                                                                    \
    {                                                                                              \
#f, f                                                                                      \
    }
/* What one task does by itself (no_memory_calls.c, no_memory_groups.c), each ends without a name.
 */
extern const struct what task_calls[], group_calls[];
/* What all members of a group do (no_memory_operations.c); NULL: all of it. */
void starve_operations(const char *only);
