/* staged.c - finds the files that a program needs; see staged.h.
 *
 * Only a program's loader knows exactly which libraries it uses (run paths, $LD_LIBRARY_PATH, the
 * system's cache).  So the loader that the program names is asked: "ld.so --list PROGRAM" prints
 * what it would load and starts nothing.  The loader is staged, too, and starts the program on the
 * host.  So the C library of that host does not matter.
 *
 * Cost: one process for each program, and reading its files once.
 *
 * Files are identified by their hash. A file that changes while the job runs is noticed by the host
 * that gets it.
 */
#include "hrun/staging/staged.h"

#include "base/array.h"
#include "base/error.h"
#include "hnowd/mpi_front.h"
#include "hnow.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr elf_head;
typedef Elf64_Phdr elf_part;
#else
typedef Elf32_Ehdr elf_head;
typedef Elf32_Phdr elf_part;
#endif

enum { STAGED_PATH = 4096 /* PATH_MAX */ };

/* ---- files ------------------------------------------------------------------------------ */

/* Returns HN_ESYS. */
static int cannot_read(const char *path, const char *why)
{
    return error_set(HN_ESYS, "-stage: %s cannot be read: %s", path, why);
}

/* Computes hash and size of a file. Blocks for as long as the disk needs. */
static int measure(const char *path, char hash[STAGE_HASH], uint64_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = fd >= 0 && stage_sum(fd, hash, size) ? HN_OK : cannot_read(path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return error;
}

/* The file is opened for each part: between two requests of hosts minutes may pass.  False: it
 * cannot be read, or is shorter. data has room for n bytes. */
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

/* Compresses a piece if that makes it smaller, and frees unused memory. Best speed, as the network
 * or the disk is the limit; a piece that does not shrink is sent as it is. */
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

/* A piece is read when it is first requested, and kept for other hosts.  NULL: the offset is not
 * one of a piece, or the file cannot be read. *bytes is the length of the piece in the file, before
 * compression. */
const struct staged_piece *staged_piece(struct staged_file *file, uint64_t offset, size_t *bytes)
{
    /* the offset comes from a host */
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

/* A whole file in memory that the caller frees; NULL with an error text. One byte more than the
 * file, so that an empty file is no error. */
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

/* In one call, as deflateBound() is an upper bound of the result.  NULL: no memory, or more than 4
 * GiB. For agents, which the shell on the host unpacks by gzip. */
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
    /* Z_FINISH in one call succeeds only if the output had room. */
    bool whole = to && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *packed = z.total_out;
    deflateEnd(&z);
    if (whole)
        return to;
    free(to);
    return NULL;
}

/* The last one may be shorter. */
static size_t pieces(const struct staged_file *file)
{
    return (size_t)((file->size + STAGE_PIECE - 1) / STAGE_PIECE);
}

/* On an error the entry stays, and staged_free() frees what it has. Both strings are copied. */
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

/* Also after a failed staged_open(), and twice. */
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

/* The name under which the loader looks for it. */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- libraries -------------------------------------------------------------------------- */

/* Finds the loader that the program names.  False: it has none, or is for another machine.  A
 * static program and a script have none; they are staged alone.  An executable names its loader in
 * the segment PT_INTERP (System V ABI, chapter 5). The loader must exist here: it is asked for the
 * libraries. */
static bool find_loader(const char *path, char loader[STAGED_PATH])
{
    elf_head head;
    elf_part part;
    const unsigned char order = BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (!read_part(path, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
        head.e_ident[EI_CLASS] != class || head.e_ident[EI_DATA] != order)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (!read_part(path, head.e_phoff + (uint64_t)i * head.e_phentsize, &part, sizeof part))
            return false;
        if (part.p_type != PT_INTERP)
            continue;
        memset(loader, 0, STAGED_PATH);
        return part.p_filesz < STAGED_PATH &&
               read_part(path, part.p_offset, loader, (size_t)part.p_filesz) &&
               !access(loader, X_OK);
    }
    return false;
}

/* Processes a line "NAME => PATH (0x...)", or "PATH (0x...)" for the loader, which is added at the
 * end. The line is cut in place. A library without a path, such as the kernel's vdso, has no arrow
 * and is no file. */
static int read_line(struct staged *staged, char *line, const char *program)
{
    char *arrow = strstr(line, " => ");
    char *end = strrchr(line, '(');
    line += strspn(line, "\t ");
    if (!arrow)
        return HN_OK;
    *arrow = 0;
    if (!end || end < arrow || arrow[4] != '/')
        return error_set(HN_ESYS, "-stage: %s needs %s, which is not here", program, line);
    end[-1] = 0; /* the space before "(0x...)" */
    return add_file(staged, arrow + 4, last_name(line));
}

/* In the new process: selects hnow's library for an MPI program, so that it is staged. Memory is
 * not freed, as the process is replaced. */
static void choose_mpi(const char *program)
{
    const char *search = getenv("LD_LIBRARY_PATH"), *library;
    char *directory = mpi_front_directory(program, getenv(MPI_FRONT_VARIABLE), search, &library);
    char *list = NULL;
    if (directory &&
        asprintf(&list, "%s%s%s", directory, search ? ":" : "", search ? search : "") > 0)
        setenv("LD_LIBRARY_PATH", list, 1);
}

/* Blocks until the loader has listed everything.  A library that is missing here is an error,
 * because it would be missing there. The program itself is not run. */
static int add_libraries(struct staged *staged, const char *loader, const char *program)
{
    char *line = NULL;
    size_t room = 0;
    int out[2], status = 0, error = HN_OK;
    if (pipe2(out, O_CLOEXEC))
        return error_set(HN_ESYS, "no descriptors: %s (limit: ulimit -n)", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        choose_mpi(program);
        /* Standard error stays hrun's: the loader's own message is the best one. */
        if (dup2(out[1], 1) == 1)
            execl(loader, loader, "--list", program, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    FILE *list = fdopen(out[0], "r");
    while (list && !error && getline(&line, &room, list) > 0)
        error = read_line(staged, line, program);
    free(line);
    if (list)
        fclose(list);
    /* The exit status of the loader shows whether the list is complete. */
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
        error = error
                    ? error
                    : error_set(HN_ESYS, "-stage: %s does not say what %s needs", loader, program);
    return error;
}

/* The loader comes last, where staged->loader refers to it. */
int staged_open(struct staged *staged, const char *path)
{
    char loader[STAGED_PATH];
    *staged = (struct staged){0};
    int error = add_file(staged, path, last_name(path));
    if (error || !find_loader(path, loader))
        return error;
    error = add_libraries(staged, loader, path);
    if (!error)
        error = add_file(staged, loader, last_name(loader));
    staged->loader = !error;
    return error;
}
