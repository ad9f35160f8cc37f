/* open_table.h - the table of open operations: which collective operations this member of a group
 * has begun. With it no member waits forever for members that have called another operation.
 *
 * Calls are counted. The k-th call of a member must be the k-th call of all; it has slot k. If
 * members call different operations, or give different roots, they do not receive each other's
 * messages, since the tag of a message identifies its operation. But then a member waits for a
 * message that is never sent. So the table records the call of each slot. A member that has waited
 * for long asks the member that it waits for (argument_check.h). That member answers if it has made
 * another call in this slot, follows another plan, or has ended the operation: then everything that
 * it had to send has been received. The receive ends with HN_EARG. The operation ends as after any
 * mistake, and the receivers of this member's messages are notified (execute.c).
 *
 * This ends every wait. Consider the waiting members in the earliest operation. Each waits for one
 * that has made another call, has ended the operation, has not begun it yet, or waits in it as
 * well, with the same plan. The messages of one plan do not form a cycle. (If the program never
 * makes the call at some member, the others wait for it, as they should.)
 *
 * A call has one slot. If it consists of several operations (an exchange of counts, a topology),
 * these are steps within its slot (kind.h). Each step has its own tag, so it is not confused with
 * another call. A member at a step waits for members that have not reached the step, and is
 * notified by those that are past it.
 *
 * A call with wrong arguments has a slot, too, and has ended with that error: members that wait for
 * its messages are notified. Messages sent to it must not block their senders: they are dropped if
 * they fill its inbox. The same holds for a call that is refused because a member is gone. Plans
 * that follow the network count operations (monitor.h), and such a call is not counted. So if this
 * member's plan later differs from another one's, the error text says that the mistake was its own.
 *
 * A persistent operation keeps the slot of the call that made it. It ends by an error, or when its
 * request is freed. All operations of a freed group have ended (argument_check.h).
 *
 * A multicast to a list has its slot among those to that list, which have a context of their own
 * (subset.h). If the list itself is wrong, the intended list is unknown: the call is unmatched. It
 * is assigned to the first list that may be meant and in which others wait for this member, or that
 * it calls next. So if all members have made the same mistake, all continue alike.
 *
 * When a member dies while a group is split, some members have done their part and others never
 * will. If the group that was split is broken, a member that waits for one that does not know the
 * new group ends as if the new one were broken, too.
 *
 * Cost: some stores an operation.
 */
#pragma once

#include "wire/argument_error.h"
#include "wire/kind.h"

#include "hnow.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A table belongs to one context, that is, to one group or one list of multicast receivers. All
 * functions are for any thread unless said otherwise. */
struct open_table;
struct open_tables; /* all tables of the task */

/* NULL: out of memory. Freed when all its tables have been closed; NULL is allowed. */
struct open_tables *open_tables_new(void);
void open_tables_free(struct open_tables *all);

/* The members of a multicast to a list; if the list is wrong, as far as they are known. */
struct open_list {
    hn_context whole;   /* of the group */
    hn_tid root;        /* 0: unknown */
    int count;          /* number of members with the root; 0: unknown */
    const hn_tid *tids; /* `known` of them, with the root */
    int known;
};

/* The record of one call, or of its present step, in a ring of the table. The atomic fields are
 * also written without the lock by the thread that executes the operation. A tag of -1 means that
 * the entry was never used. */
struct open_operation {
    atomic_int tag; /* of its present step */
    unsigned number;
    struct called called;
    atomic_uint plan;  /* plan->mark of that step; 0: not known yet */
    atomic_bool ended; /* ended here: everything sent to it has been received, or never will be */
    /* HN_OK while it is open. The text of an error is made later, from argument_error. */
    atomic_int error; /* its error */
    struct argument_error argument_error;
};

/* A call's slot among those of its group. It is a part of the call and lives as long. Initialized
 * to zeros but for `persistent`. `operation` is used only while its tag equals that of the slot.
 * Otherwise a later call has taken the entry in the ring. */
struct slot {
    struct open_table *table;         /* of the group; NULL: not begun */
    struct open_operation *operation; /* NULL: not begun, or ended */
    bool taken;                       /* it has begun */
    bool persistent;                  /* a persistent operation */
    unsigned number;
    int tag;
};

/* Opens a table for operations in a context. list: they are multicasts to this list, whose tids
 * must outlive the table; else NULL. HN_OK or HN_ENOMEM. */
int open_table_open(struct open_tables *all, struct open_table **made, hn_context context,
                    const struct open_list *list);
/* The group was split from one whose operations are in this context; 0: from none. */
void open_table_born(struct open_table *table, hn_context parent);
void open_table_close(struct open_table *table); /* may be NULL */
/* The group with this context has been freed. */
void open_tables_forget(struct open_tables *all, hn_context whole);
/* Number of calls begun, including unmatched calls that were meant for this list. */
unsigned open_table_begun(struct open_table *table);

/* A call begins and takes the next slot, or continues with its next step. Returns the tag. */
int open_table_step(struct open_table *table, struct slot *slot, enum kind kind, int root);
/* The step follows this plan, which becomes a part of its tag. So messages of another plan are not
 * received. Returns the tag. */
int open_table_planned(struct slot *slot, uint32_t plan, const char *name);
/* The call has ended, with HN_OK or an error. A persistent operation ends only by an error; the
 * first one is kept. No effect without a slot, or if it has ended before. */
void open_table_left(struct slot *slot, int error);
/* A call that cannot begin or continue, since its arguments are wrong: it takes its slot and
 * ends. */
void open_table_mistake(struct open_table *table, struct slot *slot, enum kind kind, int root,
                        int error);
/* The same for a multicast whose intended list is unknown: an unmatched call. The valid part of the
 * list is copied. dead: the member that is gone, if that is the error; else 0. */
void open_tables_unmatched(struct open_tables *all, bool persistent, const struct open_list *list,
                           int error, hn_tid dead);
/* The same for a call that is refused, or cannot continue, since this member of the group is
 * gone. */
void open_table_refuse(struct open_table *table, struct slot *slot, enum kind kind, int root,
                       hn_tid dead);
/* A termination notice for this operation has named another member as the cause. */
void open_table_notified(struct open_table *table, int tag, hn_tid other, int error);
/* The other member that caused the operation to end; 0: none. */
hn_tid open_table_blamed(const struct open_table *table, int tag);
/* A message from or to `peer` has failed with HN_EDEAD: records that `peer` is gone, or the member
 * that has broken the group before. */
void open_table_met_end(struct open_table *table, int tag, hn_tid peer);
/* The member that is gone and because of which the operation ends; 0: none. */
hn_tid open_table_dead(const struct open_table *table, int tag);
/* Sets the error of an operation that has ended with HN_EARG, with its text; keeps the present text
 * if no other member is the cause. HN_EDEAD if that is why the other member has ended it. */
int open_table_explain(struct open_table *table, int tag);
