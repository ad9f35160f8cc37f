/* stage_store.c - stores files in the cache of a host; see stage.h. */
#include "protocol/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAGE_CHUNK = 64 * 1024 /* bytes of a read */ };

/* Reads from the present offset to the end, O(bytes).  A file that grows meanwhile is hashed as far
 * as it was read. */
bool stage_sum(int fd, char hash[STAGE_HASH], uint64_t *size)
{
    uint8_t data[STAGE_CHUNK];
    struct stage_hash *sum = stage_hash_begin();
    ssize_t n = sum ? 1 : -1;
    *size = 0;
    while (n > 0 && (n = read(fd, data, sizeof data)) > 0) {
        stage_hash_add(sum, data, (size_t)n);
        *size += (uint64_t)n;
    }
    if (sum)
        stage_hash_end(sum, hash);
    return n == 0;
}

/* The content is hashed each time: a cache in a shared home may have been damaged by others.
 * O_NOFOLLOW refuses a link in the place of the file. */
bool stage_has(const char *path, const char *hash, uint64_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;
    char found[STAGE_HASH];
    uint64_t bytes;
    bool has = fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) &&
               (uint64_t)status.st_size == size && stage_sum(fd, found, &bytes) &&
               strcmp(found, hash) == 0;
    if (has)
        futimens(fd, NULL);
    if (fd >= 0)
        close(fd);
    return has;
}

/* Also for a file that was opened only in part. */
void stage_drop(struct stage_file *file)
{
    char hash[STAGE_HASH];
    if (file->fd >= 0) {
        close(file->fd);
        unlink(file->coming);
    }
    if (file->sum)
        stage_hash_end(file->sum, hash);
    free(file->coming);
    free(file->path);
    *file = (struct stage_file){.fd = -1};
}

/* False: see errno, and nothing is open. */
bool stage_open(struct stage_file *file, const char *cache, const char *hash, uint64_t size)
{
    *file = (struct stage_file){.fd = -1};
    if (asprintf(&file->path, "%s/%s", cache, hash) < 0)
        file->path = NULL;
    if (!file->path || asprintf(&file->coming, "%s.XXXXXX", file->path) < 0)
        file->coming = NULL;
    memcpy(file->hash, hash, STAGE_HASH);
    file->fd = file->coming ? mkostemp(file->coming, O_CLOEXEC) : -1;
    /* Allocates the space, to detect a full disk before the data are sent.  Not every file system
     * supports that. */
    bool opened = file->fd >= 0 && !fchmod(file->fd, 0700) &&
                  (!fallocate(file->fd, 0, 0, (off_t)size) || errno != ENOSPC) &&
                  (file->sum = stage_hash_begin());
    int why = errno;
    if (!opened)
        stage_drop(file);
    errno = why;
    return opened;
}

/* Blocks until the disk has taken everything. */
const char *stage_write(struct stage_file *file, const uint8_t *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t written = write(file->fd, data + done, n - done);
        if (written < 0 && errno != EINTR)
            return strerror(errno);
        done += written > 0 ? (size_t)written : 0;
    }
    stage_hash_add(file->sum, data, n);
    file->offset += n;
    return NULL;
}

/* rename() makes the file visible at once and complete, and replaces an equal one of another
 * job. */
const char *stage_finish(struct stage_file *file)
{
    char hash[STAGE_HASH];
    const char *why = NULL;
    stage_hash_end(file->sum, hash);
    file->sum = NULL;
    if (close(file->fd))
        why = strerror(errno);
    else if (strcmp(hash, file->hash) != 0)
        why = "it has changed on its way";
    else if (rename(file->coming, file->path))
        why = strerror(errno);
    if (why)
        unlink(file->coming);
    file->fd = -1;
    stage_drop(file);
    return why;
}
