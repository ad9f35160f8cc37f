/* search.h - finding programs, as a shell finds them. */
#pragma once

#include <stdbool.h>

/* The path of the running program, to be freed; NULL: it is not known.  Without /proc it is what
 * the kernel was given at execve(), absolute or from a directory that must still be the present
 * one. */
char *search_self(void);
/* An ordinary file that may be executed. */
bool search_is_program(const char *path);
/* The first program of this name in a list of directories like $PATH (NULL: none), to be freed;
 * NULL when there is none.  Empty elements of the list are left out. */
char *search_program(const char *list, const char *name);
