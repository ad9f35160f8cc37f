/* stations.c - which stations of buses send and receive at the same time. */
#include "model/stations.h"

#include <stdlib.h>

static bool is_on_bus(const hn_net *net, int host)
{
    return hn_net_subnet_medium(net, hn_net_subnet_of(net, host)) == HN_MEDIUM_BUS;
}

static bool has_bus(const hn_net *net)
{
    for (int i = 0; i < hn_net_subnet_count(net); i++)
        if (hn_net_subnet_medium(net, i) == HN_MEDIUM_BUS)
            return true;
    return false;
}

/* Without a bus nothing is recorded, and all shares are equal. */
bool stations_begin(struct stations *s, const struct model *model)
{
    const hn_net *net = model_net(model);

    *s = (struct stations){.model = model};
    if (!net || !has_bus(net))
        return true;
    s->all = malloc((size_t)hn_net_size(net) * sizeof *s->all);
    if (!s->all)
        return false;
    for (int i = 0; i < hn_net_size(net); i++)
        s->all[i] = (struct station){.on_bus = is_on_bus(net, i), .stream = -1};
    return true;
}

void stations_end(struct stations *s)
{
    free(s->all);
}

/* The host's entry: all ranks of a host share its port. */
static struct station *station_of(const struct stations *s, int rank)
{
    return &s->all[model_host(s->model, rank)];
}

static int share_of(const struct station *t)
{
    return t->on_bus && t->receives == 0 ? STATION_SENDER_SHARE : STATION_SHARE;
}

int stations_send(struct stations *s, int rank, int stream)
{
    if (!s->all)
        return STATION_SHARE;
    station_of(s, rank)->stream = stream;
    return share_of(station_of(s, rank));
}

/* Another stream of the host may have begun since; then that one stays. */
void stations_rest(struct stations *s, int rank, int stream)
{
    if (s->all && station_of(s, rank)->stream == stream)
        station_of(s, rank)->stream = -1;
}

/* The share of the host's sends changes when it begins to receive, or receives no more.  more: 1 or
 * -1.  Returns the stream whose share has changed; -1: none. */
int stations_receive(struct stations *s, int rank, int more, int *share)
{
    if (!s->all)
        return -1;
    struct station *t = station_of(s, rank);
    int before = share_of(t);
    t->receives += more;
    *share = share_of(t);
    return *share != before ? t->stream : -1;
}
