/* self.h - the location of hbench: the programs that it starts are next to it. The kernel's
 * answer (/proc/self/exe) is used and not argv[0], since hrun may start hbench by a name from
 * the PATH. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Stores hbench's path, and the length of its directory with the final slash. Returns false after
 * printing an error. */
bool self_find(char path[PATH_MAX], size_t *directory);
/* Stores the path of a file next to hbench. Returns false if it does not exist. The file need
 * not be a program: a library for LD_PRELOAD is found in the same way. */
bool self_beside(const char *name, char path[PATH_MAX]);

/* Stores how to start a tool of hnow: from next to hbench, where it is installed; from two
 * directories above, in a build tree; else by name, from the PATH. Returns false, after printing an
 * error, if hbench's location is unknown. */
bool self_tool(const char *name, char path[PATH_MAX]);
