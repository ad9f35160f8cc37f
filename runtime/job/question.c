/* question.c - sends questions to hrun and waits for the answers; see question.h.
 *
 * A question goes through four states: begun (fields are packed), sent, answered, ended. hrun's
 * answer is copied, because the decoder reuses its buffer before the caller runs.
 */
#include "job/question.h"

#include "base/error.h"
#include "job/task.h"

#include <stdlib.h>
#include <string.h>

/* Numbers count up from 1 in each task.  The bit CONTROL_SHORTCUT in it says on which connection
 * hrun answers.  An error is kept in the struct, so the following calls may be made without
 * checks. */
int question_begin(struct question *q, enum control_kind kind)
{
    struct task *t = task_get();

    *q = (struct question){0};
    list_init(&q->node);
    if (!t)
        return q->error = HN_ESTATE;
    if (t->agent.fd < 0)
        return q->error = error_set(HN_ESTATE, "this job runs without hrun");
    engine_enter(&t->engine); /* until question_end(); waiting releases the lock */
    q->task = t;
    q->number = ++t->asking.question_count | (shortcut_takes(t, kind) ? CONTROL_SHORTCUT : 0);
    q->begun = control_begin(&q->out, kind);
    pack_u32(&q->out, q->number);
    return HN_OK;
}

/* For questions whose second field is a name; a missing name is an error of the caller. */
void question_about(struct question *q, enum control_kind kind, const char *name)
{
    int error = name ? question_begin(q, kind) : error_set(HN_EARG, "no name");

    if (error)
        *q = (struct question){.error = error};
    pack_str(&q->out, name);
}

static bool is_answered(void *arg)
{
    const struct question *q = arg;

    return q->kind || q->task->quitting;
}

/* Decodes DONE: an error with its text, or success. */
static int take_done(struct question *q)
{
    int error = -(int)unpack_u32(&q->answer);
    const char *why = unpack_str(&q->answer);

    return error ? error_set(error, "%s", why) : HN_OK;
}

/* A shortcut that does not take the frame now is no error: the question then goes through the
 * agent. */
int question_tell(struct question *q)
{
    if (q->error)
        return q->error;
    control_end(&q->out, q->begun);
    if (q->out.failed)
        return error_set(HN_ENOMEM, "out of memory, or a question that is too long");
    if (q->number & CONTROL_SHORTCUT && shortcut_send(q->task, &q->out))
        return HN_OK;
    return agent_send(q->task, &q->out) ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

/* The question is on the list before the lock is released, so its answer cannot be missed. */
int question_ask(struct question *q, enum control_kind wanted)
{
    int result = question_tell(q);

    if (result != HN_OK)
        return result;
    list_append(&q->task->asking.questions, &q->node);
    return question_wait(q, wanted, NULL);
}

/* Returns also when the job is ending, without an answer.  An answer of an unexpected kind is a
 * protocol error. */
int question_wait(struct question *q, enum control_kind wanted, bool (*look)(void *question))
{
    struct task *t = q->task;

    wait_because(CONTROL_WAIT_HRUN, 0, (int)q->number, 0);
    if (look)
        engine_wait_soon(&t->engine, is_answered, look, q, 0);
    else
        engine_wait(&t->engine, is_answered, q, 0);
    if (!q->kind)
        return task_refuse(t->quitting);
    if (q->copy.failed)
        return error_set(HN_ENOMEM, "out of memory");
    q->answer = unpack_from(q->copy.data, q->copy.length);
    unpack_u32(&q->answer);
    if (q->kind == CONTROL_DONE)
        return take_done(q);
    return q->kind == wanted ? HN_OK : error_set(HN_EPROTO, "hrun's answer makes no sense");
}

int question_done(struct question *q)
{
    int result = question_ask(q, CONTROL_DONE);

    question_end(q);
    return result;
}

int question_number(struct question *q)
{
    int result = question_ask(q, CONTROL_NUMBER);

    if (result == HN_OK)
        result = (int)unpack_u32(&q->answer);
    question_end(q);
    return result;
}

/* One entry more than needed is allocated, so that an empty list is not NULL. The count comes from
 * hrun, whose frames are limited in length.  A short frame gives entries of zeros. */
int question_list(struct question *q, enum control_kind wanted, size_t size,
                  void (*take)(struct unpack *answer, void *entry), void *list, int *n)
{
    int result = question_ask(q, wanted);

    if (result == HN_OK) {
        uint32_t count = unpack_u32(&q->answer);
        char *entries = calloc((size_t)count + 1, size);
        for (uint32_t i = 0; i < count && entries; i++)
            take(&q->answer, entries + i * size);
        memcpy(list, &entries, sizeof entries);
        *n = (int)count;
        result = entries ? HN_OK : error_set(HN_ENOMEM, "out of memory");
    }
    question_end(q);
    return result;
}

void question_add_tids(struct question *q, const hn_tid *tids, int n)
{
    pack_u32(&q->out, (uint32_t)n);
    for (int i = 0; i < n; i++)
        pack_u32(&q->out, (uint32_t)tids[i]);
}

/* Tids from hrun exist, so later checks of them need no question. */
int question_tids(struct question *q, hn_tid **tids, int *n)
{
    uint32_t count = unpack_u32(&q->answer);

    *tids = malloc(((size_t)count + 1) * sizeof **tids);
    if (!*tids)
        return error_set(HN_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < count; i++)
        (*tids)[i] = (hn_tid)unpack_u32(&q->answer);
    *n = (int)count;
    tids_learn_all(&q->task->tids, *tids, *n);
    return HN_OK;
}

/* Also for a question that was not begun.  Takes the question off the list if it was never
 * answered. */
void question_end(struct question *q)
{
    pack_free(&q->out);
    if (!q->task)
        return;
    list_remove(&q->node);
    q->task->asking.shortcut.answered |= q->kind != 0;
    pack_free(&q->copy);
    engine_leave(&q->task->engine, false);
    q->task = NULL;
}

/* The answer cannot be read for lack of memory: fails all questions, so that no caller waits
 * forever. */
void question_give_up(struct task *t)
{
    list_for_each_safe (n, &t->asking.questions) {
        struct question *q = list_entry(n, struct question, node);
        list_remove(&q->node);
        q->kind = CONTROL_DONE;
        q->copy.failed = true;
    }
}

/* An answer without a question is ignored: its caller has given up. */
void question_answered(struct task *t, struct control_frame *frame)
{
    struct unpack ahead = frame->payload;
    uint32_t number = unpack_u32(&ahead);

    list_for_each_safe (n, &t->asking.questions) {
        struct question *q = list_entry(n, struct question, node);
        if (q->number != number)
            continue;
        list_remove(&q->node);
        q->kind = frame->kind;
        pack_raw(&q->copy, frame->payload.data, frame->payload.length);
        return;
    }
}
