/* known.c - whether a number is a tid (known.h). */
#include "known.h"

#include "error.h"
#include "question.h"
#include "task.h"

#include <stdlib.h>

int known_init(struct known *k)
{
    k->below = calloc(KNOWN_HOSTS, sizeof *k->below);
    return k->below ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

void known_clear(struct known *k)
{
    free(k->below);
    k->below = NULL;
}

void known_learn(struct known *k, hn_tid tid)
{
    uint32_t host = control_host((uint32_t)tid), end = control_serial((uint32_t)tid) + 1, now;

    if (tid <= 0 || host >= KNOWN_HOSTS)
        return;
    now = atomic_load(&k->below[host]);
    while (now < end && !atomic_compare_exchange_weak(&k->below[host], &now, end))
        ;
}

void known_learn_all(struct known *k, const hn_tid *tids, int n)
{
    for (int i = 0; i < n; i++)
        known_learn(k, tids[i]);
}

static int ask_hrun(struct task *t, hn_tid tid)
{
    struct question q;
    int result = question_begin(&q, CONTROL_TASKS_ASK);

    if (result == HN_OK) {
        pack_u32(&q.out, 1);
        pack_u32(&q.out, (uint32_t)tid);
        result = question_ask(&q, CONTROL_TASKS);
    }
    question_end(&q);
    if (result == HN_OK)
        known_learn(&t->known, tid);
    return result;
}

int known_refuse(const struct task *t, hn_tid tid)
{
    int code = tid > 0 ? HN_ENOTASK : HN_EARG;

    if (tid >= 0 && tid < t->world.size)
        return error_set(code, "%d is a rank, not the tid of a task: hn_group_tid(hn_world(), %d)",
                         tid, tid);
    if (tid <= 0)
        return error_set(code, "%d is not the name of a task", tid);
    return error_set(code, "there is no task %d in this job", tid);
}

int known_source(struct task *t, hn_tid tid)
{
    if (tid < (hn_tid)control_tid(0, 0))
        return known_refuse(t, tid);
    if (known_has(&t->known, tid))
        return HN_OK;
    if (t->agent.fd < 0)
        return error_set(HN_ENOTASK, "there is no task %d: this is a job of one", tid);
    return ask_hrun(t, tid);
}

int known_task(struct task *t, hn_tid tid)
{
    if (tid > 0 && control_serial((uint32_t)tid) == 0 && tid >= (hn_tid)control_tid(0, 0))
        return error_set(HN_ENOTASK, "%d is the name of a host, not of a task", tid);
    return known_source(t, tid);
}
