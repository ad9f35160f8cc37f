/* needed.c - finds which shared objects a program needs; see needed.h.
 *
 * Nothing is executed: asking the loader (ldd) would run a loader that the file names.  The files
 * are read by pread(), because a mapped file that is truncated would end the agent.
 *
 * Cost: three short reads for each needed object, and one search of the loader's cache; less than a
 * millisecond for a program with ten objects.  Objects of the C library are not read, because they
 * need nothing else.
 *
 * Source: System V gABI, chapter 5 (dynamic linking); ld.so(8) for the order of the search; glibc's
 * dl-cache.h for the format of /etc/ld.so.cache.
 */
#include "hnowd/needed.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NEEDED_SEGMENTS = 256,   /* maximum program headers read */
    NEEDED_DYNAMIC = 512,    /* maximum dynamic entries read; lmp has 35 */
    NEEDED_CACHE = 16 << 20, /* maximum bytes of the loader's cache; Debian's has 100 KiB */
    NEEDED_STRINGS =
        64 << 20,     /* maximum bytes of a string table; programs with 200 MB have 10 MB */
    NEEDED_HEAD = 48, /* bytes before the entries of the cache */
    NEEDED_ENTRY = 24 /* bytes of a cache entry */
};

/* One search.  Objects are appended as they are found and read in this order, which makes the
 * search breadth first. */
struct needed {
    const char *search;
    const char *const *names;
    char *object[NEEDED_MOST]; /* paths of objects that were read, or will be */
    size_t count;
    ElfW(Half) machine; /* of this process */
    char *cache;
    size_t cache_size;
    int found;
    const char *text; /* looked for in the first object, instead of names; or NULL */
};

/* The open file of an object. */
struct needed_file {
    int fd;
    ElfW(Phdr) segment[NEEDED_SEGMENTS];
    size_t segments;
    const char *path;
    off_t strings; /* offset of its string table; 0: there is none */
    size_t strings_size;
    char rpath[PATH_MAX], runpath[PATH_MAX];
};

/* All or nothing: a file that is too short gives false. */
static bool needed_read(int fd, void *data, size_t size, off_t offset)
{
    return offset >= 0 && pread(fd, data, size, offset) == (ssize_t)size;
}

/* Reads a string of at most size - 1 bytes from the file; "": there is none. An offset beyond 2 GiB
 * is treated as none. */
static void needed_string(const struct needed_file *file, ElfW(Xword) offset, char *text,
                          size_t size)
{
    ssize_t n = file->strings && offset <= INT32_MAX
                    ? pread(file->fd, text, size, file->strings + (off_t)offset)
                    : -1;
    if (n <= 0 || !memchr(text, 0, (size_t)n))
        text[0] = 0;
}

/* ---- the search ------------------------------------------------------------------------- */

/* The entry of the loader's cache for a name, or NULL; owned by the cache. A linear search of some
 * thousand entries. */
static const char *needed_cached(const struct needed *needed, const char *name)
{
    static const char magic[] = "glibc-ld.so.cache1.1";
    const char *cache = needed->cache;
    uint32_t n, key, value;
    if (needed->cache_size < NEEDED_HEAD || memcmp(cache, magic, sizeof magic - 1) != 0)
        return NULL;
    memcpy(&n, cache + sizeof magic - 1, sizeof n);
    for (size_t at = NEEDED_HEAD; n > 0 && at + NEEDED_ENTRY <= needed->cache_size;
         n--, at += NEEDED_ENTRY) {
        memcpy(&key, cache + at + 4, sizeof key);
        memcpy(&value, cache + at + 8, sizeof value);
        if (key < needed->cache_size && value < needed->cache_size &&
            strcmp(cache + key, name) == 0)
            return cache + value;
    }
    return NULL;
}

/* A cache that is missing, too long or unreadable is treated as empty. One byte more than the file
 * is allocated, so every string in it ends. */
static char *needed_read_cache(size_t *size)
{
    int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *cache = NULL;
    *size = 0;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0 &&
        status.st_size <= NEEDED_CACHE && (cache = calloc(1, (size_t)status.st_size + 1)) &&
        needed_read(fd, cache, (size_t)status.st_size, 0))
        *size = (size_t)status.st_size;
    if (fd >= 0)
        close(fd);
    return cache;
}

/* Whether DIRECTORY/name exists; then path (PATH_MAX bytes) contains it. $ORIGIN at the beginning
 * of the directory is the object's directory. access() decides, so a file that may not be read is
 * passed over. */
static bool needed_in(const char *directory, size_t length, const char *object, const char *name,
                      char *path)
{
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(object, '/');
    int n, origin = 0;
    for (size_t i = 0; i < 2; i++) {
        size_t word = strlen(origins[i]);
        if (length >= word && strncmp(directory, origins[i], word) == 0) {
            directory += word;
            length -= word;
            origin = slash ? (int)(slash - object) : 0;
        }
    }
    n = snprintf(path, PATH_MAX, "%.*s%.*s/%s", origin, object, (int)length, directory, name);
    return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

/* The same for a list of directories.  An empty element, which for a shell means the present
 * directory, is skipped. */
static bool needed_along(const char *list, const char *object, const char *name, char *path)
{
    while (list && list[0]) {
        size_t n = strcspn(list, ":");
        if (n > 0 && n < PATH_MAX && needed_in(list, n, object, name, path))
            return true;
        list += n + (list[n] == ':');
    }
    return false;
}

/* The order of ld.so(8).  DT_RPATH counts only without DT_RUNPATH. A name with a slash is a path.
 */
static bool needed_search(const struct needed *needed, const struct needed_file *file,
                          const char *name, char *path)
{
    if (strchr(name, '/'))
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    if ((!file->runpath[0] && needed_along(file->rpath, file->path, name, path)) ||
        needed_along(needed->search, file->path, name, path) ||
        needed_along(file->runpath, file->path, name, path))
        return true;
    const char *cached = needed_cached(needed, name);
    if (cached)
        return snprintf(path, PATH_MAX, "%s", cached) < PATH_MAX;
    return needed_along("/lib64:/usr/lib64:/lib:/usr/lib", file->path, name, path);
}

/* ---- an object -------------------------------------------------------------------------- */

/* Objects of the C library, which need only each other. */
static bool needed_is_system(const char *name)
{
    static const char *const system[] = {"libc.so.",  "libm.so.",  "libpthread.so.",
                                         "libdl.so.", "librt.so.", "ld-linux"};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (strncmp(name, system[i], strlen(system[i])) == 0)
            return true;
    return false;
}

/* Each object is read once.  Beyond NEEDED_MOST, or without memory, further ones are left out. */
static void needed_add(struct needed *needed, const char *path)
{
    for (size_t i = 0; i < needed->count; i++)
        if (strcmp(needed->object[i], path) == 0)
            return;
    char *copy = needed->count < NEEDED_MOST ? strdup(path) : NULL;
    if (copy)
        needed->object[needed->count++] = copy;
}

/* The first name that matches is the result.  The search ends then, but the loop over this object's
 * names continues. */
static void needed_name(struct needed *needed, const struct needed_file *file, const char *name)
{
    char path[PATH_MAX];
    for (int i = 0; needed->names[i]; i++)
        if (strcmp(needed->names[i], name) == 0 && needed->found < 0)
            needed->found = i;
    if (name[0] && !needed_is_system(name) && needed_search(needed, file, name, path))
        needed_add(needed, path);
}

/* Only files of this process's own class and machine: others would use another loader. Tables of
 * other sizes than this machine's are refused. */
static bool needed_header(const struct needed *needed, struct needed_file *file)
{
    static const unsigned char magic[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                          sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32};
    ElfW(Ehdr) head;
    if (!needed_read(file->fd, &head, sizeof head, 0) ||
        memcmp(head.e_ident, magic, sizeof magic) != 0 || head.e_machine != needed->machine ||
        head.e_phentsize != sizeof *file->segment || head.e_phnum > NEEDED_SEGMENTS)
        return false;
    file->segments = head.e_phnum;
    return needed_read(file->fd, file->segment, file->segments * sizeof *file->segment,
                       (off_t)head.e_phoff);
}

/* The offset in the file of an address of the process; 0: there is none, or it exceeds 2 GiB. */
static off_t needed_offset(const struct needed_file *file, ElfW(Addr) address)
{
    for (size_t i = 0; i < file->segments; i++) {
        const ElfW(Phdr) *segment = &file->segment[i];
        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz)
            return segment->p_offset <= INT32_MAX && segment->p_filesz <= INT32_MAX
                       ? (off_t)(address - segment->p_vaddr + segment->p_offset)
                       : 0;
    }
    return 0;
}

/* Both entries may come in any order; a table that is too long counts as none. */
static void needed_strings(struct needed_file *file, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            file->strings = needed_offset(file, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRSZ && entry->d_un.d_val <= NEEDED_STRINGS)
            file->strings_size = entry->d_un.d_val;
    }
}

/* Whether the names of its symbols contain a text. The table is read as a whole, at most
 * NEEDED_STRINGS bytes. */
static bool needed_contains(const struct needed_file *file, const char *text)
{
    char *strings = file->strings ? malloc(file->strings_size) : NULL;
    bool found = strings && needed_read(file->fd, strings, file->strings_size, file->strings) &&
                 memmem(strings, file->strings_size, text, strlen(text));
    free(strings);
    return found;
}

/* Search paths of the object; one that is longer than PATH_MAX counts as none. */
static void needed_paths(struct needed_file *file, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_RPATH)
            needed_string(file, entry->d_un.d_val, file->rpath, sizeof file->rpath);
        else if (entry->d_tag == DT_RUNPATH)
            needed_string(file, entry->d_un.d_val, file->runpath, sizeof file->runpath);
    }
}

/* Only the objects that this file itself names; theirs are found when they are read. */
static void needed_objects(struct needed *needed, const struct needed_file *file,
                           const ElfW(Dyn) * entry)
{
    if (needed->text)
        needed->found = needed_contains(file, needed->text) ? 0 : -1;
    for (; entry->d_tag != DT_NULL; entry++) {
        char name[NAME_MAX + 1];
        if (entry->d_tag != DT_NEEDED)
            continue;
        needed_string(file, entry->d_un.d_val, name, sizeof name);
        needed_name(needed, file, name);
    }
}

/* Reads the dynamic section three times, because a name needs the paths, and these need the string
 * table. A second dynamic section is ignored. */
static void needed_dynamic(struct needed *needed, struct needed_file *file)
{
    ElfW(Dyn) entry[NEEDED_DYNAMIC + 1] = {{0}}; /* the last one stays DT_NULL */
    for (size_t i = 0; i < file->segments; i++) {
        const ElfW(Phdr) *segment = &file->segment[i];
        if (segment->p_type != PT_DYNAMIC || segment->p_offset > INT32_MAX ||
            pread(file->fd, entry, NEEDED_DYNAMIC * sizeof *entry, (off_t)segment->p_offset) <= 0)
            continue;
        needed_strings(file, entry);
        needed_paths(file, entry);
        needed_objects(needed, file, entry);
        return;
    }
}

/* O_NONBLOCK, because a path may name a pipe, whose open() would wait for a writer. Anything but a
 * regular file is skipped. */
static void needed_object(struct needed *needed, const char *path)
{
    struct needed_file file = {.path = path};
    struct stat status;
    file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.fd < 0)
        return;
    if (fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode) && needed_header(needed, &file))
        needed_dynamic(needed, &file);
    close(file.fd);
}

/* The machine of this process, as in ELF headers. 0, which no file has, if it cannot be read. */
static ElfW(Half) needed_machine(void)
{
    ElfW(Ehdr) head = {0};
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !needed_read(fd, &head, sizeof head, 0))
        head.e_machine = 0;
    if (fd >= 0)
        close(fd);
    return head.e_machine;
}

/* text: NULL, or only this is looked for.  Returns the index of the name that was found; -1: none,
 * or out of memory. The cache of the loader is read once for each search. */
static int needed_look(const char *program, const char *search, const char *const *names,
                       const char *text)
{
    struct needed *needed = calloc(1, sizeof *needed);
    if (!needed)
        return -1;
    needed->search = search;
    needed->names = names;
    needed->text = text;
    needed->found = -1;
    needed->machine = needed_machine();
    needed->cache = needed_read_cache(&needed->cache_size);
    /* The list grows while it is read. */
    needed_add(needed, program);
    /* With a text only the program itself is read. */
    for (size_t i = 0; i < needed->count && needed->found < 0 && (i == 0 || !text); i++)
        needed_object(needed, needed->object[i]);
    int found = needed->found;
    for (size_t i = 0; i < needed->count; i++)
        free(needed->object[i]);
    free(needed->cache);
    free(needed);
    return found;
}

/* Breadth first, so of several names the one nearest to the program is found. */
int needed_find(const char *program, const char *search, const char *const *names)
{
    return needed_look(program, search, names, NULL);
}

/* Only the program's own file is read, no object that it needs. */
bool needed_mentions(const char *program, const char *text)
{
    static const char *const none[] = {NULL};
    return needed_look(program, NULL, none, text) == 0;
}
