/* route_rate.h - decides whether another route or more sockets may be faster than a connection.
 *
 * While a connection has more to send than the network takes, its rate is measured twice a second
 * (mtu.h).  The measurement excludes connections whose receiver is slow (its window is closed), and
 * those with small messages only.  No I/O.
 *
 * Routes.  Two hosts may share several networks (address_order.h), and the one in use may become
 * slow or lossy without failing.  If the rate stays below an eighth of the best one for three
 * seconds, the connection is closed and dialled by another interface; the link resumes there.  The
 * threshold is as low as an eighth, because other traffic must not cause a change.  The kernel may
 * not know which of two routes is faster, and the shorter round trip does not show it.  So a
 * connection that has more to send than the network takes for five seconds changes its route once.
 *
 * A new route is unproven at first.  If it carries less than the first one did at the end, the
 * connection returns after a second.  From then on a route is left only if it carries less than the
 * other one did.  So two equally bad routes do not alternate.
 *
 * Sockets (parallel.h).  A connection has one socket, as a rule.  But on a long path that loses
 * packets, TCP carries much less than the line.  So if the round trip is at least ROUTE_RATE_LONG
 * and packets were lost, the rate of two seconds is measured.  Then the connection is made anew
 * with ROUTE_RATE_FEW sockets.  Their number doubles, up to PARALLEL_MOST, while that makes the
 * rate grow by an eighth, or when the rate falls by an eighth.  So a message that is sent within
 * three seconds never gets a second socket.
 */
#pragma once

#include "match/observe.h"

/* Microseconds and sockets.  On paths with a shorter round trip, TCP recovers fast: at 10 ms and
 * 0.1 % loss, CUBIC carries 75 Mb/s. */
enum { ROUTE_RATE_LONG = 10000, ROUTE_RATE_FEW = 4 };

/* Part of struct dial, so it survives the connections whose rates it compares.  Zeros are the
 * start. */
struct route_rate {
    uint64_t at, confirmed, limited; /* at the last check (ns, bytes, us) */
    uint64_t rate, best;             /* bytes a second, between two checks */
    unsigned slow, busy; /* checks in a row below the threshold, and with any measured rate */
    bool compared;       /* a route was left before */
    bool unproven;       /* on a new route that was not faster yet */
    struct {
        unsigned wanted; /* in all; 0: one, and more were never wanted */
        bool added;      /* some were added since the last measurement */
        unsigned looks;  /* consecutive checks that count */
        uint64_t sum;    /* of the measured rates */
        /* mean rates: the last one, with half as many sockets, and the highest */
        uint64_t mean, half, top;
    } sockets;
};

/* Bits: another route, more sockets. */
enum { ROUTE_RATE_LEAVE = 1, ROUTE_RATE_WIDEN = 2 };

/* Evaluates a connection, twice a second. known: the previous check was of the same connection.
 * Returns what may be faster, as bits. */
unsigned route_rate_look(struct route_rate *t, uint64_t now, const struct flight *f, bool known);
/* The connection leaves its route. */
void route_rate_leave(struct route_rate *t);
/* The connection gets more sockets: sockets.wanted in all. */
void route_rate_widen(struct route_rate *t);
