/* self.h - where hbench itself is: the programs that it starts stand beside it. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* hbench's own path, and the length of its directory with the last slash; false: it has been said
 * why it cannot be known. */
bool self_find(char path[PATH_MAX], size_t *directory);
/* The path of the file of that name beside hbench; false: there is none. */
bool self_beside(const char *name, char path[PATH_MAX]);

/* How a tool of hnow is started: beside hbench, where it is installed; two directories up, where it
 * was built; else by its name alone, from the PATH. False: it has been said why hbench's own place
 * cannot be known. */
bool self_tool(const char *name, char path[PATH_MAX]);
