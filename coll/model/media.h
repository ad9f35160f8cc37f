/* media.h - messages on their way through a network with shared media: our own port model.
 *
 * It goes beyond the papers in this: messages between two ranks travel one at a time, since they
 * share a connection. What the network file calls a channel (a host's port, the wire of a bus, an
 * uplink, a shared link) is shared fairly by the hosts on it. A host sends through one channel in
 * FIFO order, long messages a window at a time.
 *
 * Rates are max-min fair (fair.h). On a bus, a station that only sends has twice the share of one
 * that also receives (stations.h).
 *
 * Turns. What a host sends through one interface leaves it in FIFO order: a short message is in the
 * network completely before the first byte of the next one. Only messages longer than a
 * connection's window take turns, a window each. So among a host's connections that would fill the
 * same channel (the first one on the route of which each wants more than half) one moves at a time.
 * Another one may begin when much of the channel is unused because the first is held up elsewhere.
 * On a bus it also begins when the first is held up at a channel that the other one does not use
 * (gates.h). Measured with one sender and three receivers on shared and switched wires and across a
 * wide-area link: 16 kB arrive after 1/3, 2/3 and all of the total time, 64 kB after 0.5 to 0.75,
 * 0.95 and all of it, 256 kB nearly together.
 *
 * Queues. A message from a slower route waits at a switch port behind what near hosts have queued
 * there (queue.h).
 *
 * Buses. A short message also takes the time of its headers and of its acknowledgement, unless a
 * message in the other direction carries the acknowledgement soon enough (connection.h).
 *
 * A window is the bandwidth-delay product of the route, and at least TCP's initial window.
 *
 * Machines. Hosts on one machine share its processors and whatever else carries their bytes. The
 * messages of a machine pass it one after the other, each in the time that a message takes when as
 * many as possible are in progress; less if its receiver is still awake. Their bytes share the
 * machine as a channel.
 */
#pragma once

#include "model/connection.h"
#include "model/span.h"

struct media;

/* Has room for `messages` messages, whose ids the caller assigns. NULL: out of memory. */
struct media *media_new(const struct model *model, int32_t messages);
void media_free(struct media *media);

/* All connections looked up so far; some may not have carried a message. */
struct connections *media_connections(struct media *media);

/* Limits media_work(), the work of computing rates. To be called before the first message; the
 * default is INT64_MAX. */
void media_spend(struct media *media, int64_t work);
/* moves[id] receives the times at which the first byte of message `id` begins to move and the last
 * byte has passed. Not for the port parts of media_multicast_to(). NULL: not recorded. */
void media_record(struct media *media, struct span *moves);
/* Whether the limit of media_spend() is exceeded. media_next() then finds no more arrivals. */
bool media_late(const struct media *media);

/* Message `id` leaves its sender at `time`, which must not be before the last arrival returned by
 * media_next(). It has `others` further receivers. Then it passes every channel once, but the
 * switch ports of the receivers separately (media_multicast_to()). On a machine each receiver costs
 * its own part (subnet_multicast.h). false: out of memory. */
bool media_multicast(struct media *media, int32_t id, int from, int to, int others, int64_t bytes,
                     hn_time time);
/* Adds a receiver of the last multicast, the first one or one of the others, each on a host of its
 * own. To be called before the next media_next(). The multicast occupies the port of that host from
 * the time at which it leaves its sender. There it shares the port with other messages, in order
 * after earlier multicasts. It has an arrival of its own, `id`, without the latency of the route;
 * the arrival of media_multicast() is then the time at which it has left the sender. false: the
 * host has no switch port and nothing happens, or out of memory. */
bool media_multicast_to(struct media *media, int32_t id, int from, int to);

/* Removes the next arrival and returns its message and time. false: no message is on its way, or an
 * error (media_failed(): out of memory). */
bool media_next(struct media *media, int32_t *id, hn_time *time);
bool media_failed(const struct media *media);
/* Number of rates computed: more than one a message if many share a route. */
int64_t media_work(const struct media *media);
