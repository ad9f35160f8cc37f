/* argument_check.h - what members of a group ask each other when one of them waits for long:
 * whether the message that it waits for will ever come.
 *
 * This room carries questions and answers; what they mean knows the room above (struct
 * argument_checker, coll/wire/open_table.h).  Every half second each receive of a group's
 * operations that is still posted grows a tick older; at 2, 4, 8, ... ticks the task that it waits
 * for is asked about it. That one answers only when it knows that nothing will come, whatever its
 * program does meanwhile; then the receive ends with HN_EARG.  Questions and answers are messages
 * in the last of the group's contexts, which match.c keeps for this; they are looked at once a
 * tick.
 *
 * The other way round, what a member has been sent for an operation that it is not in, or has left
 * with an error, must not fill its inbox, where senders would wait for ever: such messages go.
 *
 * Of a group that has been freed the room above need not know: it may never have had an operation
 * here.  So this room remembers which they were, and says so by itself.
 *
 * So a wait that is in vain ends within some seconds, or twice the time for which its cause came
 * later than itself.  Cost: two turns of the loop a second while such receives are posted, or
 * questions have arrived; the last one finds that there are none.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

struct task;

enum { ARGUMENT_CHECK_WORDS = 4, ARGUMENT_CHECK_FREED = 256 /* groups that are remembered */ };

/* Tags of messages in the context of a group's argument_checks. */
enum argument_check_kind {
    ARGUMENT_CHECK_QUESTION,
    ARGUMENT_CHECK_ANSWER,
    ARGUMENT_CHECK_HAS_FREED,
    /* Of subset.h, dealt with as soon as they come. */
    SUBSET_QUESTION,
    SUBSET_NOTIFY,
    SUBSET_REQUEST,
    SUBSET_CLOSE,
    SUBSET_VOTE,
    SUBSET_END,
    /* Of delegation.h, the same. */
    DELEGATION_COME,
    DELEGATION_GO
};

struct argument_check {
    hn_tid other;       /* who is asked; or has asked, or answered */
    hn_context context; /* of the message, as its tag */
    int tag;
    bool has_group; /* who is asked has a group with operations in this context */
    bool freed;     /* an answer: it has had one, and freed it; words say nothing */
    uint64_t words[ARGUMENT_CHECK_WORDS]; /* what the room above has to say */

    /* A question about a multicast to a list (subset.h): the group's context, and the members. */
    hn_context whole;
    const hn_tid *tids;
    int count; /* 0: it is about another operation */
};

/* All are called with the engine's lock, and with the data of argument_check_start(): they must not
 * call the library, nor block. */
struct argument_checker {
    /* The caller waits for this message from `other`; fills in the words. False: asks nothing. */
    bool (*ask)(void *data, struct argument_check *question);
    /* The same at `other`, who may replace the words by its own. True: it will never come. */
    bool (*answer)(void *data, struct argument_check *question);
    /* That has returned.  True: the receives end. */
    bool (*receive)(void *data, const struct argument_check *answer);
    /* Whether nobody here will ever receive what has arrived in this context with this tag. */
    bool (*is_for_nobody)(void *data, hn_context context, int tag);
};

/* From now on, as long as the task is in its job; once is enough, and the first data stay.  HN_OK
 * or HN_ESTATE. */
int argument_check_start(const struct argument_checker *argument_checker, void *data);
/* With the lock, before the task leaves its job. */
void argument_check_stop(struct task *t);
/* With the lock, whenever a receive may have been posted, or something has arrived. */
void argument_check_look(struct task *t);
/* Without the lock: what has arrived for an operation that has ended with an error goes. */
void argument_check_sweep(void);
