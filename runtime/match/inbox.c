/* inbox.c - bounds the memory of unexpected messages.  While the inbox is full, nothing is read,
 * and flow control stops the senders (peer.h). */
#include "job/orphans.h"
#include "job/task.h"

/* Whether the inbox is full of unexpected messages.  A waiting receive or probe may need a message
 * behind them.  So the inbox may then hold twice its limit, before that receive fails.  If handlers
 * are about to take messages away, the inbox is full and waits for them, unless the handler itself
 * waits for a message. */
bool peer_inbox_is_full(struct task *t)
{
    if (!peer_inbox_exceeds(t, 1))
        return false;
    orphans_make_room(t, false);
    if (!peer_inbox_exceeds(t, 1))
        return false;
    if (t->handlers.handling ? t->handlers.asked == t->handlers.asked_before : t->match.ready > 0)
        return true;
    if (list_empty(&t->match.posted) && t->limits.probing == 0)
        return true;
    if (peer_inbox_exceeds(t, 2))
        orphans_make_room(t, true);
    if (!peer_inbox_exceeds(t, 2))
        return false;
    match_fail_all(&t->match, HN_ENOMEM);
    return true;
}

bool peer_inbox_exceeds(const struct task *t, int limits)
{
    return t->match.incoming / (size_t)limits > t->limits.inbox_limit;
}
