/* media.h - messages on their way through a network whose media are shared: our own port model.
 *
 * Beyond the papers: between two ranks one message travels at a time (it is one connection); what
 * the network file calls a channel (a host's port, the wire of a bus, an uplink, a shared link)
 * carries one transfer's worth of bytes, fairly shared among the hosts that are on it; and what one
 * host sends through one channel goes in the order in which it was sent, long messages a window at
 * a time.
 */
#ifndef HNOW_COLL_MEDIA_H
#define HNOW_COLL_MEDIA_H

#include "connection.h"

struct media;

/* Room for `messages` messages, numbered by the caller. NULL: out of memory. */
struct media *media_new(const struct model *model, int32_t messages);
void media_free(struct media *media);

/* The connections between ranks, of which there may be more than have carried something. */
struct connections *media_connections(struct media *media);

/* To be told before the first message when the last arrival will be of no use (media_late()): when
 * something takes until after `limit`. left[channel]: how long all messages to come take of it,
 * which becomes what those take that do not move yet; behind[channel]: what follows at least when
 * the last of them has passed. Both must last as long as the media. */
void media_expect(struct media *media, hn_time limit, hn_time *left, const hn_time *behind);
/* The same when finding rates (media_work()) becomes more work than that: INT64_MAX, unless told.
 */
void media_spend(struct media *media, int64_t work);
/* It will be later, or more work, than that. media_next() says so by finding no more arrivals. */
bool media_late(const struct media *media);

/* Message `id` leaves its sender's hands at `time`, which is not before the last arrival that was
 * taken. `others` receive it, too: it passes every channel once, but on a machine each of them
 * takes its own part (cast.h). false: out of memory. */
bool media_cast(struct media *media, int32_t id, int from, int to, int others, int64_t bytes,
                hn_time time);
static inline bool media_send(struct media *media, int32_t id, int from, int to, int64_t bytes,
                              hn_time time)
{
    return media_cast(media, id, from, to, 0, bytes, time);
}

/* Takes the next arrival: its message and time. false: nothing is on its way, or (see media_failed)
 * out of memory. */
bool media_next(struct media *media, int32_t *id, hn_time *time);
bool media_failed(const struct media *media);
/* How often the rate of a message was found: more than once a message where many share a way. */
int64_t media_work(const struct media *media);

#endif
