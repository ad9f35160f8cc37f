/* replace.h - writes a file so that its old content stays until the new one is complete: a full
 * disk, or a process that is killed, leaves the old file as it was. */
#pragma once

#include <stdio.h>

/* A file that is being written. */
struct replacement {
    FILE *file;       /* NULL: none is open */
    const char *path; /* as the user named it, for messages */
    char *target;     /* the same file without symbolic links; NULL: written directly */
    char *beside;     /* the temporary file in the same directory; NULL: none, or renamed */
};

/* Opens a file for writing.  A regular file, and one that does not exist yet, is written beside:
 * to a temporary file with the mode of the old one.  Written directly are standard output ("-"),
 * devices and pipes, a file that one of this process's standard descriptors writes to, and files of
 * directories in which this process can make no file.  The path must outlive the struct.
 * HN_ESYS, with a text that names the path: nothing is open then, and replace_close() is allowed
 * but not needed.  Opening a pipe waits for its reader. */
int replace_open(struct replacement *r, const char *path);

/* Opens a file to be appended to: directly. Errors as above. */
int replace_append(struct replacement *r, const char *path);

/* Gives the file its name when all bytes are on the disk.  It stays open, and what is written
 * later goes into the file itself.  Repeated calls only flush.  HN_ESYS: see errno, too. */
int replace_commit(struct replacement *r);

/* Closes the file and frees what the struct has.  With HN_OK the file is committed before;
 * otherwise the old content is kept.  Returns `code`, or HN_ESYS if the commit failed. */
int replace_close(struct replacement *r, int code);
