/* argument_check.h - detects that a message of a collective operation will never arrive: a member
 * that waits for long asks the expected sender.
 *
 * This module carries questions and answers.  The room above gives them their meaning (struct
 * argument_checker, coll/wire/open_table.h).  Every half second, each posted receive of a group's
 * operations becomes a tick older.  At 2, 4, 8, ... ticks the library asks the expected sender.
 * That answers only if it knows that nothing will arrive, whatever its program does meanwhile.
 * Then the receive ends with HN_EARG.  Questions and answers are messages in the last of the
 * group's contexts, which match.c keeps apart.  They are processed once a tick.
 *
 * Conversely, messages for an operation that this member is not in, or has left with an error, must
 * not fill its inbox, because the senders would wait forever.  Such messages are dropped.
 *
 * The room above may not know a group that was freed, if it never had an operation here.  So this
 * module remembers freed groups, and answers for them by itself.
 *
 * So a wait in vain ends within some seconds, or within twice the delay after which its cause
 * occurred.  Cost: two iterations of the loop a second while such receives are posted or questions
 * have arrived, and a last one that finds none.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

struct task;

enum { ARGUMENT_CHECK_WORDS = 4, ARGUMENT_CHECK_FREED = 256 /* groups that are remembered */ };

/* Tags of messages in the context of a group's argument checks. */
enum argument_check_kind {
    ARGUMENT_CHECK_QUESTION,
    ARGUMENT_CHECK_ANSWER,
    ARGUMENT_CHECK_HAS_FREED,
    /* Of subset.h; processed on arrival. */
    SUBSET_QUESTION,
    SUBSET_NOTIFY,
    SUBSET_REQUEST,
    SUBSET_CLOSE,
    SUBSET_VOTE,
    SUBSET_END,
    /* Of delegation.h; processed on arrival. */
    DELEGATION_ENTER,
    DELEGATION_GO
};

/* One question or answer, decoded.  On the stack of its user; `tids` points into a buffer that the
 * caller of the checker owns. */
struct argument_check {
    hn_tid other;       /* the member that is asked, or has asked or answered */
    hn_context context; /* context and tag of the missing message */
    int tag;
    bool has_group; /* the member that is asked has a group with operations in this context */
    bool freed;     /* in an answer: it had one, and freed it; the words are not valid */
    uint64_t words[ARGUMENT_CHECK_WORDS]; /* content of the room above */

    /* For a multicast to a list (subset.h): the group's context, and the members. */
    hn_context whole;
    const hn_tid *tids;
    int count; /* 0: another operation */
};

/* All functions are called with the engine's lock, and with the data of argument_check_start().
 * They must not call the library, nor block. */
struct argument_checker {
    /* The caller waits for this message from `other`: fills in the words.  False: does not ask. */
    bool (*ask)(void *data, struct argument_check *question);
    /* Answers a question at `other`; may replace the words.  True: the message will never
     * arrive. */
    bool (*answer)(void *data, struct argument_check *question);
    /* The answer has arrived.  True: the receives fail. */
    bool (*receive)(void *data, const struct argument_check *answer);
    /* Whether nobody here will ever receive messages in this context with this tag. */
    bool (*is_for_nobody)(void *data, hn_context context, int tag);
};

/* Registers the room above while the task is in its job.  Only the first call has an effect.  HN_OK
 * or HN_ESTATE. */
int argument_check_start(const struct argument_checker *argument_checker, void *data);
/* With the lock, before the task leaves its job. */
void argument_check_stop(struct task *t);
/* With the lock, whenever a receive may have been posted, or something has arrived. */
void argument_check_look(struct task *t);
/* Without the lock: drops messages that have arrived for an operation that ended with an error. */
void argument_check_sweep(void);
