/* search.c - finds programs; see search.h. */
#include "base/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

char *search_self(void)
{
    char *path = realpath("/proc/self/exe", NULL);
    return path ? path : realpath((const char *)getauxval(AT_EXECFN), NULL);
}

bool search_is_program(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

/* An empty element of the list is skipped: programs in the present directory must be named with a
 * slash. */
char *search_program(const char *list, const char *name)
{
    while (list && *list) {
        char *path = NULL;
        size_t n = strcspn(list, ":");
        if (n > 0 && asprintf(&path, "%.*s/%s", (int)n, list, name) >= 0 && search_is_program(path))
            return path;
        free(path);
        list += n + (list[n] == ':');
    }
    return NULL;
}
