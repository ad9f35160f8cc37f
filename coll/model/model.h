/* model.h - what a message costs between two ranks: the one view of a network that planners and
 * simulator have.
 *
 * A message of m bytes from i to j occupies the sender for S, travels for X and occupies the
 * receiver for R. The papers' models are this with other names:
 *
 *     Wu, equations 1-4; Banikazemi, section 2   S, X and R, each constant + m * per byte
 *     pLogP (Barchet)                            S = g(m), X = L, R = 0, and T at the end (`local`)
 *     Bhat's one-port model                      S = T_ij + m / B_ij, X = R = 0, and the receiver
 * is occupied together with the sender (PORT_BLOCKING)
 *
 * All times are integers (picoseconds, when they come from a network file).
 */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

/* The later of two times. */
static inline hn_time time_later(hn_time a, hn_time b)
{
    return a > b ? a : b;
}

/* How a participant's port works. */
enum port {
    PORT_NONBLOCKING, /* a send takes S of the sender; receives take R, in order (Wu) */
    PORT_BLOCKING,    /* a transfer holds the sender's send port and the receiver's receive port */
    PORT_MEDIA        /* as nonblocking, and messages share the media under way (media.h) */
};

struct cost {
    hn_time send, travel, recv;
};

struct model {
    int ranks;
    enum port port;
    struct cost (*cost)(const struct model *model, int from, int to, int64_t bytes);
    hn_time (*local)(const struct model *model, int rank); /* NULL: none */
    const void *data;                                      /* of the two functions */
    const int *host;    /* rank -> host of the network file; NULL: the same number */
    int ranks_per_core; /* so many ranks share a core, as far as who made the model knows; 0:
                           nothing */
};

/* Costs of ranks on the hosts of a network file; host[r] runs rank r (NULL: host r). The model
 * refers to net and host. */
void model_of_net(struct model *model, const hn_net *net, const int *host, int ranks,
                  enum port port);

/* The network behind a model made by model_of_net(); NULL for others. */
const hn_net *model_net(const struct model *model);
/* The host that a rank runs on. */
int model_host(const struct model *model, int rank);
/* X between two ranks, taken apart; only with a network file. */
hn_pair_cost model_pair(const struct model *model, int from, int to);
/* Subnet of a rank; 0 where there is no network file. */
int model_subnet(const struct model *model, int rank);

/* Whether one datagram of a rank reaches the other and others at once: they are on different hosts
 * of a subnet that carries multicasts. */
bool model_multicasts(const struct model *model, int from, int to);
/* Whether there are such ranks. */
bool model_multicasts_any(const struct model *model);

/* Whether a rank is in a subnet that is a bus, where a network knows such. */
bool model_on_bus(const struct model *model, int rank);

/* The shared channels from one rank to another (hn_net_way()); 0 where there is no network file. */
int model_route(const struct model *model, int from, int to, hn_channel route[HN_WAY_MOST]);

/* Bytes that a message takes of every channel on its way besides its own, but no more than *time of
 * each: that of the bus, or the port, that asks for them (0: none does). */
int64_t model_overhead(const hn_channel *route, int count, hn_time *time);

/* The machines that a message uses up (hn_net_machines()); 0 where there is no network file. */
int model_machines(const struct model *model, int from, int to, hn_machine_use use[2]);

/* How many ranks share a core at most: what model->ranks_per_core says, or where hosts share a
 * machine and it is known how many cores that has; 1: none do. */
int model_ranks_per_core(const struct model *model);

static inline struct cost model_cost(const struct model *model, int from, int to, int64_t bytes)
{
    return model->cost(model, from, to, bytes);
}

/* From the start of the send until the receiver has the message and may send it on. */
static inline hn_time model_deliver(const struct model *model, int from, int to, int64_t bytes)
{
    struct cost c = model->cost(model, from, to, bytes);
    return c.send + c.travel + c.recv;
}

static inline hn_time model_local(const struct model *model, int rank)
{
    return model->local ? model->local(model, rank) : 0;
}
