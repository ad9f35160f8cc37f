/* gate_tasks.c - tasks and names of the virtual machine's own job: programs started by hand, the
 * tasks that they have spawned, and their values; see gate.h.
 *
 * The tasks are those of the job that hrun runs for the machine.  Keepers are tasks, too, but are
 * never shown or signalled here.  Jobs that use the machine are separate jobs of their own hrun;
 * `hnow ps` finds their processes through the keepers.
 */
#include "gate.h"

#include <stdlib.h>
#include <string.h>

/* Stores all tasks except keepers in *tasks, which the caller frees. Returns their number. */
static int list(hn_task_info **tasks)
{
    hn_tid *keepers;
    int n = 0, kept = 0, keeping = gate_keepers(&keepers);

    if (hn_tasks(tasks, &n) != HN_OK)
        *tasks = NULL;
    for (int i = 0; *tasks && i < n; i++) {
        bool keeps = false;
        for (int j = 0; keepers && j < keeping; j++)
            keeps |= keepers[j] == (*tasks)[i].tid;
        if (!keeps)
            (*tasks)[kept++] = (*tasks)[i];
    }
    free(keepers);
    return kept;
}

/* A program started by hand has no name, as in PVM: the process is its stand-in. */
void gate_tasks_print(FILE *out)
{
    hn_task_info *tasks;
    int n = list(&tasks);

    for (int i = 0; i < n; i++) {
        const char *host = hn_host_of(tasks[i].tid);
        fprintf(out, "%-24s %7d t%-7x %s\n", host ? host : "?", tasks[i].pid,
                (unsigned)tasks[i].tid,
                strcmp(tasks[i].program, "hnow") == 0 ? "-" : tasks[i].program);
    }
    free(tasks);
}

/* Signals the task with that tid (0: all). */
bool gate_tasks_signal(hn_tid tid, int number)
{
    hn_task_info *tasks;
    int n = list(&tasks);
    bool sent = false;

    for (int i = 0; i < n; i++)
        if (tid == 0 || tasks[i].tid == tid)
            sent |= hn_signal(tasks[i].tid, number) == HN_OK;
    free(tasks);
    return sent;
}

/* Prints the values' names, but not their contents, which only their readers can interpret. */
void gate_names_print(const char *pattern, FILE *out)
{
    hn_name_info *names;
    int n;

    if (hn_name_list(pattern, &names, &n) != HN_OK) {
        fprintf(out, "1\n%s\n", hn_error_text());
        return;
    }
    fputs("0\n", out);
    for (int i = 0; i < n; i++)
        fprintf(out, "%-24s %5d t%x%s%s\n", names[i].name, names[i].index, (unsigned)names[i].owner,
                names[i].flags & HN_NAME_STAYS ? " persistent" : "",
                names[i].flags & HN_NAME_SHARED ? " overwritable" : "");
    free(names);
}

/* True if a value has this name (NULL: any) and index (HN_ANY: any) and, with `left`, its task has
 * ended. */
static bool is_meant(const hn_name_info *info, const char *name, int index, bool left)
{
    hn_task_info task;

    return (!name || strcmp(info->name, name) == 0) && (index == HN_ANY || info->index == index) &&
           (!left || hn_task_status(info->owner, &task) != HN_OK || task.state == HN_ENDED);
}

/* A value of a running task is refused with HN_ESTATE.  Any other error counts as success, because
 * the value may have been deleted by its owner in the meantime. */
bool gate_names_delete(const char *name, int index, bool left)
{
    hn_name_info *names;
    int n = 0;
    bool all = hn_name_list("*", &names, &n) == HN_OK;

    for (int i = 0; all && i < n; i++)
        if (is_meant(&names[i], name, index, left))
            all &= hn_name_delete(names[i].name, names[i].index) != HN_ESTATE;
    if (n > 0)
        free(names);
    return all;
}

/* The value is an empty string. */
void gate_names_put(const char *name, FILE *out)
{
    hn_buffer *value = hn_buffer_new();
    int result = value ? hn_pack_string(value, "") : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_name_put(name, HN_ANY, HN_NAME_STAYS | HN_NAME_SHARED, value);
    hn_buffer_free(value);
    if (result < 0)
        fprintf(out, "1\n%s\n", hn_error_text());
    else
        fprintf(out, "0\n%s has index %d\n", name, result);
}
