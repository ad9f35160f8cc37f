/* zones.h - ranks that are alike in what the way to and from them costs: a network seen by its
 * subnets instead of its pairs.
 *
 * Where a network file states costs for subnets and not for pairs of hosts, the cost from i to j is
 * S of i + X of the two subnets + what waking j takes + R of j. So questions about all pairs are
 * answered in the square of the number of subnets, and 10^5 hosts are no matter. Of other models,
 * every rank is a zone. Models with too many of those (ZONES_MOST) are not looked at by pairs.
 */
#pragma once

#include "model/cluster.h"
#include "model/model.h"

#include "runtime/internal.h"

/* Each bound looks at all pairs: 4 million. */
enum { ZONES_MOST = 2048 };

/* Costs of messages of one size. */
struct zone_costs {
    int64_t bytes;                    /* -1: not known yet */
    hn_time *send, *recv;             /* [rank]: S and R */
    hn_time *least_send, *least_recv; /* [zone]: the least of its ranks */
};

/* Bounds alternate between no bytes, the least message, and what a rank receives or sends. */
enum { ZONES_SIZES = 4 };

struct zones {
    const struct model *model;
    struct clusters c;
    bool alike;          /* zones are subnets; else ranks */
    bool shares;         /* several ranks are on one host: ways inside a zone may cost nothing */
    hn_time *least_wake; /* [zone]: alike: the least that waking one of its ranks takes */
    struct zone_costs sizes[ZONES_SIZES], *now; /* alike: of the last sizes that were asked for */
    int next;
    int64_t work; /* how often something was looked up: who asks for many sizes may have enough */
    struct arena arena; /* of the arrays */
};

/* As many as 10^4 ranks with sizes of their own need.  Beyond, other ranks' bounds are left out. */
static const int64_t ZONES_WORK = 100000000;

/* HN_OK or HN_ENOMEM; zones_end() in every case. When there would be too many zones, count is 0. */
int zones_begin(struct zones *z, const struct model *model);
void zones_end(struct zones *z);

/* From now on costs are those of messages of so many bytes. O(ranks), unless it is one of the last
 * ZONES_SIZES sizes. */
void zones_set_bytes(struct zones *z, int64_t bytes);

/* The least that a message costs from a rank of one zone to another rank of a zone; inside a zone
 * of one rank there is no way (zones_linked()). */
struct cost zones_cost(const struct zones *z, int from, int to);
/* The least that the bytes add to what messages spend under way, however they are cut into messages
 * (growth.h). */
hn_time zones_growth(const struct zones *z, int from, int to);
/* ... and to how long connections are busy. */
hn_time zones_connection(const struct zones *z, int from, int to);
bool zones_linked(const struct zones *z, int from, int to);

/* Extra time of the rank's own sends (receives) over the least of its zone; 0 when not alike. */
hn_time zones_extra_send(const struct zones *z, int rank);
hn_time zones_extra_recv(const struct zones *z, int rank);
/* How much later messages come to a rank than to the one of its zone that is woken the soonest. */
hn_time zones_extra_wake(const struct zones *z, int rank);
