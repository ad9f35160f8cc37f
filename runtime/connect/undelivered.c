/* undelivered.c - the rest of the stream of an ended task (undelivered.h). */
#include "connect/undelivered.h"

#include "connect/peer.h"

#include <stdlib.h>
#include <string.h>

/* A part of a stream, on the list of its peer, in the order of arrival. */
struct undelivered {
    struct list_node node; /* in peer.undelivered */
    uint64_t position;     /* position of the first byte in the stream */
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

/* Parts arrive in stream order.  A gap ends the stream: there was a message whose bytes the sender
 * itself had lent (hn_isend()), and they are gone. */
int undelivered_receive(struct peer *p)
{
    int result = HN_OK;

    while (result == HN_OK && !list_empty(&p->undelivered)) {
        struct undelivered *u = list_entry(p->undelivered.next, struct undelivered, node);
        uint64_t received = p->link.received;

        if (u->position > received)
            break;
        /* The connection may have brought a part of it, or all. */
        if (u->position + u->length > received)
            result = peer_receive_plain(p, u->bytes + (received - u->position),
                                        u->length - (size_t)(received - u->position));
        drop(u);
    }
    undelivered_drop(p);
    return result;
}

/* Copies the bytes, as the frame's buffer is reused.  They wait until the connection is gone,
 * because it may still deliver them itself. */
bool undelivered_keep(struct peer *p, struct unpack *in)
{
    uint64_t position = unpack_u64(in);
    size_t length;
    const uint8_t *bytes = unpack_blob(in, &length);
    struct undelivered *u = malloc(sizeof *u + length);

    if (!u)
        return false;
    u->position = position;
    u->length = length;
    if (length > 0)
        memcpy(u->bytes, bytes, length);
    list_append(&p->undelivered, &u->node);
    return true;
}
