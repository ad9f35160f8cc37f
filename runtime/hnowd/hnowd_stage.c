/* hnowd_stage.c - programs that hrun stages to this host; see stage.h.
 *
 * A file in the cache is named by its hash.  While it arrives it has a temporary name, so a file
 * with the right name and size is complete.  A program with libraries gets a directory of links
 * with their names.  Its own loader starts it with that directory alone:
 *     SET/ld.so --argv0 NAME --library-path SET SET/PROGRAM ARG...
 * The files of a program arrive one after the other, with one request for each piece.  So do
 * programs, so that a library that several of them use arrives once.  Hosts may share the cache,
 * and several may stage the same file at the same time.  So temporary names are unique.
 *
 * The cache is cleaned once for each agent, at its first program: files that were not used for
 * STAGE_DAYS are removed.
 */
#include "hnowd/hnowd.h"

#include "base/error.h"
#include "protocol/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

/* One file of a staged program, as hrun has named it. */
struct hnowd_file {
    char hash[STAGE_HASH];
    uint64_t size;
    char *name;
};

/* A program; ready when all its files have arrived. Stages are kept until the agent ends, since
 * tasks of the program may be started at any time. */
struct hnowd_stage {
    struct list_node node; /* on agent->stages */
    struct hnowd *agent;
    char *name; /* as hrun's user has given it */
    bool loader, ready;
    bool begun, over; /* over: nothing more of it arrives */
    struct hnowd_file *file;
    uint32_t n, at;           /* files; index of the one that is arriving */
    struct stage_file coming; /* that file */
    char *set;                /* directory of the links */
};

/* ---- the cache -------------------------------------------------------------------------- */

/* A formatted path, which the caller frees. NULL: out of memory. */
__attribute__((format(printf, 1, 2))) static char *hnowd_path(const char *format, ...)
{
    char *path = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&path, format, list) < 0)
        path = NULL;
    va_end(list);
    return path;
}

/* A name may be a file or a directory of links. rmdir() distinguishes them without a race. A
 * directory whose entries cannot be removed stays. unlinkat() refuses directories, also "."; the
 * type in the entry is unknown on some file systems. */
static void hnowd_remove(const char *cache, const char *name)
{
    char *path = hnowd_path("%s/%s", cache, name);
    DIR *links = path ? opendir(path) : NULL;
    struct dirent *entry;
    while (links && (entry = readdir(links)))
        unlinkat(dirfd(links), entry->d_name, 0);
    if (links)
        closedir(links);
    if (path && rmdir(path) && errno == ENOTDIR)
        unlink(path);
    free(path);
}

/* Removes files that were not used for STAGE_DAYS days, but only those with our names. A file in
 * use is newer: each use sets its time (stage_has()). */
static void hnowd_clean(const char *cache)
{
    DIR *list = opendir(cache);
    struct dirent *entry;
    struct stat status;
    time_t oldest = time(NULL) - (time_t)STAGE_DAYS * 24 * 3600;
    while (list && (entry = readdir(list)))
        if (strspn(entry->d_name, "0123456789abcdef") == STAGE_HASH - 1 &&
            !fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
            status.st_mtime < oldest)
            hnowd_remove(cache, entry->d_name);
    if (list)
        closedir(list);
}

/* ---- the files of a program ------------------------------------------------------------- */

/* A file that is still arriving is removed. */
static void hnowd_stage_free(struct hnowd_stage *stage)
{
    for (uint32_t i = 0; i < stage->n; i++)
        free(stage->file[i].name);
    stage_drop(&stage->coming);
    free(stage->file);
    free(stage->name);
    free(stage->set);
    free(stage);
}

static void hnowd_stage_next_program(struct hnowd *agent);

/* Reports the end of one program, well or not, and begins the next. why NULL: it is ready. */
static void hnowd_stage_done(struct hnowd_stage *stage, const char *why)
{
    struct hnowd *agent = stage->agent;
    char *text = why ? hnowd_path("it cannot be stored in %s: %s",
                                  agent->cache ? agent->cache : "a cache", why)
                     : NULL;
    stage->ready = !why;
    stage->over = true;
    channel_put(&agent->up, CONTROL_STAGE_DONE, stage->name, text ? text : why ? why : "");
    free(text);
    hnowd_stage_next_program(agent);
}

/* Asks for the next piece of the file that is arriving. The answer is STAGE_DATA with this offset.
 */
static void hnowd_stage_ask(const struct hnowd_stage *stage)
{
    struct hnowd *agent = stage->agent;
    channel_put(&agent->up, CONTROL_STAGE_WANT, stage->file[stage->at].hash, stage->coming.offset);
}

/* Also marks the file as used today, so that it is not cleaned away. */
static bool hnowd_stage_has(const struct hnowd_stage *stage)
{
    const struct hnowd_file *file = &stage->file[stage->at];
    char *path = hnowd_path("%s/%s", stage->agent->cache, file->hash);
    bool has = path && stage_has(path, file->hash, file->size);
    free(path);
    return has;
}

/* Begins a temporary file for the one that is missing; errno says why it failed. */
static bool hnowd_stage_open(struct hnowd_stage *stage)
{
    const struct hnowd_file *file = &stage->file[stage->at];
    return stage_open(&stage->coming, stage->agent->cache, file->hash, file->size);
}

/* Makes the directory and the links in it.  Its name is a hash over the files' hashes and names, so
 * two programs share a directory only if they have the same files under the same names. Links that
 * exist are right, as the directory's name contains their targets. */
static bool hnowd_stage_link(struct hnowd_stage *stage)
{
    char name[STAGE_HASH];
    struct stage_hash *hash = stage_hash_begin();
    if (!hash)
        return false;
    for (uint32_t i = 0; i < stage->n; i++) {
        stage_hash_add(hash, stage->file[i].hash, STAGE_HASH);
        stage_hash_add(hash, stage->file[i].name, strlen(stage->file[i].name) + 1);
    }
    /* Hashes and names were added with their 0, so no two lists have the same bytes. */
    stage_hash_end(hash, name);
    stage->set = hnowd_path("%s/%s.d", stage->agent->cache, name);
    if (!stage->set || (mkdir(stage->set, 0700) && errno != EEXIST) || chmod(stage->set, 0700))
        return false;
    utimensat(AT_FDCWD, stage->set, NULL, 0); /* used today (hnowd_clean) */
    for (uint32_t i = 0; i < stage->n; i++) {
        /* Relative links, so the cache may be moved or mounted elsewhere. */
        char *to = hnowd_path("../%s", stage->file[i].hash);
        char *link = hnowd_path("%s/%s", stage->set, stage->file[i].name);
        bool linked = to && link && (!symlink(to, link) || errno == EEXIST);
        free(to);
        free(link);
        if (!linked)
            return false;
    }
    return true;
}

/* Skips files that are in the cache.  After the last one the links are made. A program that has all
 * files in the cache needs no message but STAGE_DONE. */
static void hnowd_stage_next_file(struct hnowd_stage *stage)
{
    while (stage->at < stage->n && hnowd_stage_has(stage))
        stage->at++;
    if (stage->at == stage->n)
        hnowd_stage_done(stage, hnowd_stage_link(stage) ? NULL : strerror(errno));
    else if (hnowd_stage_open(stage))
        hnowd_stage_ask(stage);
    else
        hnowd_stage_done(stage, strerror(errno));
}

/* Starts the first program that is not over, if it has not started. Programs are in the order in
 * which hrun has offered them. */
static void hnowd_stage_next_program(struct hnowd *agent)
{
    list_for_each (node, &agent->stages) {
        struct hnowd_stage *stage = list_entry(node, struct hnowd_stage, node);
        if (stage->over)
            continue;
        if (!stage->begun) {
            stage->begun = true;
            hnowd_stage_next_file(stage);
        }
        return;
    }
}

/* Decompresses a piece; the caller frees it.  NULL: out of memory, or the piece is invalid. A
 * result of another length is invalid, too. */
static uint8_t *hnowd_unpack(const uint8_t *packed, size_t n, size_t bytes)
{
    uint8_t *data = bytes <= STAGE_PIECE ? malloc(bytes) : NULL;
    uLong got = (uLong)bytes;
    if (data && uncompress(data, &got, packed, (uLong)n) == Z_OK && got == bytes)
        return data;
    free(data);
    return NULL;
}

/* A piece of so many bytes has arrived; it is compressed if n is smaller. The piece is checked by
 * the file's hash at the end, not by itself. */
static void hnowd_stage_take(struct hnowd_stage *stage, size_t bytes, const uint8_t *piece,
                             size_t n)
{
    uint8_t *plain = n < bytes ? hnowd_unpack(piece, n, bytes) : NULL;
    const char *why = n < bytes && !plain
                          ? "it cannot be unpacked"
                          : stage_write(&stage->coming, plain ? plain : piece, bytes);
    free(plain);
    /* One request at a time for each host.  An answer has up to STAGE_PIECE bytes, so the round
     * trips cost little. */
    if (!why && stage->coming.offset < stage->file[stage->at].size) {
        hnowd_stage_ask(stage);
        return;
    }
    if (why)
        stage_drop(&stage->coming);
    else
        why = stage_finish(&stage->coming);
    if (why)
        hnowd_stage_done(stage, why);
    else
        hnowd_stage_next_file(stage);
}

/* ---- frames ----------------------------------------------------------------------------- */

/* Whether a name cannot leave its directory. Names come over the network, and become parts of
 * paths. Names that begin with a dot are refused, too, so none is hidden or "..". */
static bool hnowd_is_plain(const char *name)
{
    return name[0] && name[0] != '.' && !strchr(name, '/');
}

/* Hashes and names become parts of paths, so both must be plain. False: no memory, no file, or a
 * name that could leave the cache. */
static bool hnowd_stage_read(struct hnowd_stage *stage, struct unpack *in)
{
    stage->name = strdup(unpack_str(in));
    stage->loader = unpack_u8(in);
    uint32_t n = unpack_u32(in);
    stage->file = calloc((size_t)n + 1, sizeof *stage->file);
    bool good = stage->name && stage->file && n > 0;
    while (good && stage->n < n) {
        struct hnowd_file *file = &stage->file[stage->n++];
        const char *hash = unpack_str(in);
        file->size = unpack_u64(in);
        file->name = strdup(unpack_str(in));
        good = strlen(hash) == STAGE_HASH - 1 && hnowd_is_plain(hash) && file->name &&
               hnowd_is_plain(file->name);
        /* zero-terminated: calloc() has cleared the last byte */
        strncpy(file->hash, hash, STAGE_HASH - 1);
    }
    return good;
}

/* The first program of a job also cleans the cache. */
void hnowd_stage(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return;
    stage->agent = agent;
    stage->coming.fd = -1;
    /* Before the first file is used or written, so nothing of this job can be removed. */
    if (list_empty(&agent->stages) && agent->cache)
        hnowd_clean(agent->cache);
    list_append(&agent->stages, &stage->node);
    if (!hnowd_stage_read(stage, in) || !agent->cache)
        hnowd_stage_done(stage, agent->cache ? "out of memory" : "there is none");
    else
        hnowd_stage_next_program(agent);
}

/* A piece is accepted only if it was requested: the right file, at the right offset. Any other
 * piece is dropped. */
void hnowd_stage_data(struct hnowd *agent, struct unpack *in)
{
    const char *hash = unpack_str(in);
    uint64_t offset = unpack_u64(in);
    size_t bytes = unpack_u32(in), n;
    const uint8_t *piece = unpack_blob(in, &n);
    list_for_each (node, &agent->stages) {
        struct hnowd_stage *stage = list_entry(node, struct hnowd_stage, node);
        if (stage->coming.fd < 0 || strcmp(stage->file[stage->at].hash, hash) ||
            stage->coming.offset != offset || n > bytes)
            continue;
        hnowd_stage_take(stage, bytes, piece, n);
        return;
    }
}

/* Files in the cache stay for later jobs. */
void hnowd_stage_close(struct hnowd *agent)
{
    list_for_each_safe (node, &agent->stages)
        hnowd_stage_free(list_entry(node, struct hnowd_stage, node));
    list_init(&agent->stages);
}

/* ---- starting a program ----------------------------------------------------------------- */

/* With a loader, the words become a call of that loader.  It gets the program's original name as
 * argv[0].  Returns the path to execute, which the caller frees; NULL: the program was not
 * staged. */
char *hnowd_stage_path(struct hnowd *agent, char ***argv)
{
    list_for_each (node, &agent->stages) {
        struct hnowd_stage *stage = list_entry(node, struct hnowd_stage, node);
        char **old = *argv;
        size_t n = 0;
        /* The program is named as hrun's user has written it. */
        if (!stage->ready || !old[0] || strcmp(stage->name, old[0]))
            continue;
        char *program = hnowd_path("%s/%s", stage->set, stage->file[0].name);
        /* A static program or a script needs no loader. */
        if (!stage->loader || !program)
            return program;
        while (old[n])
            n++;
        char **words = calloc(n + 6, sizeof *words);
        if (!words)
            return program;
        words[0] = old[0];
        words[1] = strdup("--argv0");
        words[2] = strdup(old[0]);
        words[3] = strdup("--library-path");
        words[4] = strdup(stage->set);
        words[5] = program;
        memcpy(words + 6, old + 1, n * sizeof *words);
        free(old);
        *argv = words;
        return hnowd_path("%s/%s", stage->set, stage->file[stage->n - 1].name);
    }
    return NULL;
}
