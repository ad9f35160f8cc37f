/* job_capture.c - output of a task that another one captures (hn_catch_output()); see job_stdio.h.
 *
 * The happy path: CAPTURE_ASK names children of the asker, or all that it spawns from now on,
 * including what these spawn.  Their OUTPUT is forwarded to the capturing task as CAPTURED.  Its
 * acknowledgements become credit for the agent, so the bytes in flight are bounded, as they are
 * towards hrun's own output.  When a task is over, an empty CAPTURED follows all its output.
 *
 * The failure modes: The capturing task ends first, or the job is ended: the output of the others
 * goes to hrun's own output from then on, and unacknowledged bytes become credit.  In hn_exit() it
 * asks how long to wait: CAPTURE_END is answered when all output that it waits for is over.
 *
 * Cost: one more copy of each byte; O(tasks) when a capturing task asks or ends.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/streams/job_stdio.h"

/* An empty piece of stream 0 is the end of the task's output. */
static void job_capture_forward(const struct job_task *task, uint8_t stream, const uint8_t *data,
                                size_t n)
{
    const struct job_task *catcher = job_any_task(task->host->job, task->captured.by);
    struct pack inner = {0};
    pack_u32(&inner, task->captured.place);
    pack_u32(&inner, task->tid);
    pack_u8(&inner, stream);
    pack_blob(&inner, data, n);
    job_send_task(catcher, CONTROL_CAPTURED, &inner);
}

/* The agent gets no credit until the capturing task has acknowledged the bytes. */
bool job_capture_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n)
{
    if (!task->captured.by || task->host->job->end.ending) /* the capturing task is ending, too */
        return false;
    (stream == 2 ? &task->err : &task->out)->uncredited += n;
    job_capture_forward(task, stream, data, n);
    return true;
}

/* A task's own instructions for its children take precedence over those that it is under. */
void job_capture_inherit(struct job_task *task)
{
    const struct job_task *parent = job_any_task(task->host->job, task->spawned.parent);
    task->captured = parent->captures.by ? parent->captures : parent->captured;
}

/* ---- end of capturing ------------------------------------------------------------------- */

/* The number comes from a task: never more credit than bytes were sent to it. */
static void job_capture_credit(struct job_source *source, size_t n)
{
    n = n < source->uncredited ? n : source->uncredited;
    source->uncredited -= n;
    if (n > 0)
        job_give_credit(source->task, source->stream, n);
}

/* From now on its output goes to hrun's own output. The capturing task acknowledges nothing more,
 * so all that it held back is credited. */
static void job_capture_release(struct job_task *task)
{
    task->captured.by = 0;
    job_capture_credit(&task->out, SIZE_MAX);
    job_capture_credit(&task->err, SIZE_MAX);
}

/* Answers a capturing task that wants to leave, when it waits for no output any more. */
static void job_capture_end_if_done(struct job_task *catcher)
{
    struct job *job = catcher->host->job;
    if (!catcher->capture_end)
        return;
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->captured.by == catcher->tid)
            return;
    job_done_well(catcher, catcher->capture_end);
    catcher->capture_end = 0;
}

/* Two roles: output of this task that another captures is over, and what this task captures is
 * released. */
void job_capture_end(struct job_task *task)
{
    struct job *job = task->host->job;
    if (task->captured.by) {
        job_capture_forward(task, 0, NULL, 0);
        struct job_task *catcher = job_any_task(job, task->captured.by);
        task->captured.by = 0;
        job_capture_end_if_done(catcher);
    }
    for (int i = 0; task->has_captured && i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->captured.by == task->tid)
            job_capture_release(job->tasks.task[i]);
}

/* ---- questions of the capturing task ---------------------------------------------------- */

/* All tids are checked before any is changed: the question has its whole effect or none. `list` is
 * a copy of the reader, so the caller can read it again. */
static bool job_capture_check(const struct job_task *asker, uint32_t number, struct unpack list)
{
    for (uint32_t n = unpack_u32(&list); n > 0; n--) {
        uint32_t tid = unpack_u32(&list);
        const struct job_task *task = job_any_task(asker->host->job, tid);
        if (!task || task->spawned.parent != asker->tid) {
            job_done(asker, number, task ? HN_EARG : HN_ENOTASK, "task %u %s", tid,
                     task ? "was not spawned by this one" : "is not in this job");
            return false;
        }
    }
    return true;
}

/* place 0 ends the capture of this task. A task that has captured it so far, a parent of the asker,
 * acknowledges nothing more, and may be waiting to leave. */
static void job_capture_one(struct job_task *task, struct job_capture captured)
{
    uint32_t before = task->captured.by;
    if (before != captured.by)
        job_capture_release(task);
    task->captured = captured;
    if (captured.by && task->state == JOB_TASK_OVER)
        job_capture_end(task);
    if (before)
        job_capture_end_if_done(job_any_task(task->host->job, before));
}

/* Without a list the request is for tasks that the asker will spawn. */
void job_on_capture_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    struct job_capture captured = {.place = unpack_u32(in)};
    captured.waits = unpack_u8(in);
    captured.by = captured.place ? asker->tid : 0;
    if (!job_capture_check(asker, number, *in))
        return;
    uint32_t n = unpack_u32(in);
    if (n == 0)
        asker->captures = captured;
    asker->has_captured |= captured.by > 0;
    while (n-- > 0)
        job_capture_one(job_any_task(asker->host->job, unpack_u32(in)), captured);
    job_done_well(asker, number);
}

/* A task that was released meanwhile has its credit already. */
void job_on_captured_ack(struct job_task *asker, struct unpack *in)
{
    unpack_u32(in);
    struct job_task *task = job_any_task(asker->host->job, unpack_u32(in));
    unsigned stream = unpack_u8(in);
    uint32_t n = unpack_u32(in);
    if (task && task->captured.by == asker->tid)
        job_capture_credit(stream == 2 ? &task->err : &task->out, n);
}

/* Output that would become messages is released at once, as this task receives none any more.
 * Output for files delays the answer. */
void job_on_capture_end(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    asker->capture_end = unpack_u32(in);
    asker->captures.by = 0;
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->captured.by == asker->tid && !job->tasks.task[i]->captured.waits)
            job_capture_release(job->tasks.task[i]);
    job_capture_end_if_done(asker);
}
