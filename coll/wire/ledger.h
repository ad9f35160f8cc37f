/* ledger.h - which operations a group's member has begun, so that none waits for ever for members
 * that have called others.
 *
 * Operations of a group are counted, and the k-th one of a member is meant to be the k-th of all.
 * Where it is not, members follow different plans.  A message cannot be taken for one of another
 * operation, or root: its tag says what it is of.  But somebody waits then for a message that
 * nobody sends.  So the ledger notes what each number was; who waits for long asks the member that
 * it waits for (inquiry.h), and that one answers when it has called something else under this
 * number, follows another plan, or has ended the operation: all that it had to send has been
 * received by then.  The receive ends with HN_EARG, the execution as for any mistake: who waits for
 * its messages hears, too (execute.c).
 *
 * That ends every wait: of the members that wait for ever, look at those in the earliest operation.
 * Each waits for one that has called another, or has ended it, or has not called it yet, or follows
 * the same plan and waits in it, too; and the messages of one plan do not go round in a circle.
 * (Whom the program leaves elsewhere for ever is waited for, as it should be.)
 *
 * A call whose arguments are wrong has its number, too, and has ended with that error: who waits
 * for its messages hears.  Who sends to such a member, or to one that has called another operation,
 * must not wait until it takes what it never will: where that fills its inbox, it is dropped.
 *
 * Cost: some stores an operation.
 */
#ifndef HNOW_COLL_LEDGER_H
#define HNOW_COLL_LEDGER_H

#include "operation.h"

#include "hnow.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ledger;

/* What an operation is, in a ledger: enum operation, or one of these. */
enum { KIND_ROUND = 16 /* + operation: sends its counts round */, KIND_NEIGHBOURS = 31 };

/* What is known about another member that has made a wait vain. */
struct dispute {
    hn_tid other; /* 0: none */
    int kind, root;
    bool ended, known; /* the operation is over there; kind and root are known */
    int error;         /* with which it has ended there */
};

struct ledger_entry {
    atomic_int tag;
    int kind, root;
    atomic_uint plan;  /* plan->mark; 0: not known yet */
    atomic_bool ended; /* here: all that was sent has been received, or never will be */
    atomic_int error;  /* with which */
    struct dispute dispute;
};

/* For operations in a context; `mark`: of those of some members, which share it (team.c), else 0.
 * HN_OK or HN_ENOMEM. */
int ledger_open(struct ledger **made, hn_context context, unsigned mark);
void ledger_close(struct ledger *ledger); /* may be NULL */

/* The next operation, or the next that comes again and again (`lasting`): its tag, and its entry,
 * which stays until many more have begun. */
struct ledger_entry *ledger_begin(struct ledger *ledger, bool lasting, int kind, int root,
                                  int *tag);
/* It follows this plan; it is over, with HN_OK or an error.  Nothing where the entry is another
 * one's by now. */
void ledger_planned(struct ledger_entry *entry, int tag, uint32_t plan);
void ledger_ended(struct ledger_entry *entry, int tag, int error);
/* One that cannot begin, since its arguments are wrong: it has its number, and is over. */
void ledger_mistake(struct ledger *ledger, bool lasting, int kind, int root, int error);
/* The number of an operation with this tag. */
unsigned ledger_number(const struct ledger *ledger, int tag);
/* The other member that is why it has ended so; 0: none. */
hn_tid ledger_blamed(const struct ledger *ledger, int tag);
/* Why an operation has ended with HN_EARG: sets that, with its text, or leaves the text that there
 * is where no other member is why. */
int ledger_explain(struct ledger *ledger, int tag);

#endif
