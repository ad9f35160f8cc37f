/* job_delegation.c - delegates groups to their members, and recalls them; see job_groups.h, and
 * job/delegation.h for the members' side.
 *
 * A group is delegated when all its members have met in `patience` barriers, and nobody has joined
 * or left in between.  A request that would change it, or starts another kind of rendezvous, waits
 * until all members have returned it.  Then hrun knows which barrier is complete: any that a member
 * has passed.  Members that wait in it are answered.  Those that wait in the next one are in hrun's
 * rendezvous from then on.  The patience doubles with each recall, so groups that change often are
 * rarely delegated.
 *
 * Cost: a round trip to all members for each recall.  A member answers within two ticks of its
 * engine, even while it computes.  A stopped member delays those that join.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

enum {
    /* Barriers.  If there are no connections to the first member, making them takes as long as 5
     * barriers through hrun on one host, and 15 on lan8. */
    DELEGATION_PATIENCE = 8,
    /* reached after nine recalls; without a limit the doubling would overflow */
    DELEGATION_PATIENCE_MOST = 4096,
    DELEGATION_MEMBERS = 64 /* members; the first one serves all, with 3 us for each message */
};

/* A barrier of some members does not count.  True: the caller must send DELEGATE to all members,
 * which all wait in this barrier. */
bool job_delegation_is_due(struct job *job, struct roster *roster)
{
    struct roster_delegation *delegation = &roster->delegation;
    if (roster->rendezvous[ROSTER_BARRIER].entered < roster->size)
        return false;
    if (delegation->patience == 0)
        delegation->patience = DELEGATION_PATIENCE;
    delegation->steady++;
    if (delegation->steady < delegation->patience || roster->size < 2 ||
        roster->size > DELEGATION_MEMBERS || roster->rendezvous[ROSTER_FREEZE].entered > 0 ||
        roster->rendezvous[ROSTER_CLOSE].entered > 0)
        return false;
    delegation->context = job_contexts(job, CONTROL_STEP);
    delegation->recalled = false;
    delegation->holders = 0;
    return delegation->context != 0;
}

/* Called once for each member; the member holds the group from then on. */
void job_delegate(const struct job_task *task, struct roster *roster)
{
    struct pack inner = {0};
    pack_str(&inner, roster->name);
    pack_u32(&inner, roster->delegation.context);
    pack_u32(&inner, roster->n);
    for (uint32_t i = 0; i < roster->n; i++) {
        struct roster_member *member = &roster->member[i];
        pack_u32(&inner, member->tid);
        if (member->tid == task->tid)
            member->delegated.holds = true;
    }
    roster->delegation.holders++;
    job_send_task(task, CONTROL_DELEGATE, &inner);
}

/* ---- recalling -------------------------------------------------------------------------- */

/* Called repeatedly: the first call sends RECALL, each later one checks whether all have returned
 * it.  The last one calls returned(), which may free the roster. */
void job_recall(struct job *job, struct roster *roster)
{
    struct roster_delegation *delegation = &roster->delegation;
    if (delegation->context == 0)
        return;
    for (uint32_t i = 0; i < roster->n && !delegation->recalled; i++) {
        const struct roster_member *member = &roster->member[i];
        struct pack inner = {0};
        if (!member->delegated.holds)
            continue;
        pack_u32(&inner, delegation->context);
        job_send_task(job_any_task(job, member->tid), CONTROL_RECALL, &inner);
    }
    /* Set even if no member holds it: then it is returned at once. */
    delegation->recalled = true;
    if (delegation->holders > 0)
        return;
    delegation->context = 0;
    delegation->steady = 0;
    if (delegation->patience < DELEGATION_PATIENCE_MOST)
        delegation->patience *= 2;
    job->services.rosters.returned(&job->services.rosters, roster);
}

/* Idempotent, so a member may return the group and end as well. */
static void job_holds_no_more(struct roster *roster, struct roster_member *member)
{
    roster->delegation.holders -= member->delegated.holds;
    member->delegated.holds = false;
}

/* A context identifies the delegation, so an answer to an older one has no effect. */
void job_on_return(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    uint32_t question = unpack_u32(in), context = unpack_u32(in);
    list_for_each_safe (node, &job->services.rosters.list) {
        struct roster *roster = list_entry(node, struct roster, node);
        int instance = roster_instance(roster, asker->tid);
        if (instance < 0 || roster->delegation.context != context)
            continue;
        struct roster_member *member = &roster->member[instance];
        member->delegated.question = question;
        member->delegated.passed = unpack_u32(in);
        member->delegated.count = unpack_u32(in);
        job_holds_no_more(roster, member);
        job_recall(job, roster);
        return;
    }
}

/* The list of members can still be read while the group is delegated and not recalled. */
bool job_delegate_first(const struct job_task *asker, enum control_kind kind,
                        const struct unpack *in)
{
    struct job *job = asker->host->job;
    struct unpack ahead = *in;
    uint32_t number = unpack_u32(&ahead);
    if (kind != CONTROL_JOIN_ASK && kind != CONTROL_PART_ASK && kind != CONTROL_MEMBERS_ASK &&
        kind != CONTROL_RENDEZVOUS_ASK)
        return false;
    struct roster *roster = roster_find(&job->services.rosters, unpack_str(&ahead));
    if (!roster || roster->delegation.context == 0 ||
        (kind == CONTROL_MEMBERS_ASK && !roster->delegation.recalled))
        return false;
    if (job_defer_question(&roster->delegation.waiting, asker, kind, in))
        job_recall(job, roster);
    else
        job_done_no_memory(asker, number);
    return true;
}

/* The member stays in the roster until the group was returned, because the others still use the
 * list with it. */
void job_delegation_without(struct job_task *task, bool failed)
{
    struct job *job = task->host->job;
    list_for_each_safe (node, &job->services.rosters.list) {
        struct roster *roster = list_entry(node, struct roster, node);
        int instance = roster_instance(roster, task->tid);
        if (instance < 0 || roster->delegation.context == 0)
            continue;
        struct roster_member *member = &roster->member[instance];
        member->delegated.failed = member->delegated.ended ? member->delegated.failed : failed;
        member->delegated.ended = true;
        job_holds_no_more(roster, member);
        job_recall(job, roster);
    }
}

void job_delegations_end(struct job *job)
{
    list_for_each (node, &job->services.rosters.list)
        job_forget_questions(&list_entry(node, struct roster, node)->delegation.waiting);
}
