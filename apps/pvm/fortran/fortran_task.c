/* fortran_task.c - the task, its parent and siblings, and other tasks. */
#include "fortran.h"

SUBROUTINE(pvmfmytid, int *tid)
{
    *tid = pvm_mytid();
}

SUBROUTINE(pvmfexit, int *info)
{
    *info = pvm_exit();
}

SUBROUTINE(pvmfparent, int *tid)
{
    *tid = pvm_parent();
}

/* An invalid index, such as -1, only queries the count. */
SUBROUTINE(pvmfsiblings, int *count, const int *index, int *tid)
{
    int *tids;

    *count = pvm_siblings(&tids);
    *tid = *index >= 0 && *index < *count ? tids[*index] : PvmNoTask;
}

SUBROUTINE(pvmfpstat, const int *tid, int *status)
{
    *status = pvm_pstat(*tid);
}

SUBROUTINE(pvmfkill, const int *tid, int *info)
{
    *info = pvm_kill(*tid);
}

SUBROUTINE(pvmfsendsig, const int *tid, const int *number, int *info)
{
    *info = pvm_sendsig(*tid, *number);
}

SUBROUTINE(pvmftidtohost, const int *tid, int *host)
{
    *host = pvm_tidtohost(*tid);
}

/* ---- the list, one task per call ---------------------------------------------------------- */

/* What pvm_tasks() has returned, and the task that comes next. */
static struct {
    struct pvmtaskinfo *tasks;
    int n, next;
} listed;

/* If there is no task, only count and info are set. */
SUBROUTINE(pvmftasks, const int *where, int *count, int *tid, int *parent, int *host, int *flag,
           char *program, int *info, size_t program_length)
{
    const struct pvmtaskinfo *task;

    if (*count == -1 || listed.next >= listed.n) {
        listed.n = listed.next = 0;
        *info = pvm_tasks(*where, &listed.n, &listed.tasks);
        if (*info < 0)
            return;
    }
    *info = FORTRAN_LISTED;
    *count = listed.n;
    if (listed.n == 0)
        return;
    task = &listed.tasks[listed.next++];
    *tid = task->ti_tid;
    *parent = task->ti_ptid;
    *host = task->ti_host;
    *flag = task->ti_flag;
    fortran_fill(program, program_length, task->ti_a_out);
}
