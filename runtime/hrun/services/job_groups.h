/* job_groups.h - groups of tasks: contexts, lists of members, and groups that have a name. */
#pragma once

#include "hrun/diagnosis/job_stall.h"

/* ---- contexts, and lists of members that agree (job_agree.c) ---- */

/* The first of n contexts that nobody else gets; 0: there are no more. */
uint32_t job_contexts(struct job *job, uint32_t n);
void job_on_context_ask(struct job_task *asker, struct unpack *in);
void job_on_agree_ask(struct job_task *asker, struct unpack *in);
/* A task has ended, or has called hn_exit(): nobody waits for it any more. */
void job_agree_without(struct job_task *task);
void job_agree_end(struct job *job);
/* The task has done neither. */
bool job_takes_part(const struct job_task *task);

/* ---- named groups (job_groups.c, roster.h) ---- */

void job_groups_begin(struct job *job);
/* A task has ended, or has called hn_exit(). */
void job_groups_without(struct job_task *task, bool failed);
/* Gives up barriers to which nobody can come any more. */
void job_groups_check(struct job *job);
/* Says what this question of a task waits for; false: for no group. */
bool job_groups_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
/* Checks the name of a group or a value.  False: the task has its answer, an error. */
bool job_good_name(const struct job_task *asker, uint32_t number, const char *name);
void job_on_join_ask(struct job_task *asker, struct unpack *in);
void job_on_part_ask(struct job_task *asker, struct unpack *in);
void job_on_members_ask(struct job_task *asker, struct unpack *in);
void job_on_meet_ask(struct job_task *asker, struct unpack *in);
/* A member comes to a meeting: what MEET_ASK asks for. */
void job_meet(struct job_task *asker, uint32_t number, const char *name, enum roster_kind kind,
              uint32_t count);

/* ---- groups that hrun delegates to their members (job_delegation.c, job/delegation.h) ---- */

/* A barrier of all members is complete: whether they meet by themselves from now on. */
bool job_delegation_is_due(struct job *job, struct roster *roster);
/* Sends a member of such a group what it needs. */
void job_delegate(const struct job_task *task, struct roster *roster);
/* Whether a question about a group has to wait, and is kept, until the members have returned it. */
bool job_delegate_first(const struct job_task *asker, enum control_kind kind,
                        const struct unpack *in);
/* A member has returned its group: the answer to a recall, or because it leaves. */
void job_on_return(struct job_task *asker, struct unpack *in);
/* Recalls a group that is delegated. */
void job_recall(struct job *job, struct roster *roster);
/* A member is gone: its group is recalled, and notified later. */
void job_delegation_without(struct job_task *task, bool failed);
void job_delegations_end(struct job *job);
