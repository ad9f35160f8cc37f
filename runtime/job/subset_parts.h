/* subset_parts.h - what the files about subsets share (rules: subset.h).
 *
 *      subset.c          the calls
 *      subset_table.c    the subsets that a task knows
 *      subset_send.c     messages, as they are sent
 *      subset_receive.c  messages, as they arrive
 *      subset_close.c    giving subsets up
 *
 * All of it is done with the engine's lock, by calls or as messages come.  Messages are HN_UINT32
 * in the context of the group's argument checks (argument_check.h), but for the answer to a
 * question, which a receive waits for: it fails like that of any operation when a member is lost.
 */
#pragma once

#include "job/subset.h"

#include <stddef.h>
#include <stdint.h>

struct subset {
    struct list_node by_list, by_context; /* in their buckets */
    struct list_node used;                /* on subsets.used, until it has ended */
    struct hn_group *group;               /* NULL: the caller has not used it yet */
    hn_context whole, context;            /* of the group, and its own */
    hn_tid *tids;
    int size;
    unsigned users; /* calls that hold it */
    unsigned begun; /* calls so far, as of the last release */
    bool limited;   /* calls from `last` on are in another one, unless the root says no */
    unsigned last;
    bool over;      /* `last` calls are all */
    bool replaced;  /* no call begins in it any more */
    bool requested; /* the root has been asked to give it up */

    /* At the root: */
    bool wanted; /* some member wants to give it up */
    bool closing;
    unsigned round, votes; /* of CLOSE; votes that are missing */
    bool *informed;        /* [member] it has the context */
    int uninformed;        /* members that have not */
};

enum { ANSWER_ERROR, ANSWER_CONTEXT, ANSWER_WORDS };
enum answer_error { ANSWER_FREED = 1, ANSWER_BAD };

/* Of a question, before the list. */
enum { REPLY, PROPOSED, QUESTION_WORDS };
/* Of the root's notice, before the list; of the other messages. */
enum { CONTEXT, NOTICE_WORDS, NUMBER = NOTICE_WORDS, ROUND = NUMBER, LAST, YES = LAST, WORDS };

/* In the context of a group's operations that no operation uses. */
static inline hn_context subset_answers(hn_context whole)
{
    return whole + 2;
}

/* ---- the table ---------------------------------------------------------------------------- */

/* In which calls begin: the oldest; `but` is none.  NULL: none is known. */
struct subset *subset_find(struct task *t, hn_context whole, const hn_tid *tids, int n,
                           const struct subset *but);
/* NULL: there is none. */
struct subset *subset_find_context(struct task *t, hn_context context);
/* NULL: out of memory. */
struct subset *subset_new(struct task *t, hn_context whole, const hn_tid *tids, int n,
                          hn_context context);
/* Frees it when no call needs it any more. */
void subset_settle(struct task *t, struct subset *s);
/* It is the one that was used last. */
void subset_touch(struct task *t, struct subset *s);
/* The place of a member in a list; -1: it is not there. */
int subset_place(const hn_tid *tids, int n, hn_tid tid);
bool subset_is_root(const struct task *t, const struct subset *s);

/* ---- messages ----------------------------------------------------------------------------- */

/* Sends words to a member.  HN_OK, also where it has ended, or HN_ENOMEM. */
int subset_send_in(struct task *t, hn_tid to, hn_context context, int tag, const uint32_t *words,
                   size_t count);
/* A message of WORDS words about a subset. */
void subset_send(struct task *t, hn_tid to, int kind, const struct subset *s, unsigned number,
                 unsigned last);
void subset_answer(struct task *t, hn_tid to, hn_context whole, uint32_t reply, uint32_t error,
                   hn_context context);
/* `before` words and the list, to be freed; NULL: no memory. */
uint32_t *subset_words(int before, const hn_tid *tids, int n);
/* At the root's first call: HN_OK, or HN_ENOMEM with its text. */
int subset_notify_all(struct task *t, struct subset *s);

/* ---- giving up ---------------------------------------------------------------------------- */

/* At the root: asks for votes. */
void subset_close(struct task *t, struct subset *s);
/* It is used: votes that are under way do not count. */
void subset_keep(struct task *t, struct subset *s);
/* A subset has been made: as many others as are too much go.  Where the roots of all that could go
 * have been asked already, they are asked again next time. */
void subset_make_room(struct task *t, const struct subset *made);
void subset_receive_close(struct task *t, hn_tid root, struct subset *s, const uint32_t *words);
void subset_receive_vote(struct task *t, struct subset *s, const uint32_t *words);
void subset_receive_end(struct task *t, struct subset *s, unsigned last);
void subset_receive_request(struct task *t, struct subset *s);
