/* turn.c - serves the tasks on this host in each iteration of the loop (shared.h). */
#include "job/task.h"

/* Reads and writes; while the inbox is full, only writes.  True: bytes were moved. */
static bool turn_peer(struct peer *p)
{
    uint64_t before = p->link.received + p->link.written + p->link.acked;

    if (peer_inbox_is_full(p->task, p)) {
        p->task->peers.paused = true; /* peer_resume() makes the loop iterate again */
        peer_write(p);
    } else {
        peer_read(p);
    }
    return before != p->link.received + p->link.written + p->link.acked || p->state != PEER_OPEN;
}

/* peer_read() may end a connection and remove it from the list, so the traversal is a safe one.
 * Cost: O(awake connections) for each iteration. */
bool peer_turn(struct task *t, bool before_sleep)
{
    bool moved = false, waiting = !list_empty(&t->match.posted);

    list_for_each_safe (n, &t->peers.memory.awake)
        moved |= turn_peer(list_entry(n, struct shared, node)->peer);
    if (waiting && list_empty(&t->match.posted))
        return true; /* the full inbox has failed the receives */
    return moved || (before_sleep && !list_empty(&t->peers.memory.awake) && !shared_go_to_sleep(t));
}
