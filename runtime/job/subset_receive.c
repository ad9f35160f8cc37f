/* subset_receive.c - processes incoming messages about subsets (subset_parts.h).
 *
 * The messages are arrays of 32-bit words, from tasks that may be of another byte order.  Each is
 * checked completely before it changes anything: counts, contexts, and the sender's role.
 */
#include "job/subset_parts.h"

#include "job/argument_check.h"
#include "job/orphans.h"
#include "job/task.h"
#include "base/type.h"

#include <limits.h>
#include <stdlib.h>

/* Whether hrun could have given out this context to a group. */
static bool is_possible(hn_context context)
{
    return context % CONTROL_STEP == 0 && context >= CONTROL_CONTEXT_FIRST &&
           context < CONTROL_CONTEXT_END;
}

/* The context of a list for a member that asks; 0: none, and *error says why. */
static hn_context answer_to(struct task *t, hn_context whole, const hn_tid *tids, int n,
                            hn_tid from, hn_context proposed, uint32_t *error)
{
    int member = subset_place(tids, n, from);
    *error = ANSWER_BAD;
    if (tids[0] != t->tid || member < 1 || !is_possible(proposed))
        return 0;
    *error = ANSWER_FREED;
    if (orphans_group_is_freed(t, whole))
        return 0;
    *error = ANSWER_BAD;
    struct subset *s = subset_find(t, whole, tids, n, NULL);
    /* The member may be the first that uses this list, or the root may know it from its own
     * call. */
    bool made = !s;
    if (!s)
        s = subset_new(t, whole, tids, n, proposed);
    if (!s)
        return 0;
    s->uninformed -= !s->informed[member];
    s->informed[member] = true;
    subset_keep(t, s);
    if (made)
        subset_make_room(t, s);
    *error = 0;
    return s->context;
}

/* A question without any tid behind its words is ignored. */
static void receive_question(struct task *t, const hn_info *info, hn_context whole, uint32_t *words)
{
    if (info->count <= QUESTION_WORDS || info->count > INT_MAX)
        return;
    int n = (int)info->count - QUESTION_WORDS;
    uint32_t error;
    hn_context context = answer_to(t, whole, (hn_tid *)(words + QUESTION_WORDS), n, info->from,
                                   words[PROPOSED], &error);
    subset_answer(t, info->from, whole, words[REPLY], error, context);
}

/* Ignored if the sender is not the list's root, this task is no member, the group was freed, or the
 * context is known. */
static void receive_notice(struct task *t, const hn_info *info, hn_context whole, uint32_t *words)
{
    if (info->count <= NOTICE_WORDS || info->count > INT_MAX || !is_possible(words[CONTEXT]))
        return;
    int n = (int)info->count - NOTICE_WORDS;
    hn_tid *tids = (hn_tid *)(words + NOTICE_WORDS);
    bool mine = tids[0] == info->from && subset_place(tids, n, t->tid) > 0;
    if (!mine || orphans_group_is_freed(t, whole) || subset_find_context(t, words[CONTEXT]))
        return;
    struct subset *s = subset_new(t, whole, tids, n, words[CONTEXT]);
    if (s)
        subset_make_room(t, s);
}

/* There was no memory for the message: votes no. */
static void refuse_close(struct task *t, const hn_info *info, hn_context whole,
                         const uint32_t *words)
{
    uint32_t vote[WORDS] = {words[CONTEXT], words[ROUND], false};
    subset_send_in(t, info->from, match_argument_checks(whole), SUBSET_VOTE, vote, WORDS);
}

/* Each kind is accepted only from the role that may send it. */
static void dispatch(struct task *t, const hn_info *info, hn_context whole, uint32_t *words)
{
    if (info->tag == SUBSET_QUESTION)
        receive_question(t, info, whole, words);
    if (info->tag == SUBSET_NOTIFY)
        receive_notice(t, info, whole, words);
    /* All other kinds are about a known subset, and have the same length. */
    if (info->count != WORDS || info->tag == SUBSET_QUESTION || info->tag == SUBSET_NOTIFY)
        return;
    struct subset *s = subset_find_context(t, words[CONTEXT]);
    bool member = s && subset_place(s->tids, s->size, info->from) >= 0;
    bool from_root = member && s->tids[0] == info->from, to_root = member && subset_is_root(t, s);
    if (info->tag == SUBSET_CLOSE && !s)
        refuse_close(t, info, whole, words);
    else if (info->tag == SUBSET_CLOSE && from_root)
        subset_receive_close(t, info->from, s, words);
    else if (info->tag == SUBSET_END && from_root)
        subset_receive_end(t, s, words[NUMBER]);
    else if (info->tag == SUBSET_VOTE && to_root)
        subset_receive_vote(t, s, words);
    else if (info->tag == SUBSET_REQUEST && to_root)
        subset_receive_request(t, s);
}

/* In the order of arrival, which for each sender is the order of its messages.  Malformed ones are
 * dropped. */
void subset_look(struct task *t)
{
    struct inbound *in;
    while ((in = match_first_argument_check(&t->match, SUBSET_QUESTION, SUBSET_END))) {
        hn_info info = in->info;
        hn_context whole = in->context - in->context % CONTROL_STEP;
        uint32_t *words = malloc(info.count * sizeof *words + 1);
        bool good = words && type_compatible(info.type, HN_UINT32) &&
                    type_convert(in->data, info.type, in->big_endian, words, HN_UINT32,
                                 info.count) == HN_OK;
        match_drop_argument_check(&t->match, in);
        if (good)
            dispatch(t, &info, whole, words);
        free(words);
    }
}
