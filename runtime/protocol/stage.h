/* stage.h - staging programs to hosts that have nothing but sshd and sh (hrun -stage).
 *
 * The agent comes first, through the shell that starts it: the command looks for a file named by
 * the agent's hash in a private cache; when it is not there the shell says STAGE_WANTED in place of
 * a version, or STAGE_WANTED_PACKED where gzip is.  hrun sends a line, how many bytes come and the
 * command that makes the file of them, and these; the shell keeps and starts it.  That costs one
 * round trip more than a host that has it.  Programs, with the libraries and the loader that they
 * use here, follow in frames: hrun names the files (STAGE), the agent asks for those it does not
 * have (STAGE_WANT, STAGE_DATA), and says when all are there (STAGE_DONE).  Pieces are packed by
 * zlib where that makes them smaller.
 *
 * The cache is ~/.cache/hnow (or $XDG_CACHE_HOME/hnow, or /tmp/hnow-UID where there is no home); a
 * file's name is its hash.  What no job has used for STAGE_DAYS days is removed by the next one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STAGE_HASH = 33,       /* bytes of a hash as text, with its end */
    STAGE_PIECE = 1 << 20, /* of a file in one frame */
    STAGE_DAYS = 30,
};
#define STAGE_WANTED        "0 stage" /* what the shell says instead of a version */
#define STAGE_WANTED_PACKED "0 stage gzip"

/* The hash of what was given to stage_hash_add() since stage_hash_begin(), as text. */
struct stage_hash;
struct stage_hash *stage_hash_begin(void); /* NULL: out of memory */
void stage_hash_add(struct stage_hash *hash, const void *data, size_t n);
void stage_hash_end(struct stage_hash *hash, char text[STAGE_HASH]); /* frees it */

/* Hash and size of what is left to read; false: it cannot be read. */
bool stage_sum(int fd, char hash[STAGE_HASH], uint64_t *size);
/* Is the file there, as it was staged?  Then it has been used now. */
bool stage_has(const char *path, const char *hash, uint64_t size);

/* A file that is being written. It gets its name when it is whole; until then it has one of its
 * own, since jobs may share the cache. */
struct stage_file {
    int fd;              /* or -1 */
    char *path, *coming; /* at last, meanwhile */
    char hash[STAGE_HASH];
    struct stage_hash *sum;
    uint64_t offset;
};
bool stage_open(struct stage_file *file, const char *cache, const char *hash, uint64_t size);
const char *stage_write(struct stage_file *file, const uint8_t *data, size_t n); /* why not */
const char *stage_finish(struct stage_file *file); /* the same; the file is closed */
void stage_drop(struct stage_file *file);          /* nothing of it is left; may be closed */
