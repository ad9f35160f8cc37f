/* fortran_task.c - the task, its parent and siblings, and other tasks.
 *
 * Lists are delivered one task per call. As with hosts, the position in the list is that of the
 * process.
 */
#include "fortran.h"

/* The first call of most programs: it makes the process a task. */
SUBROUTINE(pvmfmytid, int *tid)
{
    *tid = pvm_mytid();
}

/* The program continues, and its next call may make it a task again. */
SUBROUTINE(pvmfexit, int *info)
{
    *info = pvm_exit();
}

/* PvmNoParent: the task was not spawned. */
SUBROUTINE(pvmfparent, int *tid)
{
    *tid = pvm_parent();
}

/* An invalid index, such as -1, only queries the count. */
SUBROUTINE(pvmfsiblings, int *count, const int *index, int *tid)
{
    /* The list belongs to the library. */
    int *tids;

    *count = pvm_siblings(&tids);
    /* Indices start at 0, as in C. */
    *tid = *index >= 0 && *index < *count ? tids[*index] : PvmNoTask;
}

/* status is PvmOk if the task runs, or else PvmNoTask. */
SUBROUTINE(pvmfpstat, const int *tid, int *status)
{
    *status = pvm_pstat(*tid);
}

/* Sends SIGTERM. */
SUBROUTINE(pvmfkill, const int *tid, int *info)
{
    *info = pvm_kill(*tid);
}

/* The numbers of signals are those of the system: Fortran has no names for them. */
SUBROUTINE(pvmfsendsig, const int *tid, const int *number, int *info)
{
    *info = pvm_sendsig(*tid, *number);
}

/* Calculated from the number alone. */
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

    /* `where` counts only when the list is fetched anew. */
    if (*count == -1 || listed.next >= listed.n) {
        listed.n = listed.next = 0;
        *info = pvm_tasks(*where, &listed.n, &listed.tasks);
        if (*info < 0)
            return;
    }
    *info = FORTRAN_LISTED;
    *count = listed.n;
    /* A host may have no task. */
    if (listed.n == 0)
        return;
    task = &listed.tasks[listed.next++];
    *tid = task->ti_tid;
    *parent = task->ti_ptid;
    *host = task->ti_host;
    *flag = task->ti_flag;
    fortran_fill(program, program_length, task->ti_a_out);
}
