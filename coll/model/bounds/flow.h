/* flow.h - what all bytes of an operation with one part take of a rank's port and ways, besides
 * what messages of no bytes take: for the bounds of what is cut into pieces.
 */
#pragma once

#include "model/bounds/bounds.h"

/* Where no ranks are alike, the ways of all pairs are sorted: a million. */
enum { FLOW_RANKS_MOST = 1024 };

struct flow {
    const struct bounding *b;
    bool out;            /* what leaves a rank, instead of what enters it */
    int64_t bytes;       /* of the part */
    struct cheapest min; /* of messages of no bytes */
    hn_time *route_time; /* [k]: of flow_route_times() */
};

/* HN_OK or HN_ENOMEM; flow_end() in every case. */
int flow_begin(struct flow *f, const struct bounding *b, bool out);
void flow_end(struct flow *f);

/* How long a rank's own port and that of its host are busy with the bytes, from (to) whomever they
 * come (go), into however many messages they are cut. O(zones). */
hn_time flow_port(const struct flow *f, int rank);

/* Fills way[k] with the time that the bytes take on each way into (out of) a rank of a zone, the
 * quickest first, one for each other rank; false: a way has no limit. O(ranks log ranks). */
bool flow_route_times(const struct flow *f, int zone);

/* So many bits that 2^bits over a time of that length is exact to one in 2^24, if 64 bits allow. */
int flow_bits(hn_time shortest);
/* 2^bits / time, rounded up. */
int64_t flow_rate(hn_time time, int bits);
