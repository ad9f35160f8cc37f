/* staged.c - the files that a program needs; see staged.h.
 *
 * The program's loader says which libraries it takes (hnowd/needed.h).  The loader is staged, too,
 * and starts the program there: so it does not matter which C library that host has, or how old it
 * is.
 *
 * Cost: two processes for a program, and reading its files once.
 */
#include "hrun/staging/staged.h"

#include "base/array.h"
#include "base/error.h"
#include "hnowd/mpi_front.h"
#include "hnowd/needed.h"
#include "hnow.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- files ------------------------------------------------------------------------------------
 */

static int cannot_read(const char *path, const char *why)
{
    return error_set(HN_ESYS, "-stage: %s cannot be read: %s", path, why);
}

/* Hash and size of a file. */
static int measure(const char *path, char hash[STAGE_HASH], uint64_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = fd >= 0 && stage_sum(fd, hash, size) ? HN_OK : cannot_read(path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return error;
}

static bool read_part(const char *path, uint64_t offset, void *data, size_t n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t done = 0;
    ssize_t got = 1;
    while (fd >= 0 && done < n && got > 0) {
        got = pread(fd, (char *)data + done, n - done, (off_t)(offset + done));
        done += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    return done == n;
}

/* Packs n bytes when that makes them fewer, and gives back what is not needed. */
static void deflate_piece(struct staged_piece *piece)
{
    uLong n = compressBound((uLong)piece->n);
    uint8_t *packed = malloc(n);
    if (packed && compress2(packed, &n, piece->data, (uLong)piece->n, Z_BEST_SPEED) == Z_OK &&
        n < piece->n) {
        uint8_t *exact = realloc(packed, n);
        free(piece->data);
        *piece = (struct staged_piece){exact ? exact : packed, n};
    } else {
        free(packed);
    }
}

const struct staged_piece *staged_piece(struct staged_file *file, uint64_t offset, size_t *bytes)
{
    if (offset >= file->size || offset % STAGE_PIECE)
        return NULL;
    struct staged_piece *piece = &file->piece[offset / STAGE_PIECE];
    uint64_t left = file->size - offset;
    *bytes = left < STAGE_PIECE ? (size_t)left : STAGE_PIECE;
    if (piece->data)
        return piece;
    *piece = (struct staged_piece){malloc(*bytes), *bytes};
    if (piece->data && read_part(file->path, offset, piece->data, *bytes)) {
        deflate_piece(piece);
        return piece;
    }
    free(piece->data);
    piece->data = NULL;
    return NULL;
}

uint8_t *staged_load(const char *path, uint64_t *size)
{
    struct stat status;
    uint8_t *data = NULL;
    if (!stat(path, &status) && (data = malloc((size_t)status.st_size + 1))) {
        *size = (uint64_t)status.st_size;
        if (read_part(path, 0, data, (size_t)*size))
            return data;
    }
    cannot_read(path, strerror(errno));
    free(data);
    return NULL;
}

uint8_t *staged_pack(const uint8_t *data, size_t n, size_t *packed)
{
    enum { GZIP = 16, MEMORY = 8 }; /* zlib: bit for a gzip header; its default memory level */
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)n};
    if (n > UINT_MAX || deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP,
                                     MEMORY, Z_DEFAULT_STRATEGY))
        return NULL;
    uLong room = deflateBound(&z, (uLong)n);
    uint8_t *to = malloc(room);
    z.next_out = to;
    z.avail_out = (uInt)room;
    bool whole = to && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *packed = z.total_out;
    deflateEnd(&z);
    if (whole)
        return to;
    free(to);
    return NULL;
}

static size_t pieces(const struct staged_file *file)
{
    return (size_t)((file->size + STAGE_PIECE - 1) / STAGE_PIECE);
}

static int add_file(struct staged *staged, const char *path, const char *name)
{
    if (!ARRAY_ROOM(staged->file, staged->n + 1))
        return error_set(HN_ENOMEM, "out of memory");
    struct staged_file *file = &staged->file[staged->n++];
    *file = (struct staged_file){.path = strdup(path), .name = strdup(name)};
    if (!file->path || !file->name)
        return error_set(HN_ENOMEM, "out of memory");
    int error = measure(path, file->hash, &file->size);
    file->piece = error ? NULL : calloc(pieces(file) + 1, sizeof *file->piece);
    return file->piece || error ? error : error_set(HN_ENOMEM, "out of memory");
}

void staged_free(struct staged *staged)
{
    for (int i = 0; i < staged->n; i++) {
        struct staged_file *file = &staged->file[i];
        for (size_t k = 0; file->piece && k < pieces(file); k++)
            free(file->piece[k].data);
        free(file->piece);
        free(file->path);
        free(file->name);
    }
    free(staged->file);
    *staged = (struct staged){0};
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- what it loads ----------------------------------------------------------------------------
 */

static int add_library(void *to, const char *name, const char *path)
{
    struct staged *staged = to;
    if (!path)
        return error_set(HN_ESYS, "-stage: %s needs %s, which is not here", staged->file[0].path,
                         name);
    return add_file(staged, path, last_name(name));
}

/* Where the program looks for libraries, to be freed: a program for MPI is staged with hnow's. */
static char *search_list(const char *program)
{
    const char *search = getenv("LD_LIBRARY_PATH"), *library;
    char *directory = mpi_front_directory(program, getenv(MPI_FRONT_VARIABLE), search, &library);
    char *list = search ? strdup(search) : NULL;
    if (directory) {
        free(list);
        if (asprintf(&list, "%s%s%s", directory, search ? ":" : "", search ? search : "") < 0)
            list = NULL;
    }
    free(directory);
    return list;
}

int staged_open(struct staged *staged, const char *path)
{
    char loader[NEEDED_PATH] = "", *search = search_list(path);
    *staged = (struct staged){0};
    int error = add_file(staged, path, last_name(path));
    if (!error)
        error = needed_list(path, search, loader, add_library, staged);
    free(search);
    if (!error && loader[0]) {
        error = add_file(staged, loader, last_name(loader));
        staged->loader = !error;
    }
    return error;
}
