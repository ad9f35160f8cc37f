/* model.h - the cost of a message between two ranks: the only view of the network that planners and
 * simulator have.
 *
 * A message of m bytes from i to j occupies the sender for S, travels for X and occupies the
 * receiver for R. The models of the papers are special cases:
 *
 *     Wu, equations 1-4; Banikazemi, section 2   S, X and R, each constant + m * per byte
 *     pLogP (Barchet)                            S = g(m), X = L, R = 0, and T at the end (`local`)
 *     Bhat's one-port model                      S = T_ij + m / B_ij, X = R = 0; sender and
 * receiver are occupied together (PORT_BLOCKING)
 *
 * All times are integers: picoseconds, if they come from a network file.
 */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

/* The later of two times. */
static inline hn_time time_later(hn_time a, hn_time b)
{
    return a > b ? a : b;
}

/* The sum of two times, neither negative; at most INT64_MAX. */
static inline hn_time time_sum(hn_time a, hn_time b)
{
    hn_time sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* How a participant's port works. */
enum port {
    PORT_NONBLOCKING, /* a send takes S of the sender; receives take R, in the order of the list
                         (Wu) */
    PORT_BLOCKING,    /* a transfer holds the sender's send port and the receiver's receive port */
    PORT_MEDIA        /* as nonblocking; messages share the media on their routes (media.h) */
};

/* Picoseconds. Each is at least 0. */
struct cost {
    hn_time send, travel, recv;
};

/* A view of a network for some ranks. Copied by value; its creator keeps net, host and data alive.
 * Read by several threads at once. */
struct model {
    int ranks;
    enum port port;
    struct cost (*cost)(const struct model *model, int from, int to, int64_t bytes);
    hn_time (*local)(const struct model *model, int rank); /* NULL: none */
    const void *data;                                      /* for the two functions */
    const int *host;    /* rank -> host of the network file; NULL: host r runs rank r */
    int ranks_per_core; /* ranks that share a core, if the creator of the model knows it; else 0 */
};

/* Sets the costs of ranks on the hosts of a network file; host[r] runs rank r (NULL: host r). The
 * model keeps pointers to net and host. */
void model_of_net(struct model *model, const hn_net *net, const int *host, int ranks,
                  enum port port);

/* The network behind a model made by model_of_net(); NULL for others. */
const hn_net *model_net(const struct model *model);
/* The host that a rank runs on. */
int model_host(const struct model *model, int rank);
/* The components of X between two ranks; only for models of a network file. */
hn_pair_cost model_pair(const struct model *model, int from, int to);
/* Subnet of a rank; 0 where there is no network file. */
int model_subnet(const struct model *model, int rank);

/* Whether one datagram can reach `to` and others at once: both ranks are on different hosts of a
 * subnet that carries multicasts. */
bool model_multicasts(const struct model *model, int from, int to);
/* Whether there are such pairs of ranks. */
bool model_multicasts_any(const struct model *model);

/* Whether a rank's subnet is a bus; false without a network file. */
bool model_on_bus(const struct model *model, int rank);

/* The shared channels on the route between two ranks (hn_net_way()). Returns their number: 0
 * without a network file. */
int model_route(const struct model *model, int from, int to, hn_channel route[HN_WAY_MOST]);

/* Overhead bytes of a message on every channel of its route. On each channel they count for at most
 * *time, which the bus or port asks for that has this overhead (0: none has). */
int64_t model_overhead(const hn_channel *route, int count, hn_time *time);

/* The machines whose processors a message uses (hn_net_machines()); 0 without a network file. */
int model_machines(const struct model *model, int from, int to, hn_machine_use use[2]);

/* The largest number of ranks that share a core: model->ranks_per_core, or, where hosts share a
 * machine, from its number of cores. 1: none share, or it is unknown. */
int model_ranks_per_core(const struct model *model);

static inline struct cost model_cost(const struct model *model, int from, int to, int64_t bytes)
{
    return model->cost(model, from, to, bytes);
}

/* Time from the start of the send until the receiver has the message and may forward it. */
static inline hn_time model_deliver(const struct model *model, int from, int to, int64_t bytes)
{
    struct cost c = model->cost(model, from, to, bytes);
    return c.send + c.travel + c.recv;
}

static inline hn_time model_local(const struct model *model, int rank)
{
    return model->local ? model->local(model, rank) : 0;
}
