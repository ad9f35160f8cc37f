/* ledger.h - which operations a group's member has begun, so that none waits for ever for members
 * that have called others.
 *
 * Calls are counted, and the k-th one of a member is meant to be the k-th of all: it has the k-th
 * place.  Where it is another one, members follow different plans.  A message cannot be taken for
 * one of another operation, or root: its tag says what it is of.  But somebody waits then for a
 * message that nobody sends.  So the ledger notes what each number was; who waits for long asks the
 * member that it waits for (inquiry.h), and that one answers when it has called something else
 * under this number, follows another plan, or has ended the operation: all that it had to send has
 * been received by then.  The receive ends with HN_EARG, the execution as for any mistake: who
 * waits for its messages hears, too (execute.c).
 *
 * That ends every wait: of the members that wait for ever, look at those in the earliest operation.
 * Each waits for one that has called another, or has ended it, or has not called it yet, or follows
 * the same plan and waits in it, too; and the messages of one plan do not go round in a circle.
 * (Whom the program leaves elsewhere for ever is waited for, as it should be.)
 *
 * A call has one place, whatever it is made of.  Where it takes several operations, one after the
 * other (counts that are sent round first, a topology), these are steps within its place (kind.h),
 * and each has a tag of its own: no other call is taken for one of them.  Who is at a step waits
 * for members that have not come to it, and hears of those that are past it.
 *
 * A call whose arguments are wrong has its place, too, and has ended with that error: who waits
 * for its messages hears.  Who sends to such a member, or to one that has called another operation,
 * must not wait until it takes what it never will: where that fills its inbox, it is dropped.
 * So has a call that is refused since a member is gone: who does not know that yet hears.
 * Plans that follow the network count operations (lookout.h), and such a call is none: so who finds
 * later that another one has another plan tells everybody that the mistake was its own.
 *
 * What comes again and again has the place of the call that has made it, for as long as it lives;
 * it ends by an error, or when its request is freed: who starts it once more is told.  A group that
 * has been freed is one whose operations have all ended (inquiry.h).
 *
 * A multicast to a list has its place among those to that list, which have a context of their own
 * (subset.h).  Where the list itself is wrong, nobody knows which one it was to be: such a call
 * counts for the first list that may be meant and that others wait for this member in, or that it
 * calls next.  So where all have made the same mistake, all go on alike.
 *
 * When a member dies while a group is split, some have made their part, and others never will:
 * where the group that was split is broken, who waits for one that does not know the new one ends
 * as if it were broken, too.
 *
 * Cost: some stores an operation.
 */
#ifndef HNOW_COLL_LEDGER_H
#define HNOW_COLL_LEDGER_H

#include "wire/dispute.h"
#include "wire/kind.h"

#include "hnow.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ledger;
struct ledgers; /* all those of the task */

/* NULL: out of memory.  Freed when all ledgers have been closed; NULL is allowed. */
struct ledgers *ledgers_new(void);
void ledgers_free(struct ledgers *all);

/* The members of a multicast to a list; of a call that is wrong, as far as they are known. */
struct ledger_list {
    hn_context whole;   /* of the group */
    hn_tid root;        /* 0: unknown */
    int count;          /* of members with the root; 0: unknown */
    const hn_tid *tids; /* those that are known, `known` of them */
    int known;
};

struct ledger_entry {
    atomic_int tag; /* of the step that it is in */
    unsigned number;
    struct called called;
    atomic_uint plan;  /* of that step, plan->mark; 0: not known yet */
    atomic_bool ended; /* here: all that was sent has been received, or never will be */
    atomic_int error;  /* with which */
    struct dispute dispute;
};

/* A call's place among those of its group; at first all is 0 but `lasting`. */
struct place {
    struct ledger *ledger;      /* of the group; NULL: not begun */
    struct ledger_entry *entry; /* which stays until many more have begun; NULL: not begun, or over
                                 */
    bool taken;                 /* it has begun */
    bool lasting;               /* the call makes what comes again and again */
    unsigned number;
    int tag;
};

/* For operations in a context; list: they are multicasts to this one, whose tids must stay as long
 * as the ledger; else NULL.  HN_OK or HN_ENOMEM. */
int ledger_open(struct ledgers *all, struct ledger **made, hn_context context,
                const struct ledger_list *list);
/* The group is a part of one whose operations are in this context; 0: of none. */
void ledger_born(struct ledger *ledger, hn_context parent);
void ledger_close(struct ledger *ledger); /* may be NULL */
/* The group with this context is gone. */
void ledgers_forget(struct ledgers *all, hn_context whole);
/* How many calls have begun, with those to a wrong list that was to be this one. */
unsigned ledger_begun(struct ledger *ledger);

/* A call begins: it takes the next place.  Or it goes on with its next step.  Returns the tag. */
int ledger_step(struct ledger *ledger, struct place *place, enum kind kind, int root);
/* The step follows this plan, of that name, which becomes a part of its tag: messages of another
 * plan are not taken for those of this one.  Returns the tag. */
int ledger_planned(struct place *place, uint32_t plan, const char *name);
/* The call is over, with HN_OK or an error (a lasting one only then; the first one stays).  Nothing
 * where it has no place, or is over already. */
void ledger_left(struct place *place, int error);
/* One that cannot begin, or go on, since its arguments are wrong: it has its place, and is over. */
void ledger_mistake(struct ledger *ledger, struct place *place, enum kind kind, int root,
                    int error);
/* The same of a multicast to a list, where it is not clear to which: the list, as far as it is
 * right, is copied.  dead: the member that is gone, where that is the error; else 0. */
void ledgers_stray(struct ledgers *all, bool lasting, const struct ledger_list *list, int error,
                   hn_tid dead);
/* One that is refused, or cannot go on, since this member of the group is gone: the same. */
void ledger_refuse(struct ledger *ledger, struct place *place, enum kind kind, int root,
                   hn_tid dead);
/* A message of this operation has said that it was another member's mistake. */
void ledger_told(struct ledger *ledger, int tag, hn_tid other, int error);
/* The number of an operation with this tag. */
unsigned ledger_number(int tag);
/* The other member that is why it has ended so; 0: none. */
hn_tid ledger_blamed(const struct ledger *ledger, int tag);
/* A message from or to `peer` has failed with HN_EDEAD: notes that this one is gone, or whoever has
 * broken the group before. */
void ledger_met_end(struct ledger *ledger, int tag, hn_tid peer);
/* The member that is gone, and for which the operation ends; 0: none. */
hn_tid ledger_dead(const struct ledger *ledger, int tag);
/* Why an operation has ended with HN_EARG: sets that, with its text, or leaves the text that there
 * is where no other member is why.  HN_EDEAD where that is why the other has ended it. */
int ledger_explain(struct ledger *ledger, int tag);

#endif
