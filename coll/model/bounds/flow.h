/* flow.h - the time that all bytes of an operation with one part occupy a rank's port and its
 * routes, beyond the cost of empty messages. Used by the bounds for data cut into pieces.
 */
#pragma once

#include "model/bounds/bounds.h"

/* Without zones of several ranks, the routes of all pairs are sorted: a million at this limit. */
enum { FLOW_RANKS_MOST = 1024 };

struct flow {
    const struct bounding *b;
    bool out;            /* bytes that leave a rank; else bytes that enter it */
    int64_t bytes;       /* of the part */
    struct cheapest min; /* costs of empty messages */
    hn_time *route_time; /* [k]: result of flow_route_times() */
};

/* HN_OK or HN_ENOMEM; call flow_end() in either case. */
int flow_begin(struct flow *f, const struct bounding *b, bool out);
void flow_end(struct flow *f);

/* Time for which the bytes occupy the port of a rank and of its host, whichever ranks they come
 * from (go to) and however they are cut. O(zones). */
hn_time flow_port(const struct flow *f, int rank);

/* Fills route_time[k] with the time of the bytes on each route into (out of) a rank of a zone,
 * shortest first, one for each other rank. false: a route has no limit. O(ranks log ranks). */
bool flow_route_times(const struct flow *f, int zone);

/* Number of bits such that 2^bits / time is exact to 2^-24 for times of this length, if 64 bits
 * allow. */
int flow_bits(hn_time shortest);
/* 2^bits / time, rounded up. */
int64_t flow_rate(hn_time time, int bits);
