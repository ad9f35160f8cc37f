/* job_stall.c - SIGQUIT and -timeout: asks every task what it waits for, and prints the answers;
 * see job_stall.h and stall.h.
 *
 * The event loop of a task answers, even while all of the program's threads compute.  A task
 * without an answer after JOB_STALL_PATIENCE seconds is reported as silent.  The job continues
 * meanwhile, and after a SIGQUIT also afterwards.
 *
 * Numbers of rounds distinguish answers: an answer that comes late belongs to no later report.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/diagnosis/job_stall.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Seconds: a task answers within milliseconds; with many on one machine within some tenths of a
 * second. */
#define JOB_STALL_PATIENCE 1.0

/* A spawned task has no rank in the job, so it is named by its tid. Names are numbers, so that they
 * can be sorted and joined to ranges. */
static stall_name job_name_of(const struct job_task *task)
{
    return task->spawned.parent ? STALL_TID + task->tid : (stall_name)task->rank;
}

/* HN_ANY, none, a task of the job, or an unknown tid. */
static stall_name job_peer_name(struct job *job, uint32_t tid)
{
    const struct job_task *task = job_any_task(job, tid);
    if ((int32_t)tid == HN_ANY)
        return STALL_ANYONE;
    return tid == 0 ? STALL_NOBODY : task ? job_name_of(task) : STALL_TID + tid;
}

/* Copies both strings; question "": none. Without memory the wait is missing in the report. */
static void job_stall_add(struct job *job, struct stall_wait wait, const char *operation,
                          const char *question)
{
    struct job_stall *stall = &job->stall;
    bool room = ARRAY_ROOM(stall->wait, stall->n + 1);
    wait.operation = strdup(operation);
    wait.question = strdup(question);
    if (room && wait.operation && wait.question) {
        stall->wait[stall->n++] = wait;
        return;
    }
    free(wait.operation);
    free(wait.question);
}

/* ---- the report ------------------------------------------------------------------------- */

/* Adds a task that has not answered. LEFT, SILENT or STRANGER, by its state. */
static void job_stall_add_quiet(const struct job_task *task)
{
    unsigned kind = task->spawned.retired              ? STALL_LEFT
                    : task->state == JOB_TASK_ENROLLED ? STALL_SILENT
                                                       : STALL_STRANGER;
    if (task->state != JOB_TASK_OVER && task->stall != task->host->job->stall.number)
        job_stall_add(task->host->job, (struct stall_wait){job_name_of(task), .kind = kind}, "",
                      "");
}

/* Indented, below the headline. */
static void job_stall_line(void *user, const char *line)
{
    job_say(user, "  %s", line);
}

/* Hosts that are still starting, with the last line of their launcher. Without a line of the
 * launcher only the name is printed. */
static void job_stall_hosts(struct job *job)
{
    for (int i = 0; i < job->nhost; i++) {
        const struct job_host *host = &job->host[i];
        if (host->wanted && !job_host_is_up(host) && host->state != MEMBER_GONE)
            job_say(job, "  host %s: is not up yet%s%s", host->name,
                    host->process.last_line[0] ? ": " : "", host->process.last_line);
    }
}

/* Adds those who have not answered, prints the report, and frees it. `then` may end the job. */
static void job_stall_end(struct job *job)
{
    struct job_stall *stall = &job->stall;
    ev_timer_stop(job->loop, &stall->limit);
    for (int i = 0; i < job->tasks.ntask; i++)
        job_stall_add_quiet(job->tasks.task[i]);
    job_say(job, "what tasks do now (%d of %d have not ended):", job->tasks.ntask - job->tasks.over,
            job->tasks.ntask + job->tasks.freed);
    job_stall_hosts(job);
    stall_report(stall->wait, stall->n, job_stall_line, job);
    for (size_t i = 0; i < stall->n; i++) {
        free(stall->wait[i].operation);
        free(stall->wait[i].question);
    }
    free(stall->wait);
    stall->wait = NULL;
    stall->n = 0;
    stall->asking = false;
    if (stall->then)
        stall->then(job);
}

static void job_stall_on_limit(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    job_stall_end(timer->data);
}

/* ---- the questions ---------------------------------------------------------------------- */

/* Others would leave the question unread. */
static bool job_stall_can_answer(const struct job_task *task)
{
    return task->state == JOB_TASK_ENROLLED && !task->spawned.retired && job_host_is_up(task->host);
}

/* Tasks that cannot answer, or do not within JOB_STALL_PATIENCE, are listed as such: the report
 * never waits for a task that hangs.  A second request while tasks are being asked only sets what
 * follows the report. The report follows at once if no task can answer. */
void job_stall(struct job *job, void (*then)(struct job *job))
{
    struct job_stall *stall = &job->stall;
    struct pack inner = {0};
    /* A SIGQUIT while -timeout waits for its report must not make it forget the end. */
    stall->then = then ? then : stall->then;
    if (stall->asking)
        return;
    stall->asking = true;
    stall->number++;
    stall->missing = 0;
    for (int i = 0; i < job->tasks.ntask; i++)
        stall->missing += job_stall_can_answer(job->tasks.task[i]);
    list_for_each_safe (node, &job->services.rosters.list)
        /* then hrun knows who waits there */
        job_recall(job, list_entry(node, struct roster, node));
    ev_timer_init(&stall->limit, job_stall_on_limit, stall->missing ? JOB_STALL_PATIENCE : 0., 0.);
    stall->limit.data = job;
    ev_timer_start(job->loop, &stall->limit);
    pack_u32(&inner, stall->number);
    job_send_all_tasks(job, CONTROL_WAITS_ASK, &inner);
}

/* Without a task that has enrolled there is nothing to report. */
bool job_stall_is_worth(const struct job *job)
{
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->state == JOB_TASK_ENROLLED)
            return true;
    return false;
}

/* hrun knows which questions it has not answered; the wait's tag is the number of the question.
 * Groups are asked before names; "" if the question is not known any more. */
static void job_stall_add_question(const struct job_task *task, struct stall_wait wait,
                                   const char *operation)
{
    struct job *job = task->host->job;
    char text[JOB_ASKED] = "";
    if (!job_groups_explain(job, task->tid, wait.tag, text))
        job_names_explain(job, task->tid, wait.tag, text);
    wait.tag = 0;
    job_stall_add(job, wait, operation, text);
}

/* An answer lists the waits of all threads of the task; an empty list means that none is inside
 * hnow. The last answer ends the round before its time. */
void job_on_waits(struct job_task *task, struct unpack *in)
{
    struct job *job = task->host->job;
    struct job_stall *stall = &job->stall;
    /* an answer to an earlier report, or a second one */
    if (unpack_u32(in) != stall->number || !stall->asking || task->stall == stall->number)
        return;
    task->stall = stall->number;
    uint32_t n = unpack_u32(in);
    if (n == 0)
        job_stall_add(job, (struct stall_wait){job_name_of(task), .kind = STALL_COMPUTES}, "", "");
    while (n-- > 0) {
        struct stall_wait wait = {.who = job_name_of(task), .kind = unpack_u8(in)};
        wait.peer = job_peer_name(job, unpack_u32(in));
        wait.tag = unpack_u32(in);
        wait.context = unpack_u32(in);
        wait.milliseconds = unpack_u32(in);
        const char *operation = unpack_str(in);
        wait.number = unpack_u32(in);
        wait.step = unpack_u32(in);
        if (wait.kind == CONTROL_WAIT_HRUN)
            job_stall_add_question(task, wait, operation);
        else
            job_stall_add(job, wait, operation, "");
    }
    if (--stall->missing == 0)
        job_stall_end(job);
}
