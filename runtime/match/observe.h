/* observe.h - what the traffic with another task says about the way to it, without any traffic of
 * its own: the kernel's notes on the TCP connection, read when somebody asks.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>

struct observation {
    int64_t rate;    /* bytes a second that the way carried when there was enough to carry; 0:
                        there never was */
    int64_t idle_ms; /* since something was sent last */
};

/* Of the connection to a task.  HN_ELINK: there is none now, or it is not a TCP connection. */
int observe_route(hn_tid to, struct observation *observation);

struct peer;
/* Before a message that may be cut into frames: says how long these may be on this connection, by
 * what it has carried lately.  Inside engine_enter(). */
void observe_pace(struct peer *p);

/* State of a connection's unacknowledged packets, in all of its sockets. */
struct flight {
    bool any;           /* packets are not acknowledged */
    bool all;           /* and no bytes wait to be sent */
    uint32_t silent_ms; /* since the last one was sent */
    uint32_t round_trip_us;
    uint32_t lost;       /* packets so far that were sent again, but for those that had arrived */
    uint64_t confirmed;  /* bytes so far */
    uint64_t bytes;      /* sent and not acknowledged */
    uint32_t timeouts;   /* since the last acknowledgement */
    uint64_t limited_us; /* for so long so far the receiver's window was closed */
    uint32_t segment;    /* the most bytes of the stream that a packet takes, */
    uint32_t mtu;        /* which is so long then */
};

/* False: it is no open connection, or none of TCP.  Inside engine_enter(). */
bool observe_flight(const struct peer *p, struct flight *f);
