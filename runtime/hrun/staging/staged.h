/* staged.h - the files that a program needs on a host that has nothing: itself, its libraries, its
 * loader (hrun -stage). */
#pragma once

#include "protocol/stage.h"

#include <stdbool.h>

/* A part of a file as it is sent. */
struct staged_piece {
    uint8_t *data; /* NULL: nobody has wanted it yet */
    size_t n;      /* fewer than its part of the file: packed by zlib */
};

struct staged_file {
    char *path; /* here */
    char *name; /* under which the loader looks for it */
    char hash[STAGE_HASH];
    uint64_t size;
    struct staged_piece *piece; /* each of STAGE_PIECE bytes, the last one of the rest */
};

/* The program is file 0; with loader, the last one is what starts it. */
struct staged {
    struct staged_file *file;
    int n;
    bool loader;
};

/* Finds out what the program at this path needs and reads it all once.  A program for another
 * machine, a static one and a script are staged alone.  HN_OK, or an error with hn_error_text();
 * staged_free() in both cases. */
int staged_open(struct staged *staged, const char *path);
void staged_free(struct staged *staged);
/* The whole file, *size bytes, to be freed; NULL with hn_error_text(). */
uint8_t *staged_load(const char *path, uint64_t *size);
/* The bytes as gzip packs them, to be freed; NULL: out of memory. */
uint8_t *staged_pack(const uint8_t *data, size_t n, size_t *packed);
/* The piece of a file that begins at the offset, a multiple of STAGE_PIECE, and how many bytes of
 * the file that is; NULL: the file has changed or cannot be read, or out of memory.  It is read and
 * packed when it is wanted first, and kept: a job may send it to many hosts. */
const struct staged_piece *staged_piece(struct staged_file *file, uint64_t offset, size_t *bytes);
