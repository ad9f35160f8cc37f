/* job_text.c - texts that hrun stores for all tasks of its job: the network file, the plan, ...
 *
 * A text is requested once, and kept until the task leaves.  So a pointer that the caller got stays
 * valid until then.
 */
#include "base/error.h"
#include "engine/waits.h"
#include "job/task.h"

/* The argument of text_is_there(), on the caller's stack. */
struct text_wait {
    struct task *task;
    const char *key;
    unsigned lost; /* value of agent.texts_lost before the request */
};

static bool text_is_there(void *arg)
{
    const struct text_wait *w = arg;

    return w->task->quitting || w->task->agent.texts_lost != w->lost ||
           agent_find_text(w->task, w->key);
}

/* A job without hrun has no texts: all are "".  Several threads may request the same text; then it
 * is stored more than once. */
int hn_job_text(const char *key, const char **text, size_t *length)
{
    REFUSE_NULL(key);
    REFUSE_NULL(text);
    REFUSE_NULL(length);

    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    *text = "";
    *length = 0;
    if (t->agent.fd < 0)
        return HN_OK;
    bool before = engine_hold_work(true); /* collectives hold their own locks when they call this */
    engine_enter(&t->engine);
    /* Most texts have arrived with WELCOME. */
    if (!agent_find_text(t, key) && agent_put(t, CONTROL_TEXT_ASK, key)) {
        struct text_wait w = {t, key, t->agent.texts_lost};
        wait_because(CONTROL_WAIT_HRUN, 0, 0, 0);
        engine_wait(&t->engine, text_is_there, &w, 0);
    }
    const struct agent_text *found = agent_find_text(t, key);
    int result = found         ? HN_OK
                 : t->quitting ? task_refuse(t->quitting)
                               : error_set(HN_ENOMEM, "out of memory");
    if (found) {
        *text = found->text;
        *length = found->length;
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
    return result;
}
