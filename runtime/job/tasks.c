/* tasks.c - starts, lists and signals other tasks of the job. */
#include "base/error.h"
#include "job/adopted.h"
#include "job/question.h"
#include "job/task.h"
#include "job/tid_check.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- starting ----------------------------------------------------------------------------- */

/* A list that ends with NULL becomes a count and the words.  `first` may be NULL. */
static void pack_words(struct pack *out, const char *first, const char *const *words)
{
    uint32_t n = first != NULL;

    for (size_t i = 0; words && words[i]; i++)
        n++;
    pack_u32(out, n);
    if (first)
        pack_str(out, first);
    for (size_t i = 0; words && words[i]; i++)
        pack_str(out, words[i]);
}

/* A host takes precedence over a machine.  The speed is sent as text with 17 digits, which any
 * double survives. */
static void pack_place(struct pack *out, const hn_place *place)
{
    unsigned where = place->host      ? CONTROL_ON_HOST
                     : place->machine ? CONTROL_ON_MACHINE
                                      : CONTROL_ANYWHERE;
    char speed[32] = "";

    if (place->other && where != CONTROL_ANYWHERE)
        where |= CONTROL_NOT_ON;
    if (place->speed > 0)
        snprintf(speed, sizeof speed, "%.17g", place->speed);
    pack_u8(out, (uint8_t)where);
    pack_str(out, place->host ? place->host : place->machine);
    pack_str(out, speed);
    pack_str(out, place->wdir);
}

/* Decodes SPAWN_DONE: why, then tid and error of each task.  Returns how many tasks have started.
 * Their hosts and tids are learnt even without `tids`. */
static int take_spawned(struct unpack *answer, int count, hn_tid *tids)
{
    const char *why = unpack_str(answer);
    int n = (int)unpack_u32(answer), started = 0;

    for (int i = 0; i < n && i < count; i++) {
        hn_tid tid = (hn_tid)unpack_u32(answer);
        int error = -(int)unpack_u32(answer);
        tids_learn(&task_enrolled->tids, tid);
        if (tids)
            tids[i] = error ? error : tid;
        started += !error;
    }
    if (started < n)
        error_set(HN_ESTART, "%s", why);
    return started;
}

/* Blocks until hrun knows of each task whether it has started.  Arguments are checked here, so that
 * hrun gets only valid requests. */
int hn_spawn(const char *program, const char *const *argv, int count, const hn_place *place,
             hn_tid *tids)
{
    static const hn_place anywhere;
    struct question q;

    if (!program || !program[0] || count < 1)
        return error_set(HN_EARG, "give a program, and at least one task");
    if (!place)
        place = &anywhere;
    for (const char *const *word = place->env; word && *word; word++)
        if (!strchr(*word, '=') || **word == '=')
            return error_set(HN_EARG, "\"%s\" is no environment variable: write K=V", *word);
    question_begin(&q, CONTROL_SPAWN_ASK);
    pack_u32(&q.out, (uint32_t)count);
    pack_place(&q.out, place);
    pack_words(&q.out, program, argv);
    pack_words(&q.out, NULL, place->env);
    int result = question_ask(&q, CONTROL_SPAWN_DONE);
    if (result == HN_OK)
        result = take_spawned(&q.answer, count, tids);
    question_end(&q);
    return result;
}

hn_tid hn_parent(void)
{
    const struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    return t->parent > 0 ? t->parent : error_set(HN_ENOTASK, "this task was started by hrun");
}

/* ---- listing ------------------------------------------------------------------------------ */

/* Decodes one entry of TASKS, in the order in which hrun packs it. */
static void take_task(struct unpack *answer, void *entry)
{
    hn_task_info *info = entry;

    info->tid = (hn_tid)unpack_u32(answer);
    info->parent = (hn_tid)unpack_u32(answer);
    info->rank = (int)unpack_u32(answer);
    info->pid = (int)unpack_u32(answer);
    snprintf(info->program, sizeof info->program, "%s", unpack_str(answer));
    info->state = (enum hn_task_state)unpack_u8(answer);
    info->status = (int)unpack_u32(answer);
}

int hn_tasks(hn_task_info **tasks, int *n)
{
    REFUSE_NULL(tasks);
    REFUSE_NULL(n);

    struct question q;

    question_begin(&q, CONTROL_TASKS_ASK);
    question_add_tids(&q, NULL, 0);
    return question_list(&q, CONTROL_TASKS, sizeof **tasks, take_task, tasks, n);
}

/* A task without hrun knows no tasks but itself, so there is nothing to ask. */
static int check_task(hn_tid tid)
{
    struct task *t = task_get();

    if (t && t->agent.fd < 0)
        return error_set(HN_ESTATE, "this job runs without hrun");
    return t ? tids_check(t, tid) : HN_ESTATE;
}

int hn_task_status(hn_tid tid, hn_task_info *info)
{
    REFUSE_NULL(info);

    struct question q;
    int result = check_task(tid);

    if (result != HN_OK)
        return result;
    question_begin(&q, CONTROL_TASKS_ASK);
    question_add_tids(&q, &tid, 1);
    result = question_ask(&q, CONTROL_TASKS);
    if (result == HN_OK) {
        /* The number of entries, which is 1. */
        unpack_u32(&q.answer);
        take_task(&q.answer, info);
    }
    question_end(&q);
    return result;
}

/* ---- signals ------------------------------------------------------------------------------ */

/* `ends` marks the signals that are sent to end a program. */
int hn_signal(hn_tid tid, int signo)
{
    bool ends = signo == SIGHUP || signo == SIGINT || signo == SIGQUIT || signo == SIGTERM ||
                signo == SIGKILL;
    struct question q;

    if (signo < 0 || signo >= NSIG)
        return error_set(HN_EARG, "there is no signal %d", signo);
    int result = check_task(tid);
    if (result != HN_OK)
        return result;
    question_begin(&q, CONTROL_SIGNAL_ASK);
    pack_u32(&q.out, (uint32_t)tid);
    pack_u32(&q.out, (uint32_t)signo);
    pack_u8(&q.out, ends);
    return question_done(&q);
}

int hn_kill(hn_tid tid)
{
    return hn_signal(tid, SIGTERM);
}

/* ---- ending the job ----------------------------------------------------------------------- */

/* Never returns.  Output that the program has buffered is written first, as _exit() would lose
 * it. */
void hn_abort(int status, const char *why)
{
    struct question q;

    fflush(NULL);
    if (question_begin(&q, CONTROL_ABORT_ASK) == HN_OK) {
        pack_u32(&q.out, (uint32_t)status);
        pack_str(&q.out, why ? why : "");
        launched_abort(status, why);    /* first: an end by hrun would have another status */
        question_ask(&q, CONTROL_DONE); /* returns only if the job is over without this task */
    } else if (why) {
        fprintf(stderr, "%s\n", why); /* nobody else would print it */
    }
    _exit(status);
}
