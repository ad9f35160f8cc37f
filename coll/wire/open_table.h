/* open_table.h - the table of open operations: which collective operations this member of a group
 * has begun, so that no member waits for ever for members that have called others.
 *
 * Calls are counted.  The k-th call of a member must be the k-th call of all; it has slot k.  If
 * members call different operations, or with another root, they do not take each other's messages:
 * the tag of a message says which operation it belongs to.  But then a member waits for a message
 * that nobody sends.  So the table records what each slot was.  A member that waits for long asks
 * the member that it waits for (argument_check.h).  That one answers if it has called something
 * else in this slot, follows another plan, or has ended the operation: then all that it had to send
 * has been received.  The receive ends with HN_EARG.  The operation ends as after any mistake, and
 * those who wait for this member's messages are notified (execute.c).
 *
 * That ends every wait.  Of the members that wait for ever, look at those in the earliest
 * operation. Each waits for one that has called another, or has ended it, or has not called it yet,
 * or follows the same plan and waits in it, too; and the messages of one plan do not form a circle.
 * (If the program leaves a member elsewhere for ever, the others wait for it, as they should.)
 *
 * A call has one slot.  If it takes several operations, one after the other (an exchange of counts,
 * a topology), these are steps within its slot (kind.h), and each step has its own tag: no other
 * call is taken for one of them.  A member at a step waits for members that have not come to it,
 * and is notified by those that are past it.
 *
 * A call with wrong arguments has a slot, too, and has ended with that error: members that wait for
 * its messages are notified.  Members that send to it must not wait until it takes what it never
 * will: if that fills its inbox, it is dropped.  The same holds for a call that is refused because
 * a member is gone.  Plans that follow the network count operations (monitor.h), and such a call is
 * none: so a member that later finds that another one has another plan says that the mistake was
 * its own.
 *
 * A persistent operation has the slot of the call that made it, as long as it lives.  It ends by an
 * error, or when its request is freed.  All operations of a freed group have ended
 * (argument_check.h).
 *
 * A multicast to a list has its slot among those to that list, which have a context of their own
 * (subset.h).  If the list itself is wrong, nobody knows which one it was to be: such a call counts
 * for the first list that may be meant and in which others wait for this member, or that it calls
 * next.  So if all have made the same mistake, all continue alike.
 *
 * When a member dies while a group is split, some have made their part and others never will.  If
 * the group that was split is broken, a member that waits for one that does not know the new group
 * ends as if the new one were broken, too.
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

struct open_table;
struct open_tables; /* all those of the task */

/* NULL: out of memory.  Freed when all tables have been closed; NULL is allowed. */
struct open_tables *open_tables_new(void);
void open_tables_free(struct open_tables *all);

/* The members of a multicast to a list; of a call that is wrong, as far as they are known. */
struct open_list {
    hn_context whole;   /* of the group */
    hn_tid root;        /* 0: unknown */
    int count;          /* of members with the root; 0: unknown */
    const hn_tid *tids; /* those that are known, `known` of them */
    int known;
};

struct open_operation {
    atomic_int tag; /* of the step that it is in */
    unsigned number;
    struct called called;
    atomic_uint plan;  /* of that step, plan->mark; 0: not known yet */
    atomic_bool ended; /* here: all that was sent has been received, or never will be */
    atomic_int error;  /* with which */
    struct argument_error argument_error;
};

/* A call's slot among those of its group; at first all is 0 but `persistent`. */
struct slot {
    struct open_table *table; /* of the group; NULL: not begun */
    struct open_operation
        *operation;  /* which stays until many more have begun; NULL: not begun, or over
                     */
    bool taken;      /* it has begun */
    bool persistent; /* the call makes what comes again and again */
    unsigned number;
    int tag;
};

/* For operations in a context; list: they are multicasts to this one, whose tids must stay as long
 * as the table; else NULL.  HN_OK or HN_ENOMEM. */
int open_table_open(struct open_tables *all, struct open_table **made, hn_context context,
                    const struct open_list *list);
/* The group is a part of one whose operations are in this context; 0: of none. */
void open_table_born(struct open_table *table, hn_context parent);
void open_table_close(struct open_table *table); /* may be NULL */
/* The group with this context is gone. */
void open_tables_forget(struct open_tables *all, hn_context whole);
/* How many calls have begun, with those to a wrong list that was to be this one. */
unsigned open_table_begun(struct open_table *table);

/* A call begins: it takes the next slot.  Or it continues with its next step.  Returns the tag. */
int open_table_step(struct open_table *table, struct slot *slot, enum kind kind, int root);
/* The step follows this plan, of that name, which becomes a part of its tag: messages of another
 * plan are not taken for those of this one.  Returns the tag. */
int open_table_planned(struct slot *slot, uint32_t plan, const char *name);
/* The call is over, with HN_OK or an error (a persistent one only then; the first one stays).  Nothing
 * where it has no slot, or is over already. */
void open_table_left(struct slot *slot, int error);
/* One that cannot begin, or continue, since its arguments are wrong: it has its slot, and is over.
 */
void open_table_mistake(struct open_table *table, struct slot *slot, enum kind kind, int root,
                        int error);
/* The same of a multicast to a list, where it is not clear to which: the list, as far as it is
 * right, is copied.  dead: the member that is gone, where that is the error; else 0. */
void open_tables_unmatched(struct open_tables *all, bool persistent, const struct open_list *list,
                           int error, hn_tid dead);
/* One that is refused, or cannot continue, since this member of the group is gone: the same. */
void open_table_refuse(struct open_table *table, struct slot *slot, enum kind kind, int root,
                       hn_tid dead);
/* A message of this operation has said that it was another member's mistake. */
void open_table_notified(struct open_table *table, int tag, hn_tid other, int error);
/* The number of an operation with this tag. */
unsigned open_table_number(int tag);
/* The other member that is why it has ended so; 0: none. */
hn_tid open_table_blamed(const struct open_table *table, int tag);
/* A message from or to `peer` has failed with HN_EDEAD: notes that this one is gone, or whoever has
 * broken the group before. */
void open_table_met_end(struct open_table *table, int tag, hn_tid peer);
/* The member that is gone, and for which the operation ends; 0: none. */
hn_tid open_table_dead(const struct open_table *table, int tag);
/* Why an operation has ended with HN_EARG: sets that, with its text, or leaves the text that there
 * is where no other member is why.  HN_EDEAD where that is why the other has ended it. */
int open_table_explain(struct open_table *table, int tag);
