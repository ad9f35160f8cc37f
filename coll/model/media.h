/* media.h - messages on their way through a network whose media are shared: our own port model.
 *
 * Beyond the papers: between two ranks one message travels at a time (it is one connection); what
 * the network file calls a channel (a host's port, the wire of a bus, an uplink, a shared link)
 * carries one transfer's worth of bytes, fairly shared among the hosts that are on it; and what one
 * host sends through one channel goes in the order in which it was sent, long messages a window at
 * a time.
 *
 * Rates. All together are the max-min fair ones: as large as possible for the slowest message, then
 * for the next, ..., where no channel carries more than its capacity and no message moves faster
 * than it would alone. On a bus, who only sends has twice the share of others (stations.h).
 *
 * Turns. What a host sends through one interface leaves it in the order in which it was sent: a
 * short message is in the network completely before the next one's first byte. Only where messages
 * are longer than what a connection may have under way (its window) do they take turns, a window
 * each. So of the connections of a host that would fill the same channel (the first one on the way
 * of which each wants more than half), one moves at a time; another one may begin when much of the
 * channel stays unused, because the first is held up elsewhere, or on a bus, when the first is held
 * up where the other one does not pass (gates.h). Measured with one sender and three
 * receivers on shared and switched wires and across a wide-area link: 16 kB arrive after 1/3, 2/3
 * and all of the time that the last one takes, 64 kB after 0.5 to 0.75, 0.95 and all, 256 kB
 * nearly together.
 *
 * Queues. What comes over a slower way to a port that near hosts fill waits behind what they have
 * put in there (queue.h).
 *
 * Buses. Around a short message there are its headers, and behind it comes its acknowledgement,
 * unless something goes back soon enough that carries it (connection.h).
 *
 * A window is what the way holds, there and back, and at least what TCP sends at once.
 *
 * Machines. Hosts that are on one machine share its processors, and whatever else carries their
 * bytes. Its messages pass one after the other, each in the time that one takes of the machine when
 * as many as possible are under way, less when its receiver is awake for the one before it; their
 * bytes share it as a channel.
 */
#pragma once

#include "model/connection.h"
#include "model/span.h"

struct media;

/* Room for `messages` messages, numbered by the caller. NULL: out of memory. */
struct media *media_new(const struct model *model, int32_t messages);
void media_free(struct media *media);

/* The connections between ranks, of which there may be more than have carried something. */
struct connections *media_connections(struct media *media);

/* To be told before the first message how much work finding rates (media_work()) may be: INT64_MAX,
 * unless told. */
void media_spend(struct media *media, int64_t work);
/* moves[id] gets the time at which the bytes of message `id` begin to move, and the time at which
 * all of them have passed; not for parts at the receivers' ports (media_multicast_to()). NULL: nobody asks.
 */
void media_record(struct media *media, struct span *moves);
/* It is more work than that. media_next() says so by finding no more arrivals. */
bool media_late(const struct media *media);

/* Message `id` leaves its sender's hands at `time`, which is not before the last arrival that was
 * taken. `others` receive it, too: it passes every channel once, but for ports of switches, one
 * for each receiver (media_multicast_to()), and on a machine each of them takes its own part (subnet_multicast.h).
 * false: out of memory. */
bool media_multicast(struct media *media, int32_t id, int from, int to, int others, int64_t bytes,
                     hn_time time);
/* A receiver of the multicast that was told last, the first or one of the others, each on a host of
 * its own; before the next arrival is taken. What a multicast takes of the port of that host begins
 * to move when it leaves its sender, shares the port with what else comes there, is behind
 * multicasts before it, and has an arrival of its own: `id`, without the latency of the way. That
 * of media_multicast() is then when it has left its sender. false: the host has no port of a switch, and
 * nothing of this happens, or out of memory. */
bool media_multicast_to(struct media *media, int32_t id, int from, int to);

/* Takes the next arrival: its message and time. false: nothing is on its way, or (see media_failed)
 * out of memory. */
bool media_next(struct media *media, int32_t *id, hn_time *time);
bool media_failed(const struct media *media);
/* How often the rate of a message was found: more than once a message where many share a way. */
int64_t media_work(const struct media *media);
