/* subset_close.c - closes the subset that was used least recently, by votes (subset.h).
 *
 * The root proposes to close a subset after call number `last`.  Each member that knows it votes
 * yes if it has begun no later call and is in none.  With all votes the root ends the subset; a
 * single no, or a new call, keeps it.
 */
#include "job/subset_parts.h"

#include "job/task.h"

/* All members may free it as soon as they have made `last` calls. */
static void end_subset(struct task *t, struct subset *s)
{
    s->closing = false;
    s->over = s->replaced = true;
    for (int i = 1; i < s->size; i++)
        if (s->informed[i])
            subset_send(t, s->tids[i], SUBSET_END, s, s->last, 0);
    subset_free_if_done(t, s);
}

/* Whether a member can vote: it has not ended. */
static bool is_there(struct task *t, hn_tid tid)
{
    const struct peer *p = peer_get(t, tid);
    return p && !p->failed;
}

/* Votes are counted before the messages are sent, because a failing peer may be noticed while
 * sending.  Members that do not know the subset need not vote. */
void subset_close(struct task *t, struct subset *s)
{
    s->closing = true;
    s->round++;
    s->votes = 0;
    s->last = s->begun;
    for (int i = 1; i < s->size; i++)
        s->votes += s->informed[i] && is_there(t, s->tids[i]);
    for (int i = 1; i < s->size; i++)
        if (s->informed[i])
            subset_send(t, s->tids[i], SUBSET_CLOSE, s, s->round, s->last);
    if (s->votes == 0)
        end_subset(t, s);
}

/* Votes that are still on the way are ignored, because `closing` is false. */
void subset_keep(struct task *t, struct subset *s)
{
    s->closing = false;
    subset_touch(t, s);
}

static bool is_leaving(const struct subset *s)
{
    return s->closing || s->requested;
}

/* A member cannot close a subset by itself: it asks the root, once. */
static void give_up(struct task *t, struct subset *s)
{
    if (subset_is_root(t, s)) {
        subset_close(t, s);
        return;
    }
    s->requested = true;
    subset_send(t, s->tids[0], SUBSET_REQUEST, s, 0, 0);
}

/* Begins with the least recently used one.  Subsets that are about to close count as closed.  Those
 * in use are skipped. */
void subset_make_room(struct task *t, const struct subset *made)
{
    int excess = t->subsets.count - SUBSETS_KEPT;
    list_for_each_safe (n, &t->subsets.used) {
        struct subset *s = list_entry(n, struct subset, used);
        if (excess <= 0)
            return;
        if (s == made || (s->users > 0 && !is_leaving(s)))
            continue;
        if (!is_leaving(s))
            give_up(t, s);
        excess--;
    }
    list_for_each (n, &t->subsets.used)
        list_entry(n, struct subset, used)->requested = false;
}

/* ---- incoming messages ---------------------------------------------------------------------- */

/* A vote of yes is a promise: this member begins no call beyond `last` without asking the root. */
void subset_receive_close(struct task *t, hn_tid root, struct subset *s, const uint32_t *words)
{
    bool yes = s->users == 0 && s->begun <= words[LAST];
    if (yes) {
        s->limited = true;
        s->last = words[LAST];
    }
    subset_send(t, root, SUBSET_VOTE, s, words[ROUND], yes);
}

/* A vote of an earlier round is outdated, and ignored. */
void subset_receive_vote(struct task *t, struct subset *s, const uint32_t *words)
{
    if (!s->closing || words[ROUND] != s->round)
        return;
    if (!words[YES])
        subset_keep(t, s);
    else if (--s->votes == 0)
        end_subset(t, s);
}

void subset_receive_end(struct task *t, struct subset *s, unsigned last)
{
    s->over = s->limited = true;
    s->last = last;
    subset_free_if_done(t, s);
}

/* If the subset is in use, the root closes it when its call ends. */
void subset_receive_request(struct task *t, struct subset *s)
{
    s->wanted = true;
    if (s->users == 0 && !s->closing && !s->over)
        subset_close(t, s);
}
