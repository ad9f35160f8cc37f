/* job_names.c - the name service: questions and answers; see job_service.h, and name_service.h for
 * the rules.
 *
 * A task that waits for a value is answered when the value is put (name_service.c calls back), at
 * its deadline (a timer here), or when no task is left that could put one.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { JOB_VALUE_MAX = 16 << 20 }; /* bytes of a value */

/* A question that waits for a value.  Owned by the list services.names.waits. */
struct job_wait {
    struct name_service_wait wait;
    struct job *job;
    uint32_t number; /* of the question */
    bool limited;
    ev_timer timer;
};

static struct job_task *job_waiting_task(const struct job_wait *wait)
{
    return job_any_task(wait->job, wait->wait.tid);
}

/* Frees a wait, whether its timer runs or not. */
static void job_wait_end(struct job_wait *wait)
{
    list_remove(&wait->wait.node);
    ev_timer_stop(wait->job->loop, &wait->timer);
    free(wait->wait.name);
    free(wait);
}

/* ---- answers ---------------------------------------------------------------------------- */

/* Sends a copy of the value. */
static void job_value(const struct job_task *asker, uint32_t number,
                      const struct name_service_value *value)
{
    struct pack inner = {0};
    pack_u32(&inner, number);
    pack_u32(&inner, value->index);
    pack_u32(&inner, value->owner);
    pack_u8(&inner, (uint8_t)value->flags);
    pack_blob(&inner, value->data, value->length);
    job_send_task(asker, CONTROL_VALUE, &inner);
}

/* Values without HN_NAME_SHARED may only be changed or taken by their owner. */
static void job_not_yours(const struct job_task *asker, uint32_t number, const char *name)
{
    job_done(asker, number, HN_ESTATE, "the value under %s is another task's", name);
}

/* Called by name_service.c for a wait that the new value fulfils; the wait is no longer on the
 * list. */
static void job_wait_served(struct name_service_wait *served,
                            const struct name_service_value *value, int error)
{
    struct job_wait *wait = list_entry(served, struct job_wait, wait);
    if (error)
        job_not_yours(job_waiting_task(wait), wait->number, value->name);
    else
        job_value(job_waiting_task(wait), wait->number, value);
    job_wait_end(wait);
}

static void job_on_wait_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job_wait *wait = timer->data;
    (void)loop, (void)events;
    job_done(job_waiting_task(wait), wait->number, HN_ETIMEOUT,
             "the time is up: there is no value under %s", wait->wait.name);
    job_wait_end(wait);
}

/* ---- questions -------------------------------------------------------------------------- */

/* Waiting tasks are answered inside name_service_put(), before the task that put the value. */
void job_on_put_ask(struct job_task *asker, struct unpack *in)
{
    struct name_service *service = &asker->host->job->services.names;
    uint32_t number = unpack_u32(in);
    const char *name = unpack_str(in);
    uint32_t index = unpack_u32(in);
    unsigned flags = unpack_u8(in);
    size_t length;
    const void *data = unpack_blob(in, &length);
    if (!job_good_name(asker, number, name))
        return;
    if (length > JOB_VALUE_MAX) {
        job_done(asker, number, HN_EARG, "a value has at most %d bytes", JOB_VALUE_MAX);
        return;
    }
    int result = name_service_put(service, name, index, flags, asker->tid, data, length);
    if (result >= 0)
        job_number(asker, number, (uint32_t)result);
    else if (result == HN_ESTATE)
        job_not_yours(asker, number, name);
    else if (result == HN_EARG)
        job_done(asker, number, result, "no index is left: %s has a value of the highest one, %d",
                 name, INT32_MAX);
    else
        job_done(asker, number, result, "hrun has no more memory for values under names");
}

/* milliseconds UINT32_MAX: no limit.  A wait that can never end is answered at once, by
 * job_names_check(). */
static void job_wait_for(struct job_task *asker, uint32_t number,
                         const struct name_service_wait *wanted, uint32_t milliseconds)
{
    struct job *job = asker->host->job;
    struct job_wait *wait = calloc(1, sizeof *wait);
    if (!wait || !(wait->wait.name = strdup(wanted->name))) {
        free(wait);
        job_done_no_memory(asker, number);
        return;
    }
    wait->wait.index = wanted->index;
    wait->wait.tid = wanted->tid;
    wait->wait.flags = wanted->flags;
    wait->job = job;
    wait->number = number;
    wait->limited = milliseconds != UINT32_MAX;
    ev_timer_init(&wait->timer, job_on_wait_timer, milliseconds * 1e-3, 0.);
    wait->timer.data = wait;
    /* Behind older waits, which are served first. */
    list_append(&job->services.names.waits, &wait->wait.node);
    if (wait->limited)
        ev_timer_start(job->loop, &wait->timer);
    job_names_check(job);
}

/* milliseconds 0: does not wait.  The value is sent before it is deleted. */
void job_on_get_ask(struct job_task *asker, struct unpack *in)
{
    struct name_service *service = &asker->host->job->services.names;
    uint32_t number = unpack_u32(in);
    struct name_service_wait wanted = {.name = (char *)unpack_str(in), .tid = asker->tid};
    wanted.index = unpack_u32(in);
    wanted.flags = unpack_u8(in);
    uint32_t milliseconds = unpack_u32(in);
    const struct name_service_value *value =
        name_service_find(service, wanted.name, wanted.index, wanted.flags);
    bool take = wanted.flags & HN_NAME_TAKE;
    if (!value && milliseconds == 0) {
        job_done(asker, number, HN_ENAME, "there is no value under %s", wanted.name);
    } else if (!value) {
        job_wait_for(asker, number, &wanted, milliseconds);
    } else if (take && !name_service_may(value, asker->tid)) {
        job_not_yours(asker, number, wanted.name);
    } else {
        job_value(asker, number, value);
        if (take)
            name_service_delete(service, wanted.name, value->index, asker->tid);
    }
}

/* HN_OK is sent in the same way, with a text that its receiver ignores. */
void job_on_drop_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    const char *name = unpack_str(in);
    int error =
        name_service_delete(&asker->host->job->services.names, name, unpack_u32(in), asker->tid);
    if (error == HN_ESTATE)
        job_not_yours(asker, number, name);
    else
        job_done(asker, number, error, "there is no value under %s", name);
}

/* inner NULL: only counts.  The number precedes the list in the frame. */
static uint32_t job_pack_names(const struct name_service *service, const char *pattern,
                               struct pack *inner)
{
    uint32_t n = 0;
    list_for_each (node, &service->values) {
        const struct name_service_value *value = list_entry(node, struct name_service_value, node);
        if (fnmatch(pattern, value->name, 0))
            continue;
        n++;
        if (!inner)
            continue;
        pack_str(inner, value->name);
        pack_u32(inner, value->index);
        pack_u32(inner, value->owner);
        pack_u8(inner, (uint8_t)value->flags);
    }
    return n;
}

/* Two walks: the number of matches precedes the list. */
void job_on_names_ask(struct job_task *asker, struct unpack *in)
{
    const struct name_service *service = &asker->host->job->services.names;
    struct pack inner = {0};
    pack_u32(&inner, unpack_u32(in));
    const char *pattern = unpack_str(in);
    pack_u32(&inner, job_pack_names(service, pattern, NULL));
    job_pack_names(service, pattern, &inner);
    job_send_task(asker, CONTROL_NAMES, &inner);
}

/* ---- start and end ---------------------------------------------------------------------- */

/* Waits with a time limit end by themselves.  A wait without a limit would last for ever once no
 * other task is left. */
void job_names_check(struct job *job)
{
    if (!job_is_alone(job))
        return;
    list_for_each_safe (node, &job->services.names.waits) {
        struct job_wait *wait =
            list_entry(list_entry(node, struct name_service_wait, node), struct job_wait, wait);
        if (wait->limited)
            continue;
        job_done(job_waiting_task(wait), wait->number, HN_EDEAD,
                 "all other tasks have ended: nobody will put a value under %s", wait->wait.name);
        job_wait_end(wait);
    }
}

/* Without answers: the task has ended, or the job (tid 0). */
static void job_waits_end(struct job *job, uint32_t tid)
{
    list_for_each_safe (node, &job->services.names.waits) {
        struct job_wait *wait =
            list_entry(list_entry(node, struct name_service_wait, node), struct job_wait, wait);
        if (tid == 0 || wait->wait.tid == tid)
            job_wait_end(wait);
    }
}

void job_names_without(struct job_task *task)
{
    struct job *job = task->host->job;
    job_waits_end(job, task->tid);
    name_service_ended(&job->services.names, task->tid);
    job_names_check(job);
}

bool job_names_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED])
{
    list_for_each (node, &job->services.names.waits) {
        const struct job_wait *wait =
            list_entry(list_entry(node, struct name_service_wait, node), struct job_wait, wait);
        if (wait->wait.tid != tid || wait->number != number)
            continue;
        snprintf(text, JOB_ASKED, "a value under name \"%s\" has not been put", wait->wait.name);
        return true;
    }
    return false;
}

void job_names_begin(struct job *job)
{
    name_service_init(&job->services.names);
    job->services.names.served = job_wait_served;
}

void job_names_end(struct job *job)
{
    job_waits_end(job, 0);
    name_service_free(&job->services.names);
}
