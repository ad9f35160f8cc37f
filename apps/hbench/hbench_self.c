/* hbench_self.c - the path of hbench, from the kernel (self.h).
 *
 * Programs beside hbench are preferred, since these are of the same build. */
#include "self.h"

#include "fail.h"
#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* *directory is the length up to and including the last slash, so names can be appended there. */
bool self_find(char path[PATH_MAX], size_t *directory)
{
    char *self = search_self();

    /* PATH_MAX includes the NUL. */
    if (!self || snprintf(path, PATH_MAX, "%s", self) >= PATH_MAX) {
        free(self);
        return fail_system("/proc/self/exe");
    }
    free(self);
    *directory = (size_t)(strrchr(path, '/') + 1 - path);
    return true;
}

/* Readable is enough: libraries are found in this way, too. */
bool self_beside(const char *name, char path[PATH_MAX])
{
    size_t directory;

    if (!self_find(path, &directory))
        return false;
    snprintf(path + directory, PATH_MAX - directory, "%s", name);
    return access(path, R_OK) == 0;
}

/* The path need not exist: the caller reports a program that cannot be started. */
bool self_tool(const char *name, char path[PATH_MAX])
{
    /* Installed tools are beside hbench; those of a build are two folders above. */
    static const char *const places[] = {"", "../../"};
    char self[PATH_MAX];
    size_t directory;

    if (!self_find(self, &directory))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n = snprintf(path, PATH_MAX, "%.*s%s%s", (int)directory, self, places[i], name);
        if (n > 0 && n < PATH_MAX && search_is_program(path))
            return true;
    }
    /* The PATH is the last resort, so this does not fail. */
    snprintf(path, PATH_MAX, "%s", name);
    return true;
}
