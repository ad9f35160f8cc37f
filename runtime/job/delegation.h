/* delegation.h - named groups that hrun has delegated to their members (as NFSv4 does files).
 *
 * If the members of a group have used many barriers, and nobody joins or leaves, hrun delegates the
 * group.  Every member gets the list of members (DELEGATE), and answers queries about the group
 * locally.  In a barrier each member sends ENTER to the first member.  That sends GO to all when it
 * has all ENTERs.  These are messages on the tasks' own connections.
 *
 * hrun recalls the group before it changes (RECALL).  The engine answers RETURN, whatever the
 * program does.  RETURN contains how many barriers this member has passed, and which question waits
 * in the next one; from then on hrun answers that question.  So the group changes only when no
 * member uses the old list any more.  No barrier is lost or counted twice
 * (hrun/services/job_delegation.c).
 *
 * ENTER may arrive before DELEGATE. hrun's contexts increase.  So an ENTER in a context above the
 * newest one is early, and is counted.  An ENTER in a returned context is dropped.
 *
 * Cost of a barrier: 2 (n - 1) messages, which the first member sends and receives one after the
 * other.
 */
#pragma once

#include "hnow.h"
#include "protocol/control.h"

struct task;
struct question;
struct delegation;

/* The delegation of the named group, or NULL: hrun answers for it. */
struct delegation *delegation_find(struct task *t, const char *name);
/* Copies the list, which the caller frees: HN_OK or HN_ENOMEM. */
int delegation_members(const struct delegation *d, hn_tid **tids, int *n);
/* Whether a barrier of `count` members includes all, and no other thread is in it. */
bool delegation_serves_barrier(const struct delegation *d, int count);
/* A barrier.  Returns the result of the question, which is not sent. */
int delegation_barrier(struct delegation *d, struct question *q, int count);
/* Processes messages of members.  True: a barrier is over. */
bool delegation_look(struct task *t);
/* Returns all delegations before the task leaves. */
void delegations_return(struct task *t);
/* For task_routes. */
void delegation_take(struct task *t, struct unpack *fields);
void delegation_recall(struct task *t, struct unpack *fields);
