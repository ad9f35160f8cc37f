/* waits_answer.c - reports to hrun what the threads of this task wait for. */
#include "job/waits_answer.h"

#include "base/bytes.h"
#include "engine/activity.h"
#include "job/task.h"

/* The answer while it is being packed. */
struct waits_list {
    struct pack frame;
    uint32_t n;
    uint64_t now;
};

/* An activity that a thread works on does not wait, and is left out. */
static void add_wait(void *user, const struct wait_reason *r, uint64_t since)
{
    struct waits_list *list = user;
    struct wait_reason reason = *r;
    uint64_t milliseconds = (list->now - since) / 1000000;

    if (r->activity && !activity_explain(r->activity, &reason))
        return;
    r = &reason;
    pack_u8(&list->frame, (uint8_t)r->kind);
    pack_u32(&list->frame, (uint32_t)r->peer);
    pack_u32(&list->frame, (uint32_t)r->tag);
    pack_u32(&list->frame, r->context);
    pack_u32(&list->frame, milliseconds < UINT32_MAX ? (uint32_t)milliseconds : UINT32_MAX);
    pack_str(&list->frame, r->operation);
    pack_u32(&list->frame, r->number);
    pack_u32(&list->frame, r->step);
    list->n++;
}

/* The number of entries is known only afterwards, so its place is filled at the end. */
void waits_answer(struct task *t, struct unpack *fields)
{
    struct waits_list list = {.now = engine_now()};
    size_t begun = control_begin(&list.frame, CONTROL_WAITS), at;

    pack_u32(&list.frame, unpack_u32(fields));
    at = list.frame.length;
    pack_u32(&list.frame, 0);
    engine_each_wait(&t->engine, add_wait, &list);
    if (!list.frame.failed)
        bytes_put32(list.frame.data + at, list.n);
    control_end(&list.frame, begun);
    if (!list.frame.failed)
        agent_send(t, &list.frame);
    pack_free(&list.frame);
}
