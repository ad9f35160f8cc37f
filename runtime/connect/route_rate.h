/* route_rate.h - whether another route, or more sockets, may carry more than a connection does.
 *
 * While more is to be sent than the network takes, the rate of a connection is measured twice a
 * second (mtu.h). Nothing is known of a connection whose receiver is slow (its window is closed),
 * nor of one that carries small messages only. No I/O.
 *
 * Routes. Two hosts may share several networks (address_order.h), and the one in use may become
 * slow or lossy without dying.  If the rate stays below an eighth of the best one for three
 * seconds, the connection is closed and dialled by another interface; the link resumes there.  An
 * eighth, since what other traffic takes is no reason.  Which of two routes is faster, the kernel
 * may not know, and the shorter round trip does not say. So a connection that has had more to send
 * than the network takes for five seconds leaves its route once.
 *
 * Each is unproven at first: if the other route carries less than the first one did at the end, the
 * connection returns after a second. From then on each must carry less than the other one did to be
 * left, so routes that are equally bad do not take turns.
 *
 * Sockets (parallel.h): one, as a rule. But on a long path that loses packets, TCP carries much
 * less than the line does. So if the round trip is at least ROUTE_RATE_LONG and packets have been
 * lost, the rate of two seconds counts. Then the connection is made anew, to have ROUTE_RATE_FEW
 * sockets. They are doubled, up to PARALLEL_MOST, if that has made the rate grow by an eighth the
 * last time, or if it falls by an eighth below what it was. A message that is sent within three
 * seconds therefore never gets a second connection.
 */
#pragma once

#include "match/observe.h"

/* Microseconds: of shorter round trips, TCP recovers fast. At 10 ms and 0.1 %, CUBIC carries
 * 75 Mb/s. */
enum { ROUTE_RATE_LONG = 10000, ROUTE_RATE_FEW = 4 };

struct route_rate {
    uint64_t at, confirmed, limited; /* of the last look (ns, bytes, us) */
    uint64_t rate, best;             /* bytes a second, between two looks */
    unsigned slow, busy;             /* looks in a row, below that rate and at any */
    bool compared;                   /* a route was left before */
    bool unproven;                   /* has left a route, and is not known to be better there */
    struct {
        unsigned wanted;          /* in all; 0: one, and no second was wanted yet */
        bool added;               /* some, since the last measurement */
        unsigned looks;           /* that count, in a row */
        uint64_t sum;             /* of the rates of those that are measured */
        uint64_t mean, half, top; /* of the last ones, with half as many sockets, at any time */
    } sockets;
};

/* What may carry more; bits. */
enum { ROUTE_RATE_LEAVE = 1, ROUTE_RATE_WIDEN = 2 };

/* A look at the connection, twice a second; known: the last one was at the same. */
unsigned route_rate_look(struct route_rate *t, uint64_t now, const struct flight *f, bool known);
/* Its route is left. */
void route_rate_leave(struct route_rate *t);
/* It gets more sockets: sockets.wanted in all. */
void route_rate_widen(struct route_rate *t);
