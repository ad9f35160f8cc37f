/* match_queue.h - the two queues of match.h, in order of time: posted receives without a message,
 * and unexpected messages without a receive.
 *
 * Each search begins at the head, so what came first is found first.  A queue that has become long
 * also has an index (match_index.h).  The engine's lock protects both queues.
 */
#pragma once

#include "match/match.h"

#include "base/type.h"

/* Whether all bytes have arrived. */
static inline bool match_is_whole(const struct inbound *in)
{
    return in->got == in->total;
}

/* The matching rule: the context must be equal, sender and tag may be wildcards. */
static inline bool match_wants(hn_tid from, int tag, hn_context context, const struct inbound *in)
{
    return context == in->context && (from == HN_ANY || from == in->info.from) &&
           (tag == HN_ANY || tag == in->info.tag);
}

/* HN_OK if the receive can accept the message. */
static inline int match_fits(const struct hn_request *r, const struct inbound *in)
{
    if (r->cuts)
        return HN_OK;
    if (in->info.count > 0 && !type_compatible(in->info.type, r->type))
        return HN_ETYPE;
    return in->info.count > r->count ? HN_ETRUNC : HN_OK;
}

/* Removes a receive from the queue of posted ones, if it is there. */
void match_unpost(struct hn_request *r);
/* Removes a message from its queue, if it is in one. */
void match_dequeue(struct inbound *in);
/* Adds a receive to the posted queue; first: before all others. */
void match_enqueue_receive(struct match *m, struct hn_request *r, bool first);
/* Adds a message to the unexpected queue; first: before all others. */
void match_enqueue_message(struct match *m, struct inbound *in, bool first);
/* Removes the first posted receive that matches `in` from the queue.  Receives whose first match
 * does not fit fail here, and the message waits for another one.  The receive that is returned is
 * on no list, and belongs to the message from then on.  NULL: there is none. */
struct hn_request *match_take_posted(struct match *m, struct inbound *in);
/* Finds the first match; `whole`: the first complete one.  That keeps the order, because the
 * messages of one sender arrive one after the other. */
struct inbound *match_first_unexpected(struct match *m, hn_tid from, int tag, hn_context context,
                                       bool whole);
