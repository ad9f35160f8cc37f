/* needed.h - finds which shared objects a program needs, directly or indirectly. */
#pragma once

#include <stdbool.h>

/* Reads the program's ELF file and those of its shared objects, in the loader's search order:
 * DT_RPATH and DT_RUNPATH, `search` (the program's LD_LIBRARY_PATH, NULL: none), the loader's
 * cache, /lib and /usr/lib.  Returns the index in `names` (ending with NULL) of the first object
 * that it finds, breadth first. -1: the program needs none of them, or is no ELF file of this
 * machine.
 *
 * Files may be damaged or hostile: every offset is checked, and at most NEEDED_MOST objects are
 * read.
 */
enum { NEEDED_MOST = 1024 };
int needed_find(const char *program, const char *search, const char *const *names);
/* Whether the names of the program's own symbols and objects contain a text. */
bool needed_mentions(const char *program, const char *text);
