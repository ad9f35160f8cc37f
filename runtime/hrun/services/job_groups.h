/* job_groups.h - groups of tasks: contexts, agreements on members, and named groups. */
#pragma once

#include "hrun/diagnosis/job_stall.h"

/* ---- contexts, and agreements on lists of members (job_agree.c) ---- */

/* Assigns n unused contexts and returns the first; 0: there are no more. */
uint32_t job_contexts(struct job *job, uint32_t n);
void job_on_context_ask(struct job_task *asker, struct unpack *in);
void job_on_agree_ask(struct job_task *asker, struct unpack *in);
/* A task has ended, or has called hn_exit(): no agreement waits for it any more. */
void job_agree_without(struct job_task *task);
void job_agree_end(struct job *job);
/* Whether the task has done neither. */
bool job_takes_part(const struct job_task *task);

/* ---- named groups (job_groups.c, roster.h) ---- */

void job_groups_begin(struct job *job);
/* A task has ended, or has called hn_exit(). */
void job_groups_without(struct job_task *task, bool failed);
/* Breaks barriers that no member can complete any more. */
void job_groups_check(struct job *job);
/* Describes what this question of a task waits for.  False: not for a group. */
bool job_groups_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
/* Validates the name of a group or a value.  False: the task was sent an error. */
bool job_good_name(const struct job_task *asker, uint32_t number, const char *name);
void job_on_join_ask(struct job_task *asker, struct unpack *in);
void job_on_part_ask(struct job_task *asker, struct unpack *in);
void job_on_members_ask(struct job_task *asker, struct unpack *in);
void job_on_rendezvous_ask(struct job_task *asker, struct unpack *in);
/* A member enters a rendezvous, by RENDEZVOUS_ASK or RETURN. */
void job_enter(struct job_task *asker, uint32_t number, const char *name, enum roster_kind kind,
               uint32_t count);

/* ---- groups that hrun delegates to their members (job_delegation.c, job/delegation.h) ---- */

/* A barrier of all members is complete: whether hrun should delegate the group now. */
bool job_delegation_is_due(struct job *job, struct roster *roster);
/* Sends DELEGATE to a member. */
void job_delegate(const struct job_task *task, struct roster *roster);
/* Whether a question about a group must wait until the members have returned it.  Then stores the
 * question. */
bool job_delegate_first(const struct job_task *asker, enum control_kind kind,
                        const struct unpack *in);
/* A member has returned its group: the answer to RECALL, or because it leaves. */
void job_on_return(struct job_task *asker, struct unpack *in);
/* Recalls a delegated group. */
void job_recall(struct job *job, struct roster *roster);
/* A member is gone: recalls its group, which is notified later. */
void job_delegation_without(struct job_task *task, bool failed);
void job_delegations_end(struct job *job);
