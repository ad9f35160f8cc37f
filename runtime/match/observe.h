/* observe.h - what existing traffic shows about the route to another task.  It sends nothing: it
 * reads the kernel's TCP statistics on request. */
#pragma once

#include "hnow.h"

#include <stdbool.h>

struct observation {
    int64_t rate;    /* bytes a second while there was enough to send; 0: unknown */
    int64_t idle_ms; /* ms since the last transmission */
};

/* Observes the connection to a task.  HN_ELINK: there is none, or it is not TCP. */
int observe_route(hn_tid to, struct observation *observation);

struct peer;
/* Before a message of several frames: sets the frame size for this connection, according to its
 * recent rate.  Inside engine_enter(). */
void observe_pace(struct peer *p);

/* State of a connection's unacknowledged packets, in all of its sockets. */
struct flight {
    bool any;           /* packets are unacknowledged */
    bool all;           /* packets are unacknowledged, and no bytes wait to be sent */
    uint32_t silent_ms; /* since the last transmission */
    uint32_t round_trip_us;
    uint32_t lost;       /* packets retransmitted so far, except spurious retransmissions */
    uint64_t confirmed;  /* bytes acknowledged so far */
    uint64_t bytes;      /* bytes sent and not acknowledged */
    uint32_t timeouts;   /* retransmission timeouts since the last acknowledgement */
    uint64_t limited_us; /* time so far in which the receiver's window was closed */
    uint32_t segment;    /* maximum bytes of the stream in a packet, */
    uint32_t mtu;        /* and the packet size that this corresponds to */
};

/* False: the connection is not open, or not TCP.  Inside engine_enter(). */
bool observe_flight(const struct peer *p, struct flight *f);
