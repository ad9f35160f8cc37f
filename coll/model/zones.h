/* zones.h - zones of ranks with equal routes: a network described by its subnets instead of all
 * pairs.
 *
 * If a network file states costs for subnets and not for pairs of hosts, the cost from i to j is S
 * of i + X of the two subnets + the wake-up time of j + R of j. Then questions about all pairs need
 * time quadratic in the number of subnets, so 10^5 hosts are feasible. In other models every rank
 * is a zone. A model with more than ZONES_MOST zones is not examined by pairs.
 */
#pragma once

#include "model/cluster.h"
#include "model/model.h"

#include "runtime/internal.h"

/* Each bound examines all pairs of zones: 4 million at this limit. */
enum { ZONES_MOST = 2048 };

/* Costs of messages of one size. */
struct zone_costs {
    int64_t bytes;                    /* -1: not computed yet */
    hn_time *send, *recv;             /* [rank]: S and R */
    hn_time *least_send, *least_recv; /* [zone]: the minimum over its ranks */
};

/* Sizes kept: bounds alternate between no bytes, the smallest message, and what a rank receives or
 * sends. */
enum { ZONES_SIZES = 4 };

struct zones {
    const struct model *model;
    struct clusters c;
    bool alike;          /* zones are subnets; else single ranks */
    bool shares;         /* some ranks share a host: routes inside a zone may cost nothing */
    hn_time *least_wake; /* [zone], if alike: the shortest wake-up time of its ranks */
    struct zone_costs sizes[ZONES_SIZES], *now; /* if alike: costs for the sizes used last */
    int next;
    int64_t work;       /* look-ups so far: callers may stop at ZONES_WORK */
    struct arena arena; /* of the arrays */
};

/* Look-ups for 10^4 ranks with sizes of their own. Beyond this the bounds of further ranks are left
 * out. */
static const int64_t ZONES_WORK = 100000000;

/* HN_OK or HN_ENOMEM; call zones_end() in either case. With too many zones, c.count is 0. */
int zones_begin(struct zones *z, const struct model *model);
void zones_end(struct zones *z);

/* Selects the message size of the functions below. O(ranks), unless it is one of the last
 * ZONES_SIZES sizes. */
void zones_set_bytes(struct zones *z, int64_t bytes);

/* The lowest cost of a message from a rank of one zone to another rank of a zone. A zone of one
 * rank has no route to itself (zones_linked()). */
struct cost zones_cost(const struct zones *z, int from, int to);
/* The least time that the bytes add to the travel time of messages, however they are cut into
 * messages (growth.h). */
hn_time zones_growth(const struct zones *z, int from, int to);
/* The same for the time for which connections are occupied. */
hn_time zones_connection(const struct zones *z, int from, int to);
bool zones_linked(const struct zones *z, int from, int to);

/* Extra time of this rank's sends (receives) above the minimum of its zone; 0 if not alike. */
hn_time zones_extra_send(const struct zones *z, int rank);
hn_time zones_extra_recv(const struct zones *z, int rank);
/* Extra wake-up time of this rank above the minimum of its zone. */
hn_time zones_extra_wake(const struct zones *z, int rank);
