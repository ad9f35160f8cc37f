/* pvm_task.c - the task's parent and siblings, and other tasks: lists, states, signals.
 *
 * Each query is a round trip to hrun, except those of parent, siblings and host. A tid that was
 * never assigned is treated as that of a task that has ended, because PVM does not distinguish
 * them.
 */
#include "vm.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A program started by hand or by hrun has no parent. */
static int parent(void)
{
    int tid = getenv(VM_ENV_NO_PARENT) ? HN_ENOTASK : hn_parent();

    return tid > 0 ? tid : PvmNoParent;
}

/* The result is the same for the whole life of the task, also after the parent's end. */
int pvm_parent(void)
{
    return VM_ASK(parent(), PvmNoParent);
}

/* PVM allows the caller to write into the list. The tasks of one pvm_spawn(), or all that hrun
 * started. The list is by rank, and complete even when some have ended. */
static int siblings(int **tids)
{
    static int *list;
    const hn_tid *all;
    int n, *more;

    if (!tids)
        return PvmBadParam;
    /* They are known since the start, so hrun is not asked. */
    n = hn_siblings(&all);
    if (n < 0)
        return vm_result(n);
    /* The list changes only when a process enrols again; until then it is not moved. */
    more = realloc(list, sizeof *list * (size_t)(n + 1));
    if (!more)
        return PvmNoMem;
    list = more;
    for (int i = 0; i < n; i++)
        list[i] = all[i];
    *tids = list;
    return n;
}

/* PvmBadParam: tids is NULL. The list is shared by all callers, and must not be freed. */
int pvm_siblings(int **tids)
{
    return VM_CALL(siblings(tids));
}

/* ---- one task ----------------------------------------------------------------------------- */

/* A task that has ended is still known to hrun. */
static int status(int tid)
{
    hn_task_info info;
    int result = vm_may_be_task(tid) ? vm_result(hn_task_status(tid, &info)) : PvmBadParam;

    return result == PvmOk && info.state == HN_ENDED ? PvmNoTask : result;
}

/* As in PVM, it is no error if the task has ended or never existed, or if the signal is invalid. */
static int send_signal(int tid, int number)
{
    if (!vm_may_be_task(tid))
        return PvmBadParam;

    int result = hn_signal(tid, number);
    /* There is no such task any more, or no such signal. */
    bool in_vain = result == HN_EDEAD || result == HN_ENOTASK || result == HN_EARG;
    return in_vain ? PvmOk : vm_result(result);
}

/* PvmBadParam: no task can have this tid, such as that of a host. */
int pvm_pstat(int tid)
{
    return VM_ASK(status(tid), PvmNoTask);
}

/* hrun passes the signal on. It reaches the processes that the task has started, too. */
int pvm_sendsig(int tid, int signal)
{
    return VM_CALL(send_signal(tid, signal));
}

/* A program may catch the signal, or ignore it. */
int pvm_kill(int tid)
{
    return VM_CALL(send_signal(tid, SIGTERM));
}

/* Works for any number, without asking hrun. */
int pvm_tidtohost(int tid)
{
    return VM_CALL(tid & VM_HOST_OF_TID);
}

/* ---- all tasks ---------------------------------------------------------------------------- */

/* What pvm_tasks() gives the program. */
static struct {
    hn_task_info *info; /* owns the names */
    struct pvmtaskinfo *tasks;
} listed;

/* True if a task is anywhere (0), on a given host, or is that task. */
static bool is_at(const hn_task_info *task, int where)
{
    return where == 0 || task->tid == where || hn_host_tid(task->tid) == where;
}

/* True if the host of a tid takes part. */
static bool has_host(int tid)
{
    hn_host_info *hosts;
    int n, i = 0;

    if (vm_hosts(&hosts, &n) != PvmOk)
        return false;
    /* A tid of a task there is accepted as well. */
    while (i < n && hosts[i].tid != hn_host_tid(tid))
        i++;
    free(hosts);
    return i < n;
}

/* The virtual machine's own tasks run this program: keepers, which have no parent, and stand-ins
 * for programs started by hand.  PVM lists the latter without a name and a parent. */
static bool is_machines(const hn_task_info *task)
{
    const char *slash = strrchr(task->program, '/');

    return strcmp(slash ? slash + 1 : task->program, "hnow") == 0;
}

/* The texts are those of hnow's list, which therefore must stay. */
static struct pvmtaskinfo describe(hn_task_info *task)
{
    bool by_hand = is_machines(task);

    return (struct pvmtaskinfo){
        .ti_tid = task->tid,
        .ti_ptid = by_hand ? 0 : task->parent,
        .ti_host = hn_host_tid(task->tid),
        .ti_flag = !by_hand && task->parent > 0 ? 6 : 4, /* PVM: connected, and spawned (2) */
        .ti_a_out = by_hand ? (char *)"" : (char *)vm_spawned_name(task->program),
        .ti_pid = task->pid,
    };
}

/* Names and tasks are valid until the next call of pvm_tasks(). */
static int list(int where, int *count, struct pvmtaskinfo **tasks)
{
    int n, m = 0, result;

    free(listed.info);
    free(listed.tasks);
    /* So a failed call leaves nothing that would be freed twice. */
    listed.info = NULL;
    listed.tasks = NULL;
    result = vm_result(hn_tasks(&listed.info, &n));
    if (result != PvmOk)
        return result;
    /* One more, as calloc(0) may return NULL. */
    listed.tasks = calloc((size_t)n + 1, sizeof *listed.tasks);
    if (!listed.tasks)
        return PvmNoMem;
    for (int i = 0; i < n; i++) {
        hn_task_info *t = &listed.info[i];
        /* Keepers of the virtual machine have no parent and are not listed. */
        if (is_at(t, where) && !(is_machines(t) && t->parent == 0))
            listed.tasks[m++] = describe(t);
    }
    /* The number of tasks that are listed. */
    if (count)
        *count = m;
    if (tasks)
        *tasks = listed.tasks;
    /* Asked only if nothing was found, as a host may have no task. */
    return m > 0 || where == 0 || has_host(where) ? PvmOk : PvmNoHost;
}

/* Tasks that start or end during the call may be in the list or not. */
int pvm_tasks(int where, int *count, struct pvmtaskinfo **tasks)
{
    return VM_CALL(list(where, count, tasks));
}
