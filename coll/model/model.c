/* model.c - the cost view of a network file. */
#include "model/model.h"

#include "probe/internal.h"

int model_host(const struct model *model, int rank)
{
    return model->host ? model->host[rank] : rank;
}

/* Costs of a message between two hosts: those of both ends, of the pair, and the receiver's
 * wake-up. */
static struct cost net_cost(const struct model *model, int from, int to, int64_t bytes)
{
    const hn_net *net = model->data;
    int a = model_host(model, from), b = model_host(model, to);
    const hn_host_cost *sender = hn_net_host(net, a), *receiver = hn_net_host(net, b);
    hn_pair_cost pair = hn_net_pair(net, a, b);
    return (struct cost){hn_cost_time(sender->send_const, sender->send_per_byte, bytes),
                         hn_way_time(&pair, bytes) + receiver->wake,
                         hn_cost_time(receiver->recv_const, receiver->recv_per_byte, bytes)};
}

/* The model refers to the network and to host[], which must outlive it.  host NULL: rank i is on
 * host i. */
void model_of_net(struct model *model, const hn_net *net, const int *host, int ranks,
                  enum port port)
{
    *model = (struct model){
        .ranks = ranks,
        .port = port,
        .cost = net_cost,
        .data = net,
        .host = host,
    };
}

hn_pair_cost model_pair(const struct model *model, int from, int to)
{
    return hn_net_pair(model->data, model_host(model, from), model_host(model, to));
}

/* Other models, as those of tables, have no network: NULL. */
const hn_net *model_net(const struct model *model)
{
    return model->cost == net_cost ? model->data : NULL;
}

int model_subnet(const struct model *model, int rank)
{
    const hn_net *net = model_net(model);
    return net ? hn_net_subnet_of(net, model_host(model, rank)) : 0;
}

bool model_multicasts(const struct model *model, int from, int to)
{
    const hn_net *net = model_net(model);
    if (!net)
        return false;
    int a = model_host(model, from), b = model_host(model, to), subnet = hn_net_subnet_of(net, a);
    return a != b && subnet == hn_net_subnet_of(net, b) && hn_net_subnet_multicast(net, subnet);
}

/* The first rank of a subnet and any rank on another host of it are such a pair. */
bool model_multicasts_any(const struct model *model)
{
    const hn_net *net = model_net(model);
    for (int subnet = 0; net && subnet < hn_net_subnet_count(net); subnet++) {
        int first = -1;
        for (int rank = 0; rank < model->ranks && hn_net_subnet_multicast(net, subnet); rank++) {
            if (model_subnet(model, rank) != subnet)
                continue;
            if (first >= 0 && model_multicasts(model, first, rank))
                return true;
            first = first < 0 ? rank : first;
        }
    }
    return false;
}

bool model_on_bus(const struct model *model, int rank)
{
    const hn_net *net = model_net(model);
    return net && hn_net_subnet_medium(net, hn_net_subnet_of(net, model_host(model, rank))) ==
                      HN_MEDIUM_BUS;
}

int model_route(const struct model *model, int from, int to, hn_channel route[HN_WAY_MOST])
{
    const hn_net *net = model_net(model);
    return net ? hn_net_way(net, model_host(model, from), model_host(model, to), route) : 0;
}

/* One bus or port determines the overhead: the one that asks for the longest time. */
int64_t model_overhead(const hn_channel *route, int count, hn_time *time)
{
    int64_t bytes = 0;
    *time = 0;
    for (int i = 0; i < count; i++)
        if (route[i].message > *time) {
            *time = route[i].message;
            bytes = wide_ratio(route[i].message, 1000, route[i].per_byte);
        }
    return bytes;
}

int model_machines(const struct model *model, int from, int to, hn_machine_use use[2])
{
    const hn_net *net = model_net(model);
    return net ? hn_net_machines(net, model_host(model, from), model_host(model, to), use) : 0;
}

/* On machines the hosts share cores: as many ranks as hosts, or fewer. */
int model_ranks_per_core(const struct model *model)
{
    const hn_net *net = model_net(model);
    int64_t ranks_per_core = model->ranks_per_core > 1 ? model->ranks_per_core : 1;
    for (int i = 0; net && i < hn_net_machine_count(net); i++) {
        int hosts;
        int64_t cores = hn_net_machine(net, i, &hosts)->cores;
        int64_t ranks = hosts < model->ranks ? hosts : model->ranks;
        if (cores > 0 && (ranks + cores - 1) / cores > ranks_per_core)
            ranks_per_core = (ranks + cores - 1) / cores;
    }
    return (int)ranks_per_core;
}
