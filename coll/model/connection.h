/* connection.h - the route between two ranks, and what a message costs on it.
 *
 * Each pair of ranks that occurs in a plan is looked up once. The cost of a message is computed
 * again only if its size differs from that of the last message; segments of one size share it.
 */
#pragma once

#include "model/model.h"
#include "model/numbering.h"

/* Part of a connection that a multicast occupies. A multicast leaves its sender once; then it
 * passes the port of each receiver's host separately. */
enum part { PART_ALL, PART_BEFORE_PORT, PART_PORT };

struct connection {
    int from, to;
    int hops, use_count;
    int port; /* index in route[] of the receiver's switch port; -1: none */
    enum part part;
    hn_channel route[HN_WAY_MOST];
    hn_machine_use use[2];
    hn_per_byte alone; /* time of a byte when nothing else is on the route */
    hn_time message;   /* fixed time of each message on the bus or port that asks for one, */
    int64_t overhead;  /* the same in bytes, */
    int64_t around;    /* and the share of it that is packet headers on a bus */
    /* Results of connection_weigh() for the last message: */
    int64_t bytes;    /* -1: no message yet */
    int64_t load;     /* bytes on the channels, with overhead */
    struct cost cost; /* S, X and R */
    hn_time busy;     /* time that it occupies the connection when alone, */
    hn_time less;     /* less this if it carries an acknowledgement, */
    hn_time latency;  /* and the time from its last byte until its arrival */
};

/* All connections that have been looked up; initialized to zeros. */
struct connections {
    const struct model *model;
    struct numbering numbers;
    struct connection *all; /* [number] */
    int32_t room;
};

/* Returns the number of a connection, and creates it if it is new: numbers count from 0. -1: out of
 * memory. A new connection may move the array, which invalidates pointers into it. */
int32_t connection_of(struct connections *connections, int from, int to);
/* The same for a part of a connection. A port part belongs to the receiver's host and is the same
 * for all senders. If the receiver has no switch port, its port part has no route, and the part
 * before the port is the whole route. */
int32_t connection_part(struct connections *connections, int from, int to, enum part part);
/* The number of a pair's connection; -1: it has not been looked up. */
int32_t connection_known(const struct connections *connections, int from, int to);
/* Computes the cost of a message of so many bytes. */
void connection_weigh(const struct connections *connections, struct connection *c, int64_t bytes);
/* The route in the form of fair_join(): the time of each channel for a byte of the load that
 * connection_weigh() computed last. May use `room` for the result. */
const hn_channel *connection_channels(const struct connection *c, hn_channel room[HN_WAY_MOST]);
void connections_free(struct connections *connections);
