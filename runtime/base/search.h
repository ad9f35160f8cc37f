/* search.h - finds programs, as a shell does. */
#pragma once

#include <stdbool.h>

/* The path of the running program, which the caller frees; NULL: unknown.  Without /proc it is the
 * path that execve() got.  It is absolute, or relative to a directory that must still be the
 * current one. */
char *search_self(void);
/* Whether path is a regular file that may be executed. */
bool search_is_program(const char *path);
/* The first program with this name in a list of directories like $PATH (NULL: none); the caller
 * frees it.  NULL: there is none.  Empty elements of the list are skipped. */
char *search_program(const char *list, const char *name);
