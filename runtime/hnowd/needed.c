/* needed.c - which shared objects a program needs; see needed.h.
 *
 * This is known exactly by the program's loader only (run paths, $LD_LIBRARY_PATH, the system's
 * cache), so the loader that the program names is asked: "ld.so --list PROGRAM" prints what it
 * would load and starts nothing.
 *
 * Cost: one process.
 */
#include "hnowd/needed.h"

#include "base/error.h"
#include "hnow.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool read_part(int fd, uint64_t offset, void *data, size_t n)
{
    return offset <= INT32_MAX && pread(fd, data, n, (off_t)offset) == (ssize_t)n;
}

/* The path of the loader is in the file; false: it names none, or is not for this machine. */
static bool read_loader(int fd, char loader[NEEDED_PATH])
{
    static const unsigned char ident[] = {ELFMAG0,
                                          ELFMAG1,
                                          ELFMAG2,
                                          ELFMAG3,
                                          sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
                                          BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB};
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    if (!read_part(fd, 0, &head, sizeof head) || memcmp(head.e_ident, ident, sizeof ident) != 0)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (!read_part(fd, head.e_phoff + (uint64_t)i * head.e_phentsize, &part, sizeof part))
            return false;
        if (part.p_type == PT_INTERP)
            return part.p_filesz > 0 && part.p_filesz <= NEEDED_PATH &&
                   read_part(fd, part.p_offset, loader, (size_t)part.p_filesz) &&
                   loader[part.p_filesz - 1] == '\0' && access(loader, X_OK) == 0;
    }
    return false;
}

static bool find_loader(const char *program, char loader[NEEDED_PATH])
{
    int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool found = fd >= 0 && read_loader(fd, loader);
    if (fd >= 0)
        close(fd);
    if (!found)
        loader[0] = '\0';
    return found;
}

/* A line "NAME => PATH (0x...)" or "NAME => not found"; others are of no shared object. */
static int take_line(char *line, needed_take *take, void *to)
{
    char *arrow = strstr(line, " => "), *end = strrchr(line, '(');
    if (!arrow)
        return HN_OK;
    *arrow = '\0';
    line += strspn(line, "\t ");
    if (arrow[4] != '/' || !end || end < arrow)
        return take(to, line, NULL);
    end[-1] = '\0';
    return take(to, line, arrow + 4);
}

/* In the new process. */
static _Noreturn void become_loader(const char *loader, const char *program, const char *search,
                                    int out)
{
    int good = search ? setenv("LD_LIBRARY_PATH", search, 1) : unsetenv("LD_LIBRARY_PATH");
    if (good == 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        execl(loader, loader, "--list", program, (char *)NULL);
    _exit(127);
}

int needed_list(const char *program, const char *search, char loader[NEEDED_PATH],
                needed_take *take, void *to)
{
    char *line = NULL;
    size_t room = 0;
    int out[2], status = 0, result = HN_OK;
    if (!find_loader(program, loader))
        return HN_OK;
    if (pipe2(out, O_CLOEXEC) != 0)
        return error_set(HN_ESYS, "no descriptors: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0)
        become_loader(loader, program, search, out[1]);
    close(out[1]);
    FILE *list = fdopen(out[0], "r");
    while (list && getline(&line, &room, list) > 0)
        if (result == HN_OK)
            result = take_line(line, take, to);
    free(line);
    if (list)
        fclose(list);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (result == HN_OK && (pid < 0 || status != 0))
        result = error_set(HN_ESYS, "%s does not list what %s needs", loader, program);
    return result;
}
