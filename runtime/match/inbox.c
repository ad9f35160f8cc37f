/* inbox.c - messages that nobody has asked for have a bounded room: while it is full nothing is
 * read, and their senders feel it (peer.h). */
#include "job/orphans.h"
#include "job/task.h"

/* Whether the inbox is full of messages that nobody has asked for.  A receive or probe that waits
 * may be waiting for what comes behind them, so it may have as much again; then it fails.  While
 * handlers take messages away, it waits for them: unless a handler itself waits for a message. */
bool peer_inbox_is_full(struct task *t)
{
    if (t->match.incoming <= t->limits.inbox_limit)
        return false;
    orphans_make_room(t, false);
    if (t->match.incoming <= t->limits.inbox_limit)
        return false;
    if (t->handlers.handling ? t->handlers.asked == t->handlers.asked_before : t->match.ready > 0)
        return true;
    if (list_empty(&t->match.posted) && t->limits.probing == 0)
        return true;
    if (t->match.incoming / 2 > t->limits.inbox_limit)
        orphans_make_room(t, true);
    if (t->match.incoming / 2 <= t->limits.inbox_limit)
        return false;
    match_fail_all(&t->match, HN_ENOMEM);
    return true;
}

bool peer_inbox_is_crowded(const struct task *t)
{
    return t->match.incoming > t->limits.inbox_limit;
}
