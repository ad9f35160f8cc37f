/* job_agree.c - agreements of tasks: unique contexts, and the members of a group; see job_groups.h.
 *
 * The happy path: the first member of a list asks, which opens an agreement on that list.  The
 * others join it.  When the last one has asked, all get the same context and the same list of
 * living members.
 *
 * The failure modes: A member ends before it has asked: the agreement no longer waits for it, and
 * it is not among the living.  A list contains a task that never existed, or not the asking task:
 * an error at once.  A member asks twice: its second question opens or joins the next agreement on
 * the list, so several of its threads may ask in turn.  A member of a group that shrinks is gone:
 * all others are notified at once, because they may wait in an operation of the group for a member
 * that has given it up.
 *
 * Cost: O(members) a question, O(members^2) bytes of answers.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

#include <stdlib.h>

/* Exists from the first question of a member to the answer.  Members are compared by position, so
 * all must pass the same order. */
struct job_agreement {
    struct list_node node;
    uint32_t context; /* of the group that shrinks; CONTROL_NO_GROUP: a new group */
    bool notified;    /* the members were notified that one is gone */
    uint32_t n;
    struct {
        uint32_t tid, question; /* number of its question, */
        bool asked;             /* which has arrived */
    } member[];
};

/* ---- contexts --------------------------------------------------------------------------- */

/* Contexts are never returned to hrun; the range has some 10^9 of them. */
uint32_t job_contexts(struct job *job, uint32_t n)
{
    uint32_t first = job->services.next_context;
    if (n == 0 || n % CONTROL_STEP || n > CONTROL_CONTEXT_END - first)
        return 0;
    job->services.next_context += n;
    return first;
}

void job_on_context_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    uint32_t first = job_contexts(asker->host->job, unpack_u32(in));
    if (first)
        job_number(asker, number, first);
    else
        job_done(asker, number, HN_ENOMEM, "all contexts of this job have been given out");
}

/* ---- agreements ------------------------------------------------------------------------- */

bool job_takes_part(const struct job_task *task)
{
    return task && task->state != JOB_TASK_OVER && !task->spawned.retired;
}

static bool job_agreement_lives(struct job *job, const struct job_agreement *agreement, uint32_t i)
{
    return job_takes_part(job_any_task(job, agreement->member[i].tid));
}

static void job_agreement_free(struct job_agreement *agreement)
{
    list_remove(&agreement->node);
    free(agreement);
}

/* Copies the list, which is in a frame that ends with the question. */
static struct job_agreement *job_agreement_new(struct job *job, uint32_t context,
                                               const uint32_t *tid, uint32_t n)
{
    struct job_agreement *agreement = calloc(1, sizeof *agreement + n * sizeof *agreement->member);
    if (!agreement)
        return NULL;
    list_append(&job->services.agreements, &agreement->node);
    agreement->context = context;
    agreement->n = n;
    for (uint32_t i = 0; i < n; i++)
        agreement->member[i].tid = tid[i];
    return agreement;
}

/* The list in the answer has only the living members, in the order of the question. */
static void job_agreement_answer(struct job *job, const struct job_agreement *agreement, uint32_t i,
                                 uint32_t context, uint32_t living)
{
    struct pack inner = {0};
    pack_u32(&inner, agreement->member[i].question);
    pack_u32(&inner, context);
    pack_u32(&inner, living);
    for (uint32_t k = 0; k < agreement->n; k++)
        if (job_agreement_lives(job, agreement, k))
            pack_u32(&inner, agreement->member[k].tid);
    job_send_task(job_any_task(job, agreement->member[i].tid), CONTROL_AGREED, &inner);
}

/* Notifies all living members of the first member that is gone. */
static void job_agreement_notify(struct job *job, struct job_agreement *agreement)
{
    uint32_t gone = 0;
    while (gone < agreement->n && job_agreement_lives(job, agreement, gone))
        gone++;
    /* A new group has no members that could be notified: they wait for the answer anyway. */
    if (agreement->notified || gone == agreement->n || agreement->context == CONTROL_NO_GROUP)
        return;
    agreement->notified = true;
    for (uint32_t i = 0; i < agreement->n; i++) {
        struct pack inner = {0};
        if (!job_agreement_lives(job, agreement, i))
            continue;
        pack_u32(&inner, agreement->context);
        pack_u32(&inner, agreement->member[gone].tid);
        job_send_task(job_any_task(job, agreement->member[i].tid), CONTROL_SHRINKS, &inner);
    }
}

/* Answers all members when none is missing any more. */
static void job_agreement_check(struct job *job, struct job_agreement *agreement)
{
    uint32_t living = 0;
    job_agreement_notify(job, agreement);
    for (uint32_t i = 0; i < agreement->n; i++) {
        bool lives = job_agreement_lives(job, agreement, i);
        if (lives && !agreement->member[i].asked)
            return;
        living += lives;
    }
    /* No living member is missing. */
    uint32_t context = job_contexts(job, CONTROL_STEP);
    for (uint32_t i = 0; i < agreement->n; i++) {
        if (!job_agreement_lives(job, agreement, i))
            continue;
        if (context)
            job_agreement_answer(job, agreement, i, context, living);
        else
            job_done(job_any_task(job, agreement->member[i].tid), agreement->member[i].question,
                     HN_ENOMEM, "all contexts of this job have been given out");
    }
    job_agreement_free(agreement);
}

/* The order counts: it decides the ranks. */
static bool job_agreement_is_on(const struct job_agreement *agreement, const uint32_t *tid,
                                uint32_t n)
{
    bool same = agreement->n == n;
    for (uint32_t i = 0; i < n && same; i++)
        same = agreement->member[i].tid == tid[i];
    return same;
}

/* The agreement on a list in which member number `me` has not asked yet.  NULL: there is none. */
static struct job_agreement *job_agreement_find(struct job *job, uint32_t context,
                                                const uint32_t *tid, uint32_t n, uint32_t me)
{
    list_for_each (node, &job->services.agreements) {
        struct job_agreement *a = list_entry(node, struct job_agreement, node);
        if (a->context == context && job_agreement_is_on(a, tid, n) && !a->member[me].asked)
            return a;
    }
    return NULL;
}

/* The same list may be agreed on again while an earlier agreement waits: the asker then begins the
 * next one. */
static void job_agreement_join(struct job_task *asker, uint32_t number, uint32_t context,
                               const uint32_t *tid, uint32_t n, uint32_t me)
{
    struct job *job = asker->host->job;
    struct job_agreement *agreement = job_agreement_find(job, context, tid, n, me);
    if (!agreement) {
        agreement = job_agreement_new(job, context, tid, n);
        if (!agreement) {
            job_done_no_memory(asker, number);
            return;
        }
    }
    agreement->member[me].asked = true;
    agreement->member[me].question = number;
    job_agreement_check(job, agreement);
}

/* Tids are checked before anything is recorded: an agreement with a task that never existed would
 * never end. */
void job_on_agree_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in), context = unpack_u32(in), n = unpack_u32(in), me = n;
    uint32_t *tid = calloc((size_t)n + 1, sizeof *tid);
    if (!tid) {
        job_done_no_memory(asker, number);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        tid[i] = unpack_u32(in);
        me = tid[i] == asker->tid ? i : me;
        if (!job_any_task(asker->host->job, tid[i])) {
            job_done(asker, number, HN_ENOTASK, "there is no task %u in this job", tid[i]);
            free(tid);
            return;
        }
    }
    if (me < n)
        job_agreement_join(asker, number, context, tid, n, me);
    else
        job_done(asker, number, HN_EARG, "the caller is not in the list");
    free(tid);
}

/* All agreements are checked, as each may have waited for this task only.  O(agreements x
 * members). */
void job_agree_without(struct job_task *task)
{
    list_for_each_safe (node, &task->host->job->services.agreements)
        job_agreement_check(task->host->job, list_entry(node, struct job_agreement, node));
}

void job_agree_end(struct job *job)
{
    list_for_each_safe (node, &job->services.agreements)
        job_agreement_free(list_entry(node, struct job_agreement, node));
}
