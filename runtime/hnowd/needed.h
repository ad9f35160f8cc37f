/* needed.h - which of some shared objects a program needs, directly or through other ones. */
#pragma once

/* Reads the program's ELF file and those of the shared objects it needs, as the loader would find
 * them: in DT_RPATH and DT_RUNPATH, in `search` (the program's LD_LIBRARY_PATH, NULL: none), in the
 * loader's cache and in /lib and /usr/lib.  Returns the index in `names` (NULL at the end) of the
 * first one it finds, breadth first; -1: the program needs none of them, or is no ELF file of this
 * machine.
 *
 * Files may be damaged or hostile: every offset is checked, at most NEEDED_MOST objects are read.
 */
enum { NEEDED_MOST = 1024 };
int needed_find(const char *program, const char *search, const char *const *names);
