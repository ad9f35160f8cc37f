/* pvm_machine.c - the machine that stays in place of PVM's daemons: pvm_start_pvmd(), pvm_halt().
 *
 * Both run the program hnow, from $PATH or from where this library is installed.  In a job of
 * hrun's the virtual machine is the job.
 */
#include "vm.h"

#include <dlfcn.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The file of hnow that belongs to this library, to be freed: LIBDIR/../bin/hnow; or NULL. */
static char *installed_hnow(void)
{
    Dl_info library;
    char *path = dladdr((void *)&pvm_halt, &library) ? realpath(library.dli_fname, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL, *hnow = NULL;

    if (slash) {
        *slash = 0;
        if (asprintf(&hnow, "%s/../bin/hnow", path) < 0)
            hnow = NULL;
    }
    free(path);
    return hnow;
}

/* Runs `hnow VERB [-hosts FILE]`: whether it has succeeded. */
static bool run_hnow(const char *verb, const char *hosts)
{
    const char *argv[] = {"hnow", verb, hosts ? "-hosts" : NULL, hosts, NULL};
    pid_t pid;
    int status = 0, error = posix_spawnp(&pid, "hnow", NULL, NULL, (char **)argv, environ);

    if (error) {
        char *hnow = installed_hnow();
        if (hnow)
            error = posix_spawn(&pid, hnow, NULL, NULL, (char **)argv, environ);
        free(hnow);
    }
    if (error)
        return false;
    while (waitpid(pid, &status, 0) < 0)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- starting ----------------------------------------------------------------------------- */

/* The hosts file among the arguments of PVM's daemon, whose options mean nothing here. */
static const char *hosts_file(int argc, char **argv)
{
    for (int i = 0; argv && i < argc; i++)
        if (argv[i] && argv[i][0] != '-')
            return argv[i];
    return NULL;
}

bool vm_start_machine(const char *hosts)
{
    return run_hnow("up", hosts);
}

/* A job, or a machine that is up, is there already: the caller is a task there then. */
static int start(int argc, char **argv)
{
    if (vm_enter_machine() == PvmOk)
        return PvmDupHost;
    return vm_start_machine(hosts_file(argc, argv)) ? PvmOk : PvmCantStart;
}

/* It always waits until the machine is up, with all of its hosts. */
int pvm_start_pvmd(int argc, char **argv, int block)
{
    (void)block;
    vm_lock();
    return vm_answer(__func__, start(argc, argv));
}

/* ---- halting ------------------------------------------------------------------------------ */

/* As in PVM, the caller of a machine gets SIGTERM, too. */
static int halt(void)
{
    bool ended;

    fflush(NULL);
    if (vm_where() == VM_IN_JOB)
        hn_abort(0, NULL);
    vm_leave_call();
    ended = run_hnow("down", NULL);
    raise(SIGTERM);
    return ended ? PvmOk : PvmSysErr;
}

int pvm_halt(void)
{
    return VM_CALL(halt());
}
