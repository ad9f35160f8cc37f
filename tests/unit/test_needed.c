/* test_needed.c - what a program needs, from its ELF file: all that the loader has loaded, and
 * nothing from files that are damaged. */
#include "hnowd/needed.h"
#include "hnow.h"
#include "random.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAMAGES = 40, HEAD = 8192, HEADERS = 64 + 14 * 56 /* of ELF: its own, 14 of segments */ };

struct search {
    const char *name;
    bool found;
};

static int take(void *to, const char *name, const char *path)
{
    struct search *search = to;
    search->found |= strcmp(name, search->name) == 0 && path;
    return HN_OK;
}

/* The path of this program, by which another process finds it, too. */
static const char *own(void)
{
    static char path[NEEDED_PATH];
    cr_assert(realpath("/proc/self/exe", path));
    return path;
}

static bool needs(const char *program, const char *name)
{
    struct search search = {.name = name};
    char loader[NEEDED_PATH];
    needed_list(program, getenv("LD_LIBRARY_PATH"), loader, take, &search);
    return search.found;
}

/* Counts the objects that the loader has loaded and needed_list() finds. */
static int loaded(struct dl_phdr_info *info, size_t size, void *found)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!slash || strstr(slash, "/ld-linux") || strstr(slash, "san.so"))
        return 0;
    cr_assert(needs(own(), slash + 1), "%s is loaded, and not found", slash + 1);
    ++*(int *)found;
    return 0;
}

Test(needed, all_that_is_loaded)
{
    int found = 0;
    dl_iterate_phdr(loaded, &found);
    cr_assert_gt(found, 2);
    cr_assert_not(needs(own(), "libnothing.so.2"));
}

Test(needed, no_program)
{
    static const char *const none[] = {"/etc/passwd", "/", "/nowhere", "/dev/zero"};
    char loader[NEEDED_PATH];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cr_assert_eq(needed_list(none[i], NULL, loader, take, NULL), HN_OK);
        cr_assert_str_empty(loader);
    }
}

/* No object is taken behind the one that ends the search. */
static int take_one(void *to, const char *name, const char *path)
{
    (void)name;
    (void)path;
    return ++*(int *)to == 1 ? HN_EARG : HN_OK;
}

Test(needed, the_first_alone)
{
    char loader[NEEDED_PATH];
    int taken = 0;
    cr_assert_eq(needed_list(own(), NULL, loader, take_one, &taken), HN_EARG);
    cr_assert_eq(taken, 1);
}

/* A copy of this program, some of whose bytes are others, and which may be cut short. */
static void damage(uint8_t *bytes, int64_t size, const char *path, uint64_t *state)
{
    uint8_t head[HEAD];
    memcpy(head, bytes, HEAD);
    for (int64_t n = 1 + random_below(state, 8); n > 0; n--)
        bytes[random_below(state, random_below(state, 2) ? HEADERS : HEAD)] =
            (uint8_t)random_below(state, 256);
    int64_t length = random_below(state, 4) ? size : random_below(state, size);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_eq(write(fd, bytes, (size_t)length), length);
    close(fd);
    memcpy(bytes, head, HEAD);
}

Test(needed, damaged)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    struct stat status;
    int fd = open("/proc/self/exe", O_RDONLY);
    cr_assert_eq(fstat(fd, &status), 0);
    uint8_t *bytes = malloc((size_t)status.st_size);
    cr_assert_eq(read(fd, bytes, (size_t)status.st_size), status.st_size);
    close(fd);
    snprintf(path, sizeof path, "%s/needed.%d", directory ? directory : "/tmp", (int)getpid());
    uint64_t state = random_seed();
    for (int i = 0; i < random_rounds(DAMAGES); i++) {
        damage(bytes, status.st_size, path, &state);
        cr_assert_not(needs(path, "libnothing.so.1"));
    }
    unlink(path);
    free(bytes);
}
