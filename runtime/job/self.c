/* self.c - the identity and the host of this task. */
#include "base/clock.h"
#include "base/error.h"
#include "job/task.h"
#include "job/tid_check.h"

hn_tid hn_mytid(void)
{
    const struct task *t = task_get();

    return t ? t->tid : HN_ESTATE;
}

int hn_rank(void)
{
    const struct task *t = task_get();

    return t ? t->rank : HN_ESTATE;
}

int hn_size(void)
{
    const struct task *t = task_get();

    return t ? t->world.size : HN_ESTATE;
}

double hn_wtime(void)
{
    return (double)clock_now() * 1e-9;
}

/* The tid of a host is accepted, too.  The name is valid until the task leaves its job. */
const char *hn_host_of(hn_tid tid)
{
    const struct task *t = task_get();
    const char *name = NULL;

    if (!t)
        return NULL;
    if (tid < (hn_tid)control_tid(0, 0)) {
        tids_refuse(t, tid);
        return NULL;
    }
    if (t->agent.fd >= 0)
        name = agent_host_name(t, control_host((uint32_t)tid));
    else if (tid == t->tid)
        name = "localhost";
    if (!name)
        error_set(HN_ENOTASK, "there is no task %d in this job", tid);
    return name;
}
