/* job_watch.c - notifications about tasks and hosts (hn_notify()); see job_service.h and watch.h.
 *
 * NOTIFY_ASK arrives, and its requests are stored.  When the event happens, each asker gets a
 * NOTIFICATION before any other frame about it.  So a receive that would fail because no task is
 * left finds the notification first.  An event before the request is reported at once.
 *
 * Failures: a tid that was never assigned (DONE with an error, nothing is stored); the asker ends
 * (its requests are deleted).  A request that the asker has found to be valid gets no answer.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

/* What job_notification() sends, to each task whose request is fulfilled. */
struct job_notification {
    struct job *job;
    uint32_t about, n;
    const uint32_t *values;
};

/* The values are a wait status, whether a host was lost, or the tids of new hosts. */
static void job_notification(void *user, const struct watch_request *request)
{
    const struct job_notification *notification = user;
    const struct job_task *asker = job_any_task(notification->job, request->asker);
    struct pack inner = {0};
    if (!asker)
        return;
    pack_u32(&inner, request->tag);
    pack_u32(&inner, request->context);
    pack_u32(&inner, notification->about);
    pack_u32(&inner, notification->n);
    for (uint32_t i = 0; i < notification->n; i++)
        pack_u32(&inner, notification->values[i]);
    job_send_task(asker, CONTROL_NOTIFICATION, &inner);
}

static void job_watch_event(struct job *job, uint32_t what, uint32_t about, uint32_t value)
{
    struct job_notification notification = {job, about, 1, &value};
    watch_event(&job->services.watch, what, about, job_notification, &notification);
}

/* Its own requests are deleted first: it cannot be notified of its own end. */
void job_watch_task_end(const struct job_task *task)
{
    struct job *job = task->host->job;
    watch_forget(&job->services.watch, task->tid);
    job_watch_event(job, HN_TASK_EXIT, task->tid, task->wait_status);
}

/* The value is 1 for a lost host and 0 for one that was removed. */
void job_watch_host_lost(const struct job_host *host, bool removed)
{
    job_watch_event(host->job, HN_HOST_LOST, control_tid(host->number, 0), !removed);
}

void job_watch_hosts_added(struct job *job, const uint32_t *tids, uint32_t n)
{
    struct job_notification notification = {job, tids[0], n, tids};
    watch_event(&job->services.watch, HN_HOST_ADDED, tids[0], job_notification, &notification);
}

/* ---- the question ----------------------------------------------------------------------- */

/* The host of this tid, which may be a task's or the host's own.  NULL: there was never one. */
static const struct job_host *job_named_host(const struct job *job, uint32_t tid)
{
    uint32_t number = control_host(tid);
    return number < (uint32_t)job->nhost ? &job->host[number] : NULL;
}

/* Converts a tid to the one that events use; 0: there is no such task or host. */
static uint32_t job_watchable(struct job *job, uint32_t what, uint32_t tid)
{
    if (what == HN_TASK_EXIT)
        return job_any_task(job, tid) ? tid : 0;
    const struct job_host *host = what == HN_HOST_LOST ? job_named_host(job, tid) : NULL;
    return host ? control_tid(host->number, 0) : 0;
}

/* `list` is a copy of the reader.  All entries are checked before any request is stored. */
static bool job_check_watchable(const struct job_task *asker, uint32_t number, uint32_t what,
                                struct unpack list)
{
    for (uint32_t n = unpack_u32(&list); n > 0; n--) {
        uint32_t tid = unpack_u32(&list);
        if (!job_watchable(asker->host->job, what, tid)) {
            job_done(asker, number, HN_ENOTASK, "there is no %s %u in this job",
                     what == HN_TASK_EXIT ? "task" : "host", tid);
            return false;
        }
    }
    return true;
}

/* Whether the event has already happened; then *value is how. */
static bool job_watch_past(struct job *job, const struct watch_request *request, uint32_t *value)
{
    if (request->what == HN_TASK_EXIT) {
        const struct job_task *task = job_any_task(job, request->about);
        *value = task->wait_status;
        return task->state == JOB_TASK_OVER;
    }
    const struct job_host *host = job_named_host(job, request->about);
    *value = !host->removed;
    return host->state == MEMBER_GONE;
}

/* An event in the past is reported at once.  Without memory, the requests before stay recorded. */
static int job_watch_list(struct job *job, struct watch_request *request, bool cancel,
                          struct unpack *list)
{
    uint32_t value = 0;
    struct job_notification notification = {.job = job, .n = 1, .values = &value};
    int error = HN_OK;
    for (uint32_t n = unpack_u32(list); n > 0 && !error; n--) {
        request->about = notification.about = job_watchable(job, request->what, unpack_u32(list));
        if (cancel)
            watch_cancel(&job->services.watch, request);
        else if (job_watch_past(job, request, &value))
            job_notification(&notification, request);
        else
            error = watch_add(&job->services.watch, request);
    }
    return error;
}

/* A list without entries means any task or host.  GRANTED: the asker does not wait for an
 * answer. */
void job_on_notify_ask(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    struct watch_request request = {.asker = asker->tid};
    uint32_t number = unpack_u32(in);
    request.what = unpack_u32(in);
    request.tag = unpack_u32(in);
    request.context = unpack_u32(in);
    request.times = unpack_u32(in);
    unsigned how = unpack_u8(in);
    bool cancel = how & CONTROL_NOTIFY_CANCEL;
    /* A copy: the list is read again below. */
    struct unpack list = *in;
    bool any = unpack_u32(&list) == 0;
    int error = HN_OK;
    if (!job_check_watchable(asker, number, request.what, *in))
        return;
    if (!any)
        error = job_watch_list(job, &request, cancel, in);
    else if (cancel)
        watch_cancel(&job->services.watch, &request);
    else
        error = watch_add(&job->services.watch, &request);
    if (!(how & CONTROL_NOTIFY_GRANTED))
        job_done(asker, number, error, "%s", error ? "hrun is out of memory" : "");
    else if (error) /* the asker would wait for a notification in vain */
        job_fail(job, 1, JOB_PATIENCE, "out of memory for notifications: the job was ended");
}
