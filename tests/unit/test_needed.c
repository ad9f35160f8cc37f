/* test_needed.c - what a program needs, from its ELF file: all that the loader has loaded, and
 * nothing from files that are damaged. */
#include "hnowd/needed.h"
#include "random.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAMAGES = 400, HEAD = 8192, HEADERS = 64 + 14 * 56 /* of ELF: its own, 14 of segments */ };

static int look_for(const char *name)
{
    const char *const names[] = {"libnothing.so.1", name, NULL};
    return needed_find("/proc/self/exe", getenv("LD_LIBRARY_PATH"), names);
}

/* Counts the objects that the loader has loaded and needed_find() finds. */
static int loaded(struct dl_phdr_info *info, size_t size, void *found)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!slash || strstr(slash, "/ld-linux") || strstr(slash, "san.so"))
        return 0;
    cr_assert_eq(look_for(slash + 1), 1, "%s is loaded, and not found", slash + 1);
    ++*(int *)found;
    return 0;
}

Test(needed, all_that_is_loaded)
{
    int found = 0;
    dl_iterate_phdr(loaded, &found);
    cr_assert_gt(found, 2);
    cr_assert_eq(look_for("libnothing.so.2"), -1);
    cr_assert(needed_mentions("/proc/self/exe", "libc.so."));
    cr_assert(!(needed_mentions("/proc/self/exe", "libnothing")));
}

Test(needed, no_program)
{
    const char *const names[] = {"libc.so.6", NULL};
    cr_assert_eq(needed_find("/etc/passwd", NULL, names), -1);
    cr_assert_eq(needed_find("/", NULL, names), -1);
    cr_assert_eq(needed_find("/nowhere", NULL, names), -1);
    cr_assert_eq(needed_find("/dev/zero", NULL, names), -1);
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
    const char *const names[] = {"libnothing.so.1", NULL};
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
        cr_assert_eq(needed_find(path, NULL, names), -1);
        needed_mentions(path, "libnothing.so");
    }
    unlink(path);
    free(bytes);
}
