/* delegation.h - named groups that hrun has delegated to their members (as NFSv4 does files).
 *
 * A group whose members have met often, and that nobody joins or leaves, is delegated:
 * every member gets the list (DELEGATE), and answers by itself who is in the group.  In a barrier
 * each member sends come to the first one, which sends GO to all when it has all COMEs: messages on
 * the tasks' own connections.
 *
 * hrun recalls the group before it changes: RECALL, which the engine answers by RETURN, whatever
 * the program does.  RETURN says how many barriers this member has passed, and which question waits
 * in the next one; from then on hrun answers that question.  So a change is made when no member
 * holds the old list any more, and no barrier is lost or counted twice
 * (hrun/services/job_delegation.c).
 *
 * come may arrive before DELEGATE does.  hrun's contexts grow, so a come in a context above the
 * newest one is early, and is counted; a come in one that has been returned is dropped.
 *
 * Cost of a barrier: 2 (n - 1) messages, one after the other at the first member.
 */
#pragma once

#include "hnow.h"
#include "protocol/control.h"

struct task;
struct question;
struct delegation;

/* The group, if this member holds it; else NULL. */
struct delegation *delegation_find(struct task *t, const char *name);
/* A copy of the list, which the caller frees: HN_OK or HN_ENOMEM. */
int delegation_members(const struct delegation *d, hn_tid **tids, int *n);
/* Whether a barrier of so many members is one of all, and no other thread is in it. */
bool delegation_may_meet(const struct delegation *d, int count);
/* A barrier: the result of the question, which is not sent. */
int delegation_meet(struct delegation *d, struct question *q, int count);
/* Takes what members have sent.  True: a barrier is over. */
bool delegation_look(struct task *t);
/* Before the task leaves. */
void delegations_return(struct task *t);
/* For task_routes. */
void delegation_take(struct task *t, struct unpack *fields);
void delegation_recall(struct task *t, struct unpack *fields);
