/* err.h - error reporting in hmd.
 *
 * A function that can fail takes a struct err and returns 0 or a status: ERR_INPUT for errors in
 * the user's input (exit status 2), ERR_RUN for everything else (1).  The text is one line
 * "FILE:LINE: what is wrong: what to do", without the tool's name. main() prints it once, on rank
 * 0, unless only another task has the error (mine).
 */
#pragma once

#include <stdio.h>

struct replacement;

enum { ERR_RUN = 1, ERR_INPUT = 2 }; /* exit status */

/* One for a run, on the stack of main(). The first error stops the program, so it is written
 * once. */
struct err {
    int status;     /* 0, ERR_RUN or ERR_INPUT */
    int mine;       /* only this task has the error: it prints the text, whatever its rank */
    int common;     /* all tasks know that one of them has failed */
    char text[512]; /* one line, no newline; "": another task reports the error */
};

/* Stores the text (printf-like) and returns status, for `return err_set(e, ERR_INPUT, ...)`.
 * Control characters, for example from a file, are made visible. */
int err_set(struct err *e, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Opens a file for writing (replace.h).  NULL, with ERR_RUN in *e, if that fails. */
FILE *err_create(struct replacement *r, const char *path, struct err *e);
/* Checks whether a file can be created there (NULL: none), before the work that produces its
 * contents.  Returns 0 or ERR_RUN.  An existing file is not changed. */
int err_try(const char *path, struct err *e);
/* Stores the library's error text, if code is one.  Returns 0 or ERR_RUN. */
int err_of(int code, struct err *e);
/* Closes a file that was written; the old one is replaced.  Returns 0, or ERR_RUN if not all of it
 * is on the disk: the old one remains. */
int err_close(struct replacement *r, struct err *e);
