/* subset_send.c - sends messages about subsets (subset_parts.h).
 *
 * These messages are ordinary ones in contexts of the library, so they keep their order relative to
 * other messages from the same task.  They are copied, and no caller waits for them.
 */
#include "job/subset_parts.h"

#include "base/error.h"
#include "job/task.h"

#include <stdlib.h>
#include <string.h>

int subset_send_in(struct task *t, hn_tid to, hn_context context, int tag, const uint32_t *words,
                   size_t count)
{
    struct peer *p = peer_get(t, to);
    hn_info info = {.from = t->tid, .tag = tag, .type = HN_UINT32, .count = count};
    if (!p)
        return HN_ENOMEM;
    if (p->failed || t->quitting || t->subsets.left)
        return HN_OK; /* a task that waits for this message is notified of the end */
    int error = link_send_copy(&p->link, &info, context, words);
    if (!error)
        peer_flush(p);
    return error;
}

/* An error is ignored: the peer that could not be reached has ended, or memory is exhausted. */
void subset_send(struct task *t, hn_tid to, int kind, const struct subset *s, unsigned number,
                 unsigned last)
{
    uint32_t words[WORDS] = {s->context, number, last};
    subset_send_in(t, to, match_argument_checks(s->whole), kind, words, WORDS);
}

/* The tag is chosen by the asking task, so that several of its threads may ask at the same time. */
void subset_answer(struct task *t, hn_tid to, hn_context whole, uint32_t reply, uint32_t error,
                   hn_context context)
{
    const uint32_t words[ANSWER_WORDS] = {error, context};
    subset_send_in(t, to, subset_answers(whole), (int)reply, words, ANSWER_WORDS);
}

/* The list of members behind `before` words, which the caller sets.  The caller frees it; NULL: no
 * memory. */
uint32_t *subset_words(int before, const hn_tid *tids, int n)
{
    uint32_t *words = malloc(((size_t)before + (size_t)n) * sizeof *words);
    if (words)
        memcpy(words + before, tids, (size_t)n * sizeof *tids);
    return words;
}

/* Members that have asked know the context already.  After an error a later call continues with
 * those that are missing. */
int subset_notify_all(struct task *t, struct subset *s)
{
    uint32_t *words = subset_words(NOTICE_WORDS, s->tids, s->size);
    int error = words ? HN_OK : HN_ENOMEM;
    if (words)
        words[CONTEXT] = s->context;
    for (int i = 1; i < s->size && !error; i++) {
        if (s->informed[i])
            continue;
        error = subset_send_in(t, s->tids[i], match_argument_checks(s->whole), SUBSET_NOTIFY, words,
                               NOTICE_WORDS + (size_t)s->size);
        s->informed[i] = !error;
        s->uninformed -= !error;
    }
    free(words);
    return error ? error_set(error, "out of memory") : HN_OK;
}
