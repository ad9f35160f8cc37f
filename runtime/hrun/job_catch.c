/* job_catch.c - the output of a task goes to another one (hn_catch_output()); see job.h.
 *
 * The happy path: CATCH_ASK names children of the asker, or all that it spawns from now on (these
 * hand it down to what they spawn themselves).  Their OUTPUT is passed to the catcher as CAUGHT;
 * what the catcher acknowledges becomes credit for the agent, so that the bytes on their way are
 * bounded as they are towards hrun's own output.  When a task is over, an empty CAUGHT follows all
 * that it has written.  The failure modes: the catcher ends first (the output of the others goes to
 * hrun's own from then on, and what was not acknowledged becomes credit); it asks in hn_exit() how
 * long to wait (CATCH_END is answered when all that it waits for are over).
 *
 * Cost: a copy more for each byte; O(tasks) when a catcher asks or ends.
 */
#include "hrun/job.h"

static void job_catch_tell(const struct job_task *task, uint8_t stream, const uint8_t *data,
                           size_t n)
{
    const struct job_task *catcher = job_any_task(task->host->job, task->caught.by);
    struct pack inner = {0};
    pack_u32(&inner, task->caught.place);
    pack_u32(&inner, task->tid);
    pack_u8(&inner, stream);
    pack_blob(&inner, data, n);
    job_tell(catcher, CONTROL_CAUGHT, &inner);
}

bool job_catch_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n)
{
    if (!task->caught.by)
        return false;
    (stream == 2 ? &task->err : &task->out)->uncredited += n;
    job_catch_tell(task, stream, data, n);
    return true;
}

void job_catch_inherit(struct job_task *task)
{
    const struct job_task *parent = job_any_task(task->host->job, task->spawned.parent);
    task->caught = parent->catches.by ? parent->catches : parent->caught;
}

/* ---- the ends ---------------------------------------------------------------------------------
 */

static void job_catch_credit(struct job_source *source, size_t n)
{
    n = n < source->uncredited ? n : source->uncredited;
    source->uncredited -= n;
    if (n > 0)
        job_give_credit(source->task, source->stream, n);
}

/* From now on its output goes where that of others goes. */
static void job_catch_release(struct job_task *task)
{
    task->caught.by = 0;
    job_catch_credit(&task->out, SIZE_MAX);
    job_catch_credit(&task->err, SIZE_MAX);
}

/* Answers a catcher that wants to leave, when nobody's output is awaited any more. */
static void job_catch_end_if_done(struct job_task *catcher)
{
    struct job *job = catcher->host->job;
    if (!catcher->catch_end)
        return;
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->caught.by == catcher->tid)
            return;
    job_done(catcher, catcher->catch_end, HN_OK, "%s", "");
    catcher->catch_end = 0;
}

void job_catch_over(struct job_task *task)
{
    struct job *job = task->host->job;
    if (task->caught.by) {
        job_catch_tell(task, 0, NULL, 0);
        struct job_task *catcher = job_any_task(job, task->caught.by);
        task->caught.by = 0;
        job_catch_end_if_done(catcher);
    }
    for (int i = 0; task->has_caught && i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->caught.by == task->tid)
            job_catch_release(job->tasks.task[i]);
}

/* ---- what the catcher says --------------------------------------------------------------------
 */

static bool job_catch_check(const struct job_task *asker, uint32_t number, struct unpack list)
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

static void job_catch_one(struct job_task *task, struct job_catch caught)
{
    if (!caught.by) {
        job_catch_release(task);
        return;
    }
    task->caught = caught;
    if (task->state == JOB_TASK_OVER)
        job_catch_over(task);
}

void job_on_catch_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    struct job_catch caught = {.place = unpack_u32(in)};
    caught.waits = unpack_u8(in);
    caught.by = caught.place ? asker->tid : 0;
    if (!job_catch_check(asker, number, *in))
        return;
    uint32_t n = unpack_u32(in);
    if (n == 0)
        asker->catches = caught;
    asker->has_caught |= caught.by > 0;
    while (n-- > 0)
        job_catch_one(job_any_task(asker->host->job, unpack_u32(in)), caught);
    job_done(asker, number, HN_OK, "%s", "");
}

void job_on_caught_ack(struct job_task *asker, struct unpack *in)
{
    unpack_u32(in);
    struct job_task *task = job_any_task(asker->host->job, unpack_u32(in));
    unsigned stream = unpack_u8(in);
    uint32_t n = unpack_u32(in);
    if (task && task->caught.by == asker->tid)
        job_catch_credit(stream == 2 ? &task->err : &task->out, n);
}

void job_on_catch_end(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    asker->catch_end = unpack_u32(in);
    asker->catches.by = 0;
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->caught.by == asker->tid && !job->tasks.task[i]->caught.waits)
            job_catch_release(job->tasks.task[i]);
    job_catch_end_if_done(asker);
}
