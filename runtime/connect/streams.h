/* streams.h - how many TCP connections carry the bytes to another task (parallel.h).
 *
 * One, as a rule. But on a long path that loses packets, TCP carries much less than the line does.
 * So while more is to be sent than the network takes, the round trip is at least STREAMS_LONG, and
 * packets have been lost, the rate is measured for two seconds. Then the connection is made anew,
 * to have STREAMS_FEW sockets. They are doubled, up to PARALLEL_MOST, if that has made the rate
 * grow by an eighth the last time, or if it falls by an eighth below what it was. A message that is
 * sent within three seconds therefore never gets a second connection.
 *
 * No I/O.
 */
#ifndef HNOW_STREAMS_H
#define HNOW_STREAMS_H

#include "match/observe.h"

/* Microseconds: of shorter round trips, TCP recovers fast. At 10 ms and 0.1 %, CUBIC carries
 * 75 Mb/s. */
enum { STREAMS_LONG = 10000, STREAMS_FEW = 4 };

struct streams {
    unsigned wanted;             /* sockets; 0: one, and no second was wanted yet */
    bool added;                  /* some, since the last measurement */
    unsigned looks;              /* that count, in a row */
    uint64_t since, confirmed;   /* of the first that is measured (ns, bytes) */
    uint64_t rate, before, best; /* bytes a second: now, with half as many, at any time */
};

/* A look at the connection, twice a second; known: the last one was at the same. Whether it should
 * have more sockets. */
bool streams_look(struct streams *s, uint64_t now, const struct flight *f, bool known);
/* It gets them: `wanted` in all. */
void streams_add(struct streams *s);

#endif
