/* hbench_self.c - hbench's own path, as the kernel knows it. */
#include "self.h"

#include "fail.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool self_find(char path[PATH_MAX], size_t *directory)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

    if (length < 0)
        return fail_system("/proc/self/exe");
    path[length] = '\0';
    *directory = (size_t)(strrchr(path, '/') + 1 - path);
    return true;
}

bool self_beside(const char *name, char path[PATH_MAX])
{
    size_t directory;

    if (!self_find(path, &directory))
        return false;
    snprintf(path + directory, PATH_MAX - directory, "%s", name);
    return access(path, R_OK) == 0;
}
