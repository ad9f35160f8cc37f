/* pvm_machine.c - the machine that stays in place of PVM's daemons: pvm_start_pvmd(), pvm_exit(),
 * pvm_halt().
 *
 * In a job of hrun's the virtual machine is the job.
 */
#include "vm.h"

#include <signal.h>

/* ---- starting ----------------------------------------------------------------------------- */

/* The hosts file among the arguments of PVM's daemon, whose options mean nothing here. */
static const char *hosts_file(int argc, char **argv)
{
    for (int i = 0; argv && i < argc; i++)
        if (argv[i] && argv[i][0] != '-')
            return argv[i];
    return NULL;
}

/* A job, or a machine that is up, is there already: the caller is a task there then. */
static int start(int argc, char **argv)
{
    if (vm_enrol(false) == PvmOk)
        return PvmDupHost;
    return vm_run_hnow("up", hosts_file(argc, argv)) ? PvmOk : PvmCantStart;
}

/* It always waits until the machine is up, with all of its hosts. */
int pvm_start_pvmd(int argc, char **argv, int block)
{
    (void)block;
    vm_lock();
    return vm_end(__func__, start(argc, argv));
}

/* ---- leaving ------------------------------------------------------------------------------ */

/* A task of a job stays with it, since it could not enrol there again. */
static int leave(void)
{
    bool pauses = vm_where() == VM_IN_JOB;
    int result;

    vm_forget_messages();
    vm_thaw_all();
    vm_forget_hosts();
    result = vm_leave(pauses);
    vm_has_left(pauses);
    return result;
}

/* As in PVM, a process that is no task, or no longer, has nothing to leave: this is no error. */
int pvm_exit(void)
{
    vm_lock();
    return vm_end(__func__, vm_where() == VM_NOWHERE ? PvmOk : leave());
}

/* ---- halting ------------------------------------------------------------------------------ */

/* As in PVM, the caller of a machine gets SIGTERM, too. */
static int halt(void)
{
    bool ended;

    fflush(NULL);
    if (vm_where() == VM_IN_JOB)
        hn_abort(0, NULL);
    leave();
    ended = vm_run_hnow("down", NULL);
    raise(SIGTERM);
    return ended ? PvmOk : PvmSysErr;
}

int pvm_halt(void)
{
    return VM_CALL(halt());
}
