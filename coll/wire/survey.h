/* survey.h - ways of a network measured by the members of a group, one way after the other.
 *
 * Each member has a list of its own: messages to send, messages to receive.  The member at the
 * beginning of a way waits for a word of the one before it, sends small messages and long ones to
 * the other end, which answers each by one byte, and gives the word to the next.  So wires that
 * several ways share carry one message at a time.  It never waits inside: like an executor
 * (execute.h), it continues when a message has arrived; or it waits, when it is told to.
 *
 * Cost: six round trips a way, the last two with long messages; of a way that is measured alone
 * five.
 */
#pragma once

#include "wire/drift.h"
#include "job/internal.h"

#include "hnow.h"

struct survey_step;

enum { SURVEY_ALL = -1, SURVEY_SLOW = -2 };

struct survey {
    const struct model *model; /* as stated */
    struct drift *drift;
    const hn_tid *tids; /* [rank] */
    int rank, tag;
    bool waits;

    struct survey_step *steps;
    int count, at;
    uint8_t *bytes; /* what is sent, and what comes */
    uint64_t begun; /* of the last message sent */
    int64_t small;  /* the least so far, of this way; 0: none */
    int64_t large;
    hn_request *sent, *coming;
    int error;          /* of a message */
    hn_request *awaits; /* without this it cannot continue */
};

/* All ways of drift (SURVEY_ALL), those that are slow by it (SURVEY_SLOW), or the one of this
 * number; it is filled in for those that begin at this rank.  All members call it with the same
 * ways.  The caller sets the first fields.  HN_OK or
 * HN_ENOMEM; survey_free() in every case. */
int survey_begin(struct survey *survey, int only);
/* HN_OK when it is over, EXECUTOR_WAITS, or the error of a message.  The thread's context is that
 * of the messages. */
int survey_continue(struct survey *survey);
void survey_free(struct survey *survey);
