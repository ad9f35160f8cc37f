/* slow_route.h - when a connection that has become slow is made anew by another route.
 *
 * Two hosts may share several networks (address_order.h), and the one in use may become slow or
 * lossy without dying.  While more is to be sent than the network takes, the rate of a connection
 * is measured twice a second (mtu.h).  If it stays below an eighth of the best rate for three
 * seconds, it is closed and dialled by another interface; the link resumes there.  An eighth, since
 * what other traffic takes is no reason.
 *
 * Which of two routes is faster, the kernel may not know, and the shorter round trip does not say.
 * So a connection that has had more to send than the network takes for five seconds leaves its
 * route once.
 *
 * Each is a trial: if the other route carries less than the first one did at the end, the
 * connection returns after a second. From then on each must carry less than the other one did to be
 * left, so routes that are equally bad do not take turns.
 *
 * Nothing is known of a connection whose receiver is slow (its window is closed), nor of one that
 * carries small messages only. No I/O.
 */
#ifndef HNOW_SLOW_ROUTE_H
#define HNOW_SLOW_ROUTE_H

#include "match/observe.h"

struct slow_route {
    uint64_t at, confirmed, limited; /* of the last look (ns, bytes, us) */
    uint64_t rate, best;             /* bytes a second, in between */
    unsigned slow, busy;             /* looks in a row, below that rate and at any */
    bool compared;                   /* a route was left before */
    bool trial;                      /* has left a route, and is not known to be better there */
};

/* A look at the connection; known: the last one was at the same. Whether it should be left. */
bool slow_route_look(struct slow_route *s, uint64_t now, const struct flight *f, bool known);
/* It is left. */
void slow_route_leave(struct slow_route *s);

#endif
