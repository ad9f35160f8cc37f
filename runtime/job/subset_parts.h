/* subset_parts.h - shared by the files about subsets (rules: subset.h).
 *
 *      subset.c          the calls
 *      subset_table.c    the subsets that a task knows
 *      subset_send.c     outgoing messages
 *      subset_receive.c  incoming messages
 *      subset_close.c    closing subsets
 *
 * All functions are called with the engine's lock, by calls or when messages arrive.  Messages are
 * HN_UINT32 in the context of the group's argument checks (argument_check.h).  Only the answer to a
 * question is a message of the group's operations: a receive waits for it, and fails like any other
 * when a member is lost.
 */
#pragma once

#include "job/subset.h"

#include <stddef.h>
#include <stdint.h>

/* One task's view of a subset.  A member's `limited` and `last` come from the root. */
struct subset {
    struct list_node by_list, by_context; /* in the hash tables */
    struct list_node used;                /* on subsets.used, while it is open */
    struct hn_group *group;               /* NULL: the caller has not used it yet */
    hn_context whole, context;            /* of the group; its own */
    hn_tid *tids;
    int size;
    unsigned users; /* calls that hold it */
    unsigned begun; /* calls so far, at the last release */
    bool limited;   /* calls from `last` on belong to another subset, unless the root answers
                       otherwise */
    unsigned last;
    bool over;      /* it ends after `last` calls */
    bool replaced;  /* no call begins in it any more */
    bool requested; /* the root was asked to close it */

    /* At the root: */
    bool wanted; /* some member wants to close it */
    bool closing;
    unsigned round, votes; /* number of the CLOSE; missing votes */
    bool *informed;        /* [member]: it has the context */
    int uninformed;        /* number of members without it */
};

/* Words of the root's answer to a question. */
enum { ANSWER_ERROR, ANSWER_CONTEXT, ANSWER_WORDS };
/* Why the root refuses: its program has freed the group, or it is not root of such a list, or has
 * no memory for it. */
enum answer_error { ANSWER_FREED = 1, ANSWER_BAD };

/* Words of a question, before the list. */
enum { REPLY, PROPOSED, QUESTION_WORDS };
/* Words of the root's notification, before the list; words of the other messages. */
enum { CONTEXT, NOTICE_WORDS, NUMBER = NOTICE_WORDS, ROUND = NUMBER, LAST, YES = LAST, WORDS };

/* A context of the group's operations that no operation uses. */
static inline hn_context subset_answers(hn_context whole)
{
    return whole + 2;
}

/* ---- the table ---------------------------------------------------------------------------- */

/* The oldest subset with this list in which calls begin, other than `but`.  NULL: there is none. */
struct subset *subset_find(struct task *t, hn_context whole, const hn_tid *tids, int n,
                           const struct subset *but);
/* NULL: there is none. */
struct subset *subset_find_context(struct task *t, hn_context context);
/* NULL: out of memory. */
struct subset *subset_new(struct task *t, hn_context whole, const hn_tid *tids, int n,
                          hn_context context);
/* Frees it if no call needs it any more. */
void subset_free_if_done(struct task *t, struct subset *s);
/* Marks it as the most recently used one. */
void subset_touch(struct task *t, struct subset *s);
/* The index of a member in a list, or -1. */
int subset_place(const hn_tid *tids, int n, hn_tid tid);
bool subset_is_root(const struct task *t, const struct subset *s);

/* ---- messages ----------------------------------------------------------------------------- */

/* Sends words to a member.  HN_OK, even if it has ended, or HN_ENOMEM. */
int subset_send_in(struct task *t, hn_tid to, hn_context context, int tag, const uint32_t *words,
                   size_t count);
/* Sends a message of WORDS words about a subset. */
void subset_send(struct task *t, hn_tid to, int kind, const struct subset *s, unsigned number,
                 unsigned last);
void subset_answer(struct task *t, hn_tid to, hn_context whole, uint32_t reply, uint32_t error,
                   hn_context context);
/* Allocates room for `before` words, followed by the list.  The caller frees it.  NULL: no
 * memory. */
uint32_t *subset_words(int before, const hn_tid *tids, int n);
/* Notifies all members, at the root's first call: HN_OK, or HN_ENOMEM with its text. */
int subset_notify_all(struct task *t, struct subset *s);

/* ---- closing ------------------------------------------------------------------------------ */

/* At the root: asks for votes. */
void subset_close(struct task *t, struct subset *s);
/* The subset is used: cancels the vote. */
void subset_keep(struct task *t, struct subset *s);
/* A subset was made: closes as many others as there are too many.  If the roots of all candidates
 * were asked already, they are asked again next time. */
void subset_make_room(struct task *t, const struct subset *made);
void subset_receive_close(struct task *t, hn_tid root, struct subset *s, const uint32_t *words);
void subset_receive_vote(struct task *t, struct subset *s, const uint32_t *words);
void subset_receive_end(struct task *t, struct subset *s, unsigned last);
void subset_receive_request(struct task *t, struct subset *s);
