/* job_groups.c - named groups: questions and answers; see job_groups.h, and roster.h for the
 * rules.
 *
 * A question is answered exactly once: here, or by a callback of roster.c when a rendezvous ends.
 * Groups whose barriers the members manage themselves (job_delegation.c) are returned to hrun
 * before any other question about them is answered.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

#include <stdlib.h>
#include <string.h>

enum { JOB_NAME_MAX = 255 }; /* bytes */

/* False after the question was answered with an error. */
bool job_good_name(const struct job_task *asker, uint32_t number, const char *name)
{
    if (name[0] && strlen(name) <= JOB_NAME_MAX)
        return true;
    job_done(asker, number, HN_EARG, "a name has 1 to %d bytes", JOB_NAME_MAX);
    return false;
}

/* Answers with the reason for which a rendezvous, or leaving, is refused. */
static void job_no_member(const struct job_task *asker, uint32_t number, int error,
                          const char *name)
{
    const char *why = error == HN_ENOTASK ? "is no member of"
                      : error == HN_EARG  ? "says another count than others in"
                      : error == HN_ENAME ? "finds that a member has left closed"
                                          : "waits already in, or has closed,";
    job_done(asker, number, error, "task %u %s group %s", asker->tid, why, name);
}

/* Answers with the instance, which is the lowest unused number of the group. */
void job_on_join_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    const char *name = unpack_str(in);
    if (!job_good_name(asker, number, name))
        return;
    int instance = roster_join(&asker->host->job->services.rosters, name, asker->tid);
    if (instance >= 0)
        job_number(asker, number, (uint32_t)instance);
    else if (instance == HN_ESTATE)
        job_done(asker, number, instance, "task %u is a member of group %s already", asker->tid,
                 name);
    else if (instance == HN_ENAME)
        job_done(asker, number, instance, "group %s is closed", name);
    else
        job_done(asker, number, instance, "hrun is out of memory");
}

void job_on_part_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    const char *name = unpack_str(in);
    int error = roster_leave(&asker->host->job->services.rosters, name, asker->tid);
    if (error)
        job_no_member(asker, number, error, name);
    else
        job_done_well(asker, number);
}

/* A group that does not exist has no members, which is no error.  An unused instance has tid 0. */
void job_on_members_ask(struct job_task *asker, struct unpack *in)
{
    struct pack inner = {0};
    pack_u32(&inner, unpack_u32(in));
    const struct roster *roster = roster_find(&asker->host->job->services.rosters, unpack_str(in));
    pack_u32(&inner, roster ? roster->n : 0);
    for (uint32_t i = 0; roster && i < roster->n; i++)
        pack_u32(&inner, roster->member[i].tid);
    job_send_task(asker, CONTROL_MEMBERS, &inner);
}

/* ---- rendezvous ------------------------------------------------------------------------- */

static const char *const job_rendezvous[] = {"barrier", "freeze", "closing"};

/* who: the member that has ended; 0: all others have. */
static void job_dead(const struct job_task *asker, uint32_t number, uint32_t who, const char *name)
{
    if (who == 0) {
        job_done(asker, number, HN_EDEAD,
                 "all other tasks have ended: nobody will come to a barrier of group %s", name);
        return;
    }
    const struct job_task *task = job_any_task(asker->host->job, who);
    job_done(asker, number, HN_EDEAD, "task %u on host %s, a member of group %s, has ended", who,
             task ? task->host->name : "?", name);
}

/* count is ROSTER_ALL or a number of members.  The kinds are those of roster.h. */
void job_on_rendezvous_ask(struct job_task *asker, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    const char *name = unpack_str(in);
    uint32_t count = unpack_u32(in);
    uint8_t kind = unpack_u8(in);
    job_enter(asker, number, name, kind < ROSTER_KINDS ? kind : ROSTER_FREEZE, count);
}

/* An error is answered here.  Otherwise job_rendezvous_end() answers, perhaps before this
 * returns. */
void job_enter(struct job_task *asker, uint32_t number, const char *name, enum roster_kind kind,
               uint32_t count)
{
    uint32_t who = 0;
    int error = roster_enter(&asker->host->job->services.rosters, name, asker->tid, kind, count,
                             number, &who);
    if (error == HN_EDEAD)
        job_dead(asker, number, who, name);
    else if (error)
        job_no_member(asker, number, error, name);
    job_groups_check(asker->host->job);
}

/* The list contains the members that wait in this freeze, by instance.  A group that was closed by
 * some of its members gets no context. */
static void job_frozen(const struct job_task *task, uint32_t number, const struct roster *roster,
                       enum roster_kind kind, uint32_t context)
{
    struct pack inner = {0};
    uint32_t entered = roster->rendezvous[kind].entered;
    if (!context && (kind == ROSTER_FREEZE || entered == roster->size)) {
        job_done(task, number, HN_ENOMEM, "all contexts of this job have been given out");
        return;
    }
    pack_u32(&inner, number);
    pack_u32(&inner, context);
    pack_u32(&inner, entered);
    for (uint32_t i = 0; i < roster->n; i++)
        if (roster->member[i].waits[kind])
            pack_u32(&inner, roster->member[i].tid);
    job_send_task(task, CONTROL_AGREED, &inner);
}

/* A frozen group gets contexts of its own, the same for all its members. */
static uint32_t job_frozen_context(struct job *job, const struct roster *roster,
                                   enum roster_kind kind)
{
    bool gets = kind == ROSTER_FREEZE ||
                (kind == ROSTER_CLOSE && roster->rendezvous[kind].entered == roster->size);
    return gets ? job_contexts(job, CONTROL_STEP) : 0;
}

/* A rendezvous is over: answers all members that wait in it. */
static void job_rendezvous_end(struct rosters *all, struct roster *roster, enum roster_kind kind,
                               int error, uint32_t who)
{
    struct job *job = all->data;
    bool delegates = kind == ROSTER_BARRIER && !error && job_delegation_is_due(job, roster);
    uint32_t context = error ? 0 : job_frozen_context(job, roster, kind);
    for (uint32_t i = 0; i < roster->n; i++) {
        const struct roster_member *member = &roster->member[i];
        const struct job_task *task = member->waits[kind] ? job_any_task(job, member->tid) : NULL;
        if (!task)
            continue;
        if (delegates)
            job_delegate(task, roster);
        if (error == HN_ENAME)
            job_no_member(task, member->question[kind], error, roster->name);
        else if (error)
            job_dead(task, member->question[kind], who, roster->name);
        else if (kind != ROSTER_BARRIER)
            job_frozen(task, member->question[kind], roster, kind, context);
        else
            job_done_well(task, member->question[kind]);
    }
}

/* ---- waiting members -------------------------------------------------------------------- */

/* With one task left, no other can arrive; waits with a number of members would last for ever. */
void job_groups_check(struct job *job)
{
    if (job_is_alone(job))
        rosters_give_up(&job->services.rosters);
}

/* The task has ended or takes part no more.  `failed`: members must be notified even if they do not
 * wait now. */
void job_groups_without(struct job_task *task, bool failed)
{
    struct job *job = task->host->job;
    job_delegation_without(task, failed);
    roster_ended(&job->services.rosters, task->tid, failed);
    job_groups_check(job);
}

/* Describes the rendezvous that this question waits in, for a report on a job that hangs. */
bool job_groups_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED])
{
    list_for_each (node, &job->services.rosters.list) {
        const struct roster *roster = list_entry(node, struct roster, node);
        int instance = roster_instance(roster, tid);
        if (instance >= 0 && roster->delegation.context != 0 &&
            roster->member[instance].delegated.question == number) {
            snprintf(text, JOB_ASKED, "barrier of group \"%s\"", roster->name);
            return true;
        }
        for (int k = 0; k < ROSTER_KINDS && instance >= 0; k++) {
            const struct roster_member *member = &roster->member[instance];
            enum roster_kind kind = (enum roster_kind)k;
            if (!member->waits[kind] || member->question[kind] != number)
                continue;
            snprintf(text, JOB_ASKED, "%s of group \"%s\": %u of %u have arrived",
                     job_rendezvous[kind], roster->name, roster->rendezvous[kind].entered,
                     roster_wanted(roster, kind));
            return true;
        }
    }
    return false;
}

/* ---- groups that were delegated --------------------------------------------------------- */

/* Processes waiting members: answers those in the last barrier that a member has passed.  Members
 * that had entered a later barrier enter it again at hrun. */
static void job_answer_waiting(struct job *job, struct roster *roster)
{
    /* If any member has passed a barrier, all had arrived there; only the news is missing. */
    uint32_t passed = 0;
    for (uint32_t i = 0; i < roster->n; i++)
        if (roster->member[i].delegated.passed > passed)
            passed = roster->member[i].delegated.passed;
    for (uint32_t i = 0; i < roster->n; i++) {
        struct roster_member *member = &roster->member[i];
        uint32_t question = member->delegated.question;
        bool before = member->delegated.passed < passed;
        member->delegated.question = member->delegated.passed = 0;
        struct job_task *task = question ? job_any_task(job, member->tid) : NULL;
        if (!job_takes_part(task))
            continue;
        if (before)
            job_done_well(task, question);
        else
            job_enter(task, question, roster->name, ROSTER_BARRIER, member->delegated.count);
    }
}

/* Processes members that have ended meanwhile.  A copy is walked through, because roster_ended()
 * may free the group with its last member. */
static void job_remove_ended(struct job *job, struct roster *roster)
{
    struct rosters *all = &job->services.rosters;
    uint32_t n = roster->n;
    struct roster_member *member = calloc(n, sizeof *member);
    if (member)
        memcpy(member, roster->member, n * sizeof *member);
    for (uint32_t i = 0; member && i < n; i++)
        if (member[i].delegated.ended)
            roster_ended(all, member[i].tid, member[i].delegated.failed);
    free(member);
}

/* So that questions which are deferred again do not return to the list that is being emptied. */
static void job_move_questions(struct list_node *from, struct list_node *to)
{
    list_init(to);
    list_for_each_safe (node, from) {
        list_remove(node);
        list_append(to, node);
    }
}

/* All members have returned the group: hrun manages it again. */
static void job_returned(struct rosters *all, struct roster *roster)
{
    struct job *job = all->data;
    struct list_node waiting;
    job_move_questions(&roster->delegation.waiting, &waiting);
    job_answer_waiting(job, roster);
    job_remove_ended(job, roster); /* may free the group */
    while (!list_empty(&waiting))
        job_ask_again(job, &waiting);
    job_groups_check(job);
}

void job_groups_begin(struct job *job)
{
    list_init(&job->services.rosters.list);
    job->services.rosters.ended = job_rendezvous_end;
    job->services.rosters.returned = job_returned;
    job->services.rosters.data = job;
}
