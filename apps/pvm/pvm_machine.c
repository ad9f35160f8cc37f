/* pvm_machine.c - the virtual machine, in place of PVM's daemons: pvm_start_pvmd(), pvm_exit(),
 * pvm_halt().
 *
 * In a job of hrun the virtual machine is the job.
 */
#include "vm.h"

#include <signal.h>

/* ---- starting ----------------------------------------------------------------------------- */

/* Finds the hosts file among the arguments of PVM's daemon; its options have no meaning here. */
static const char *hosts_file(int argc, char **argv)
{
    for (int i = 0; argv && i < argc; i++)
        /* PVM's daemon takes the first argument without a dash as the hosts file, too. */
        if (argv[i] && argv[i][0] != '-')
            return argv[i];
    return NULL;
}

/* If a job or a virtual machine exists, the caller is already a task of it. PvmCantStart: `hnow up`
 * has failed. */
static int start(int argc, char **argv)
{
    if (vm_enrol(false) == PvmOk)
        return PvmDupHost;
    return vm_run_hnow("up", hosts_file(argc, argv)) ? PvmOk : PvmCantStart;
}

/* Always blocks until the virtual machine is running on all of its hosts. */
int pvm_start_pvmd(int argc, char **argv, int block)
{
    (void)block;
    /* Without VM_CALL(), which would start a machine of this host alone. */
    vm_lock();
    return vm_end(__func__, start(argc, argv));
}

/* ---- leaving ------------------------------------------------------------------------------ */

/* A task of a job does not leave it, because it could not enrol there again. */
static int leave(void)
{
    bool pauses = vm_where() == VM_IN_JOB;
    int result;

    vm_forget_messages();
    vm_drop_handlers();
    vm_thaw_all();
    vm_forget_hosts();
    /* May wait for children whose output is caught. */
    result = vm_leave(pauses);
    vm_has_left(pauses);
    return result;
}

/* As in PVM, this is no error for a process that is no task, or no longer. The process continues.
 * Its next call makes it a task again. */
int pvm_exit(void)
{
    vm_lock();
    return vm_end(__func__, vm_where() == VM_NOWHERE ? PvmOk : leave());
}

/* ---- halting ------------------------------------------------------------------------------ */

/* As in PVM, the caller also gets SIGTERM if it is a task of a virtual machine. In a job,
 * hn_abort() does not return. */
static int halt(void)
{
    bool ended;

    /* SIGTERM would not flush the streams of the program. */
    fflush(NULL);
    if (vm_where() == VM_IN_JOB)
        /* Status 0: the end of the job is no failure. */
        hn_abort(0, NULL);
    leave();
    ended = vm_run_hnow("down", NULL);
    raise(SIGTERM);
    return ended ? PvmOk : PvmSysErr;
}

/* PvmSysErr: the process is no task, or the virtual machine has not ended. */
int pvm_halt(void)
{
    return VM_CALL(halt());
}
