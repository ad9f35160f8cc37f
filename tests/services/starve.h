/* starve.h - memory that runs out: malloc(), calloc(), realloc() and aligned_alloc() of the program
 * that links this, and of all its libraries, fail when the test says so. */
#pragma once

#include <stdbool.h>

/* The nth allocation of the calling thread from now on fails (1: the next one); `on`: all behind it
 * fail, too. */
void starve_begin(unsigned nth, bool on);
/* Memory is there again.  Returns whether an allocation has failed since starve_begin(). */
bool starve_end(void);
/* Blocks of all threads that have been allocated and not freed. */
long starve_live(void);
