/* job_questions.c - the table of questions of tasks, and the answers about tasks, hosts and
 * signals; see job_service.c.
 *
 * A new kind of question needs a row in the table and a function.  The function reads the fields
 * and answers now or later.  The first field is the question's number, except for RETIRE, which has
 * no answer.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/diagnosis/job_stall.h"
#include "hrun/streams/job_stdio.h"

#include <signal.h>

/* ---- tasks ------------------------------------------------------------------------------ */

/* One task as CONTROL_TASKS lists it, also for tasks that have ended. */
static void job_pack_task(struct pack *inner, const struct job_task *task)
{
    pack_u32(inner, task->tid);
    pack_u32(inner, task->spawned.parent);
    pack_u32(inner, task->rank);
    pack_u32(inner, task->pid);
    pack_str(inner, job_program_name(task));
    pack_u8(inner, task->state);
    pack_u32(inner, task->wait_status);
}

static void job_pack_all_tasks(const struct job *job, struct pack *inner)
{
    uint32_t n = 0;
    for (int i = 0; i < job->tasks.ntask; i++)
        n += job->tasks.task[i]->state != JOB_TASK_OVER;
    pack_u32(inner, n);
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->state != JOB_TASK_OVER)
            job_pack_task(inner, job->tasks.task[i]);
}

/* Without a list: all tasks that have not ended. */
static void job_on_tasks_ask(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    struct pack inner = {0};
    uint32_t number = unpack_u32(in), n = unpack_u32(in);
    pack_u32(&inner, number);
    if (n == 0)
        job_pack_all_tasks(job, &inner);
    else
        pack_u32(&inner, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t tid = unpack_u32(in);
        const struct job_task *task = job_any_task(job, tid);
        if (!task) {
            pack_free(&inner);
            job_done(asker, number, HN_ENOTASK, "there is no task %d in this job", (int)tid);
            return;
        }
        job_pack_task(&inner, task);
    }
    job_send_task(asker, CONTROL_TASKS, &inner);
}

/* Signal 0 only checks that the task exists, as kill(2).  The answer does not wait for the agent.
 * `ends`: the asker wants the task's end, so that does not count as a failure. */
static void job_on_signal_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in), tid = unpack_u32(in), signo = unpack_u32(in);
    bool ends = unpack_u8(in);
    struct job_task *task = job_any_task(asker->host->job, tid);
    if (!task) {
        job_done(asker, number, HN_ENOTASK, "there is no task %d in this job", (int)tid);
    } else if (task->state == JOB_TASK_OVER) {
        job_done(asker, number, HN_EDEAD, "task %u has ended", tid);
    } else if (signo >= NSIG) {
        job_done(asker, number, HN_EARG, "there is no signal %u", signo);
    } else {
        task->spawned.end_expected |= ends;
        if (signo > 0)
            channel_put(&task->host->channel, CONTROL_SIGNAL, tid, signo);
        job_done_well(asker, number);
    }
}

/* ---- hosts ------------------------------------------------------------------------------ */

/* The speed is text from the hosts file, or empty; the load is the agent's last report. */
static void job_pack_host(struct pack *inner, const struct job_host *host)
{
    const char *speed = host->line ? host->line->model[HOSTS_SPEED] : NULL;
    pack_u32(inner, host->number);
    pack_str(inner, host->name);
    pack_str(inner, host->about.machine);
    pack_u8(inner, host->about.byte_order);
    pack_u32(inner, (uint32_t)host->about.cores);
    pack_u32(inner, (uint32_t)job_host_slots(host));
    pack_u32(inner, host->tasks.live);
    pack_u32(inner, host->about.load);
    pack_str(inner, speed);
}

/* Only hosts that are up, in the order of the hosts file. */
static void job_on_hosts_ask(struct job_task *asker, struct unpack *in)
{
    const struct job *job = asker->host->job;
    struct pack inner = {0};
    uint32_t n = 0;
    pack_u32(&inner, unpack_u32(in));
    for (int i = 0; i < job->nhost; i++)
        n += job_host_is_up(&job->host[i]);
    pack_u32(&inner, n);
    for (int i = 0; i < job->nhost; i++)
        if (job_host_is_up(&job->host[i]))
            job_pack_host(&inner, &job->host[i]);
    job_send_task(asker, CONTROL_HOSTS, &inner);
}

/* In both cases the task takes part in nothing from now on.  After hn_pause() it may come back. */
static void job_on_retire(struct job_task *task, struct unpack *in)
{
    task->spawned.paused = unpack_u32(in) == 1;
    task->spawned.retired = !task->spawned.paused;
    job_agree_without(task);
    job_groups_without(task, false);
    job_names_without(task);
}

/* ---- the table -------------------------------------------------------------------------- */

static const struct job_service {
    enum control_kind kind;
    void (*answer)(struct job_task *asker, struct unpack *in);
} job_services[] = {
    {CONTROL_SPAWN_ASK, job_on_spawn_ask},
    {CONTROL_TASKS_ASK, job_on_tasks_ask},
    {CONTROL_HOSTS_ASK, job_on_hosts_ask},
    {CONTROL_SIGNAL_ASK, job_on_signal_ask},
    {CONTROL_CONTEXT_ASK, job_on_context_ask},
    {CONTROL_AGREE_ASK, job_on_agree_ask},
    {CONTROL_RETIRE, job_on_retire},
    {CONTROL_PUT_ASK, job_on_put_ask},
    {CONTROL_GET_ASK, job_on_get_ask},
    {CONTROL_DROP_ASK, job_on_drop_ask},
    {CONTROL_NAMES_ASK, job_on_names_ask},
    {CONTROL_JOIN_ASK, job_on_join_ask},
    {CONTROL_PART_ASK, job_on_part_ask},
    {CONTROL_MEMBERS_ASK, job_on_members_ask},
    {CONTROL_RENDEZVOUS_ASK, job_on_rendezvous_ask},
    {CONTROL_RETURN, job_on_return},
    {CONTROL_NOTIFY_ASK, job_on_notify_ask},
    {CONTROL_WAITS, job_on_waits},
    {CONTROL_CAPTURE_ASK, job_on_capture_ask},
    {CONTROL_CAPTURED_ACK, job_on_captured_ack},
    {CONTROL_CAPTURE_END, job_on_capture_end},
    {CONTROL_ADD_HOSTS_ASK, job_on_add_hosts_ask},
    {CONTROL_REMOVE_HOSTS_ASK, job_on_remove_hosts_ask},
    {CONTROL_ABORT_ASK, job_on_abort_ask},
};

/* While the job is ending, all questions are refused.  Questions about a delegated group may have
 * to wait. */
void job_answer_question(struct job_task *asker, enum control_kind kind, struct unpack *in)
{
    if (asker->host->job->end.ending) {
        job_done(asker, unpack_u32(in), HN_EJOB, "the job is ending");
        return;
    }
    for (size_t i = 0; i < sizeof job_services / sizeof *job_services; i++)
        if (job_services[i].kind == kind && !job_delegate_first(asker, kind, in))
            job_services[i].answer(asker, in);
}

void job_question(struct job_task *asker, struct unpack *fields)
{
    struct control_frame inner;
    if (control_unwrap(fields, &inner) == HN_OK)
        job_answer_question(asker, inner.kind, &inner.payload);
}
