/* stage.h - staging: copies programs to hosts that have only sshd and sh (hrun -stage).
 *
 * The agent is first, through the shell that starts it.  The command looks in a private cache for a
 * file named by the agent's hash.  If there is none, the shell prints STAGE_WANTED instead of a
 * version, or STAGE_WANTED_PACKED if it has gzip. hrun sends a line with the number of bytes and
 * the command that makes the file of them, then the bytes.  The shell stores the file and starts
 * it.  That costs one round trip more than on a host that has it.
 *
 * Programs follow in frames, with the libraries and the loader that they use here. hrun names the
 * files (STAGE), and the agent requests those that it lacks (STAGE_WANT, STAGE_DATA).  It reports
 * when all have arrived (STAGE_DONE).  Pieces are compressed by zlib if that makes them smaller.
 *
 * The cache is ~/.cache/hnow (or $XDG_CACHE_HOME/hnow, or /tmp/hnow-UID without a home); a file's
 * name is its hash.  The next job removes files that no job has used for STAGE_DAYS days.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STAGE_HASH = 33,       /* bytes of a hash as text, with its 0 */
    STAGE_PIECE = 1 << 20, /* bytes of a file in one frame */
    STAGE_DAYS = 30,
};
#define STAGE_WANTED        "0 stage" /* printed by the shell instead of a version */
#define STAGE_WANTED_PACKED "0 stage gzip"

/* A hash of the data passed to stage_hash_add() since stage_hash_begin(), as text. */
struct stage_hash;
struct stage_hash *stage_hash_begin(void); /* NULL: out of memory */
void stage_hash_add(struct stage_hash *hash, const void *data, size_t n);
void stage_hash_end(struct stage_hash *hash, char text[STAGE_HASH]); /* frees it */

/* Hash and size of the rest of a file.  False: it cannot be read. */
bool stage_sum(int fd, char hash[STAGE_HASH], uint64_t *size);
/* Whether the file exists with this size and hash; also updates the time of its last use. */
bool stage_has(const char *path, const char *hash, uint64_t size);

/* A file that is being written.  It gets its final name when it is complete.  Until then its name
 * is unique, because jobs may share the cache. */
struct stage_file {
    int fd;              /* or -1 */
    char *path, *coming; /* final and temporary path */
    char hash[STAGE_HASH];
    struct stage_hash *sum;
    uint64_t offset;
};
bool stage_open(struct stage_file *file, const char *cache, const char *hash, uint64_t size);
/* why it failed, or NULL */
const char *stage_write(struct stage_file *file, const uint8_t *data, size_t n);
const char *stage_finish(struct stage_file *file); /* the same; closes the file */
void stage_drop(struct stage_file *file);          /* removes the file; it may be closed */
