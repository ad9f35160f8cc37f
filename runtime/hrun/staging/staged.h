/* staged.h - finds the files that a program needs on a host without any: itself, its libraries, its
 * loader (hrun -stage).
 *
 * Files are read again for each piece, so the memory in use is that of the pieces that hosts have
 * requested.
 */
#pragma once

#include "protocol/stage.h"

#include <stdbool.h>

/* A part of a file in the form in which it is sent. */
struct staged_piece {
    uint8_t *data; /* NULL: not requested yet */
    size_t n;      /* less than the part of the file: compressed by zlib */
};

/* A file to be staged.  Its pieces are read when a host requests them, and kept until
 * staged_free(). */
struct staged_file {
    char *path; /* the local path */
    char *name; /* the name that the loader looks for */
    char hash[STAGE_HASH];
    uint64_t size;
    struct staged_piece *piece; /* STAGE_PIECE bytes each; the last one is shorter */
};

/* File 0 is the program; if `loader`, the last file is its loader. */
struct staged {
    struct staged_file *file;
    int n;
    bool loader;
};

/* Finds all files that the program at this path needs, and reads them once.  A program for another
 * machine, a static one and a script are staged alone.  HN_OK, or an error with hn_error_text().
 * The caller calls staged_free() in both cases. */
int staged_open(struct staged *staged, const char *path);
void staged_free(struct staged *staged);
/* Reads a whole file, *size bytes, which the caller frees.  NULL: see hn_error_text(). */
uint8_t *staged_load(const char *path, uint64_t *size);
/* Compresses the bytes in gzip format; the caller frees the result.  NULL: out of memory. */
uint8_t *staged_pack(const uint8_t *data, size_t n, size_t *packed);
/* The piece of a file that begins at the offset, a multiple of STAGE_PIECE, and the bytes of the
 * file in it.  NULL: the file has changed or cannot be read, or out of memory.  It is read and
 * compressed at the first request, and kept, because a job may send it to many hosts. */
const struct staged_piece *staged_piece(struct staged_file *file, uint64_t offset, size_t *bytes);
