/* connection.h - what the way from one rank to another is made of, and what a message takes of it.
 *
 * Looked up once for each pair of ranks that meets in a plan; what a message takes is reckoned
 * again only when it is as long as another one than the last, which segments of one size are not.
 */
#pragma once

#include "model/model.h"
#include "model/numbering.h"

/* The part of a connection that a multicast occupies: it leaves its sender once, and then passes
 * the port of each receiver's host by itself. */
enum part { PART_ALL, PART_BEFORE_PORT, PART_PORT };

struct connection {
    int from, to;
    int route_length, use_count;
    int port; /* which channel on the way is its receiver's port of a switch; -1: none */
    enum part part;
    hn_channel route[HN_WAY_MOST];
    hn_machine_use use[2];
    hn_per_byte alone; /* what a byte takes when nothing else is under way */
    hn_time message;   /* of a bus or port on the way: what each message takes besides its bytes, */
    int64_t overhead;  /* in bytes; */
    int64_t around;    /* of these, what is around a packet on a bus, as much as one without data */
    /* Of the message that was weighed last: */
    int64_t bytes;    /* -1: none has been */
    int64_t load;     /* bytes that pass the channels for it */
    struct cost cost; /* S, X and R */
    hn_time busy;     /* how long it keeps the connection busy when it is alone, */
    hn_time less;     /* less this when it carries an acknowledgement, */
    hn_time latency;  /* and how much later it is there */
};

/* All that have been asked for; zeros at first. */
struct connections {
    const struct model *model;
    struct numbering numbers;
    struct connection *all; /* in the order in which they were asked for first */
    int32_t room;
};

/* The number of a connection, one more than the last when it is new; -1: out of memory. Pointers to
 * others hold until then. */
int32_t connection_of(struct connections *connections, int from, int to);
/* Likewise of a part of it, of which nothing but that is shared. The port is that of the receiver's
 * host, whoever sends, and takes what it is busy with and no more; where it is no port of a switch,
 * that part has no way, and what is before it is all. */
int32_t connection_part(struct connections *connections, int from, int to, enum part part);
/* That of a pair, if it has been asked for; -1: it has not. */
int32_t connection_known(const struct connections *connections, int from, int to);
/* Fills in what a message of so many bytes takes. */
void connection_weigh(const struct connections *connections, struct connection *c, int64_t bytes);
/* Its way for fair_join(): what each channel takes of its time for a byte of the load that was
 * weighed last. May be put into room. */
const hn_channel *connection_channels(const struct connection *c, hn_channel room[HN_WAY_MOST]);
void connections_free(struct connections *connections);
