/* undelivered.c - the rest of the stream of a task that has ended (undelivered.h). */
#include "job/undelivered.h"

#include "connect/peer.h"
#include "job/task.h"

#include <stdlib.h>
#include <string.h>

struct undelivered {
    struct list_node node; /* in peer.undelivered */
    uint64_t place;        /* of the first byte in the stream */
    size_t length;
    uint8_t bytes[];
};

static void drop(struct undelivered *u)
{
    list_remove(&u->node);
    free(u);
}

void undelivered_drop(struct peer *p)
{
    list_for_each_safe (n, &p->undelivered)
        drop(list_entry(n, struct undelivered, node));
}

/* Parts come in the order of the stream.  Behind a gap nothing can be taken: there was a message
 * whose bytes the sender itself had lent (hn_isend()). */
int undelivered_take(struct peer *p)
{
    int result = HN_OK;

    while (result == HN_OK && !list_empty(&p->undelivered)) {
        struct undelivered *u = list_entry(p->undelivered.next, struct undelivered, node);
        uint64_t received = p->link.received;

        if (u->place > received)
            break;
        if (u->place + u->length > received)
            result = peer_take_plain(p, u->bytes + (received - u->place),
                                     u->length - (size_t)(received - u->place));
        drop(u);
    }
    undelivered_drop(p);
    return result;
}

void undelivered_came(struct task *t, struct unpack *in)
{
    struct undelivered *u;
    const uint8_t *bytes;
    struct peer *p;
    uint64_t place;
    size_t length;

    unpack_u32(in); /* it is for us */
    p = peer_get(t, (hn_tid)unpack_u32(in));
    place = unpack_u64(in);
    bytes = unpack_blob(in, &length);
    if (!p || p->failed || p->link.peer == t->tid || length == 0)
        return;
    u = malloc(sizeof *u + length);
    if (!u) {
        peer_fail(p, HN_ENOMEM);
        return;
    }
    tids_learn(&t->tids, p->link.peer);
    u->place = place;
    u->length = length;
    memcpy(u->bytes, bytes, length);
    list_append(&p->undelivered, &u->node);
    if (!peer_is_heard(p))
        peer_take_undelivered(p);
}
