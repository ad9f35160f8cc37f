/* hnow_program.c - runs the program hnow, from $PATH or from this library's installation.
 *
 * Starting and ending a virtual machine is the work of that program. So the library needs none
 * of its code, and a machine started by a call equals one that a user has started.
 */
#include "vm.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* Returns the path LIBDIR/../bin/hnow of this library's installation, to be freed; or NULL. For
 * users whose $PATH lacks hnow's directory. */
static char *installed_hnow(void)
{
    Dl_info library;
    char *path = dladdr((void *)&vm_run_hnow, &library) ? realpath(library.dli_fname, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL, *hnow = NULL;

    if (slash) {
        *slash = 0;
        if (asprintf(&hnow, "%s/../bin/hnow", path) < 0)
            hnow = NULL;
    }
    free(path);
    return hnow;
}

/* Its output goes to the program's streams. Blocks until it has ended. */
bool vm_run_hnow(const char *verb, const char *hosts)
{
    /* Without -hosts the machine consists of this host alone. */
    const char *argv[] = {"hnow", verb, hosts ? "-hosts" : NULL, hosts, NULL};
    pid_t pid;
    int status = 0, error = posix_spawnp(&pid, "hnow", NULL, NULL, (char **)argv, environ);

    /* The search in $PATH comes first, as a user may have chosen another version there. */
    if (error) {
        char *hnow = installed_hnow();
        if (hnow)
            error = posix_spawn(&pid, hnow, NULL, NULL, (char **)argv, environ);
        free(hnow);
    }
    if (error)
        return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ; /* ECHILD: the program ignores SIGCHLD; the caller checks whether the machine is
             running */
    /* If the status is unknown, it is 0 here, which counts as success. */
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
