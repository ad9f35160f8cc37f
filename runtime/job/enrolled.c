/* enrolled.c - the task context of this process, and the errors if there is none (task.h). */
#include "job/task.h"

#include "base/error.h"

struct task *task_enrolled;

struct task *task_missing(void)
{
    error_set(HN_ESTATE, "this process is not enrolled: call hn_enrol() first");
    return NULL;
}

/* The text for a call that fails because the task is leaving, or its job is ending. */
int task_refuse(int quitting)
{
    return error_set(quitting,
                     quitting == HN_EJOB ? "the job is ending" : "hn_exit() has been called");
}
