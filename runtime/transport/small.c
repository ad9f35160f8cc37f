/* small.c - sends, receives and reclaims messages in the slot queue (rules: small.h). */
#include "transport/small.h"

#include "base/error.h"
#include "base/type.h"

#include <string.h>

/* The stamp is written last (slot_queue_publish()), so the reader never sees a slot that is half
 * filled. */
bool small_send(struct link *l, struct slot_queue *out, const hn_info *info, hn_context context,
                const void *data, size_t bytes)
{
    struct queue_slot *slot;

    /* A piece in the link is older than this message.  While it is unacknowledged, the reader might
     * find both and cannot know which is first. */
    if (link_has_pieces(l) || !(slot = slot_queue_room(out, bytes)))
        return false;
    slot->context = context;
    slot->tag = info->tag;
    slot->type = (uint16_t)info->type;
    slot->length = (uint16_t)bytes;
    if (bytes > 0)
        memcpy(slot->data, data, bytes);
    slot_queue_publish(out, slot, link_sent_beside(l, bytes));
    return true;
}

/* The other side may be hostile and write meanwhile, so each field is read once. */
static int take_one(struct link *l, const struct queue_slot *slot)
{
    struct frame f = {.kind = FRAME_MSG,
                      .flags = type_machine_is_big_endian() ? FRAME_BIG_ENDIAN : 0,
                      .type = slot->type,
                      .context = slot->context,
                      .tag = slot->tag,
                      .length = slot->length};

    if (f.length > SLOT_ROOM)
        return error_set(HN_EPROTO, "a small message of %u bytes", f.length);
    f.total = f.length;
    return link_receive_beside(l, &f, slot->data);
}

/* The stamp of the next slot must equal the link's position.  So slots and ring bytes merge into
 * one stream, without a mark that says which comes next. */
int small_receive(struct link *l, struct slot_queue *in)
{
    uint64_t before = l->received, finished = l->match->finished;
    const struct queue_slot *slot;

    /* Bounded, so that other peers are served and slots are given back in time. */
    while (l->received - before < LINK_SMALL && (slot = slot_queue_next(in, l->received))) {
        slot_queue_prefetch(in);
        int result = take_one(l, slot);
        if (result != HN_OK)
            return result;
        slot_queue_skip(in);
        /* The program's next receive may take the next message without a copy, if it is posted
         * first. */
        if (l->match->finished != finished && list_empty(&l->match->posted))
            break;
    }
    return HN_OK;
}

/* The other side can write to the slots, too. If it has destroyed a message, the stream has a gap
 * that no connection can close (l->lost). */
void small_reclaim(struct link *l, const struct slot_queue *out)
{
    uint64_t end, position = link_beside(l, &end);
    const struct queue_slot *slot;

    /* Each slot is queued as an ordinary piece at its old stream position.  The next connection
     * sends it, or its acknowledgement removes it. */
    while (position < end && (slot = slot_queue_find(out, position))) {
        size_t bytes = slot->length;
        hn_info info = {.tag = slot->tag, .type = slot->type};

        /* The fields were ours, but the other side may have overwritten them since. */
        if (bytes > SLOT_ROOM || type_size(info.type) == 0)
            break;
        info.count = type_count(info.type, bytes);
        if (info.count * type_size(info.type) != bytes ||
            link_requeue(l, position, &info, slot->context, slot->data) != HN_OK)
            break;
        position += FRAME_SIZE + bytes;
    }
    l->lost = position != end;
}
