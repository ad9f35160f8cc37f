/* job_text.c - texts that hrun keeps for all tasks of its job: the network file, the plan, ... */
#include "base/error.h"
#include "engine/waits.h"
#include "job/task.h"

struct text_wait {
    struct task *task;
    const char *key;
};

static bool text_is_there(void *arg)
{
    const struct text_wait *w = arg;

    return w->task->quitting || agent_find_text(w->task, w->key);
}

int hn_job_text(const char *key, const char **text, size_t *length)
{
    REFUSE_NULL(key);
    REFUSE_NULL(text);
    REFUSE_NULL(length);

    struct task *t = task_get();
    const struct agent_text *found;
    int result;
    bool before;

    if (!t)
        return HN_ESTATE;
    *text = "";
    *length = 0;
    if (t->agent.fd < 0)
        return HN_OK;
    before = engine_hold_work(true); /* the collectives ask with their locks held */
    engine_enter(&t->engine);
    if (!agent_find_text(t, key)) {
        agent_ask_text(t, key);
        wait_because(CONTROL_WAIT_HRUN, 0, 0, 0);
        engine_wait(&t->engine, text_is_there, &(struct text_wait){t, key}, 0);
    }
    found = agent_find_text(t, key);
    result = found ? HN_OK : task_refuse(t->quitting);
    if (found) {
        *text = found->text;
        *length = found->length;
    }
    engine_leave(&t->engine, false);
    engine_hold_work(before);
    return result;
}
