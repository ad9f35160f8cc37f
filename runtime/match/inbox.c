/* inbox.c - bounds the memory of unexpected messages.  While the inbox is full, a connection is
 * read only if the task waits for something from it, and flow control stops the other senders
 * (peer.h).
 *
 * The limit is soft.  It may be exceeded by what arrives while a receive, a probe or a send waits
 * for something behind it, up to twice.  What a receive has claimed does not count.
 */
#include "job/orphans.h"
#include "job/task.h"

/* Whether one of these receives or probes accepts messages from p; NULL: from any task. */
static bool accepts(const struct list_node *list, const struct peer *p)
{
    list_for_each (n, list) {
        const struct hn_request *r = list_entry(n, struct hn_request, node);
        if (!p || r->from == HN_ANY || r->from == p->link.peer)
            return true;
    }
    return false;
}

/* Whether p's stream is inside a message that a receive has matched. */
static bool is_inside_matched(const struct peer *p)
{
    return p->link.in.inbound && p->link.in.inbound->claim;
}

/* Whether a send waits for an acknowledgement, which may be behind unexpected messages. */
static bool owes_acks(const struct peer *p)
{
    return p->task->peers.acks_wanted > 0 && !link_all_acknowledged(&p->link);
}

/* Whether there are more messages than the limit; then also notes how many there were at first. */
static bool is_above_limit(struct task *t)
{
    if (!peer_inbox_exceeds(t, 1))
        t->limits.inbox_filled = 0;
    else if (t->limits.inbox_filled == 0)
        t->limits.inbox_filled = t->match.incoming;
    return t->limits.inbox_filled > 0;
}

/* From the cheapest check to the most expensive one.  Before it refuses anything, messages that no
 * receive can ever match are dropped (orphans.h). */
bool peer_inbox_is_full(struct task *t, const struct peer *p)
{
    if (!is_above_limit(t) || (p && is_inside_matched(p)))
        return false;
    orphans_make_room(t, false);
    if (!is_above_limit(t))
        return false;
    if (t->handlers.handling ? t->handlers.asked == t->handlers.asked_before : t->match.ready > 0)
        return true;
    /* A receive, a probe or a send waits for something of this sender: it is read up to twice the
     * limit. */
    bool wanted = accepts(&t->match.posted, p);
    if (!wanted && !accepts(&t->match.probing, p) && !(p && owes_acks(p)))
        return true;
    /* Orphans may fill the inbox in front of what is waited for. */
    if (peer_inbox_exceeds(t, 2))
        orphans_make_room(t, true);
    if (!peer_inbox_exceeds(t, 2))
        return false;
    /* The receive that waits cannot be served: its message is behind more messages than there is
     * memory for. */
    if (wanted)
        match_fail_all(&t->match, HN_ENOMEM);
    return true;
}

/* limits 2: by the limit beyond what there was when it was first exceeded. */
bool peer_inbox_exceeds(const struct task *t, int limits)
{
    size_t first = limits > 1 ? t->limits.inbox_filled : 0;

    return t->match.incoming > first && t->match.incoming - first > t->limits.inbox_limit;
}
