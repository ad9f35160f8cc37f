/* tid_check.c - validates tids that the program passes. */
#include "job/tid_check.h"

#include "base/error.h"
#include "job/question.h"
#include "job/task.h"

const char *tids_host(hn_tid tid)
{
    const char *host = hn_host_of(tid);

    return host ? host : "?";
}

/* Blocks for a round trip, once for each unknown tid. */
static int ask_hrun(struct task *t, hn_tid tid)
{
    struct question q;

    question_begin(&q, CONTROL_TASKS_ASK);
    question_add_tids(&q, &tid, 1);
    int result = question_ask(&q, CONTROL_TASKS);
    question_end(&q);
    if (result == HN_OK)
        tids_learn(&t->tids, tid);
    return result;
}

/* A frequent mistake is to pass a rank.  Ranks are below all tids, so it can be recognised. */
int tids_refuse(const struct task *t, hn_tid tid)
{
    int code = tid > 0 ? HN_ENOTASK : HN_EARG;

    if (tid >= 0 && tid < t->world.size)
        return error_set(code, "%d is a rank, not the tid of a task: hn_group_tid(hn_world(), %d)",
                         tid, tid);
    if (tid <= 0)
        return error_set(code, "%d is not the name of a task", tid);
    return error_set(code, "there is no task %d in this job", tid);
}

/* From cheap to expensive: a number that cannot be a tid, a known one, and a question to hrun. */
int tids_source(struct task *t, hn_tid tid)
{
    if (tid < (hn_tid)control_tid(0, 0))
        return tids_refuse(t, tid);
    if (tids_has(&t->tids, tid))
        return HN_OK;
    if (t->agent.fd < 0)
        return error_set(HN_ENOTASK, "there is no task %d: this is a job of one", tid);
    return ask_hrun(t, tid);
}

/* Hosts have tids, too, but no messages can be sent to them. */
int tids_check(struct task *t, hn_tid tid)
{
    if (tid > 0 && control_serial((uint32_t)tid) == 0 && tid >= (hn_tid)control_tid(0, 0))
        return error_set(HN_ENOTASK, "%d is the name of a host, not of a task", tid);
    return tids_source(t, tid);
}
