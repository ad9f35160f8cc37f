/* flow.c - bytes through ports and on routes (flow.h). */
#include "model/bounds/flow.h"

#include "hnow.h"

#include <stdlib.h>

/* Bits: one in 16 million; a rate is below 2^63. */
enum { PRECISION = 24, BITS_MOST = 62 };

/* Costs of empty messages are subtracted elsewhere, so they are those of 0 bytes. */
int flow_begin(struct flow *f, const struct bounding *b, bool out)
{
    *f = (struct flow){.b = b,
                       .out = out,
                       .bytes = request_part_bytes(b->req, 0),
                       .min = bound_cheapest(b, 0),
                       .route_time = malloc((size_t)b->req->ranks * sizeof *f->route_time)};
    return f->route_time ? HN_OK : HN_ENOMEM;
}

void flow_end(struct flow *f)
{
    free(f->route_time);
}

/* The lowest of all peers for the port of a rank in this zone. */
static hn_time own_port(const struct flow *f, int zone)
{
    struct zones *z = f->b->zones;
    hn_time least = INT64_MAX;
    for (int other = 0; other < z->c.count; other++) {
        int from = f->out ? zone : other, to = f->out ? other : zone;
        if (!zones_linked(z, from, to))
            continue;
        zones_set_bytes(z, 0);
        struct cost none = zones_cost(z, from, to);
        zones_set_bytes(z, f->bytes);
        struct cost all = zones_cost(z, from, to);
        all.travel = none.travel + zones_growth(z, from, to); /* in the cheapest pieces */
        least = int64_smaller(least, bound_port_time(f->b->model, all, !f->out) -
                                         bound_port_time(f->b->model, none, !f->out));
    }
    return least;
}

hn_time flow_port(const struct flow *f, int rank)
{
    const struct model *model = f->b->model;
    const hn_net *net = model->port == PORT_MEDIA ? model_net(model) : NULL;
    hn_time own = own_port(f, f->b->zones->c.of[rank]);
    if (!net || f->b->zones->shares) /* ranks on the same host do not use its port */
        return own;
    const hn_host_cost *host = hn_net_host(net, model_host(model, rank));
    hn_time gap = bound_product(f->bytes, f->out ? host->send_gap : host->recv_gap, 1000);
    /* The port is busy after a send, and before the last bytes have arrived and been received: of
     * who gets something at a time, from so much earlier on that it may be lost. */
    hn_time least = f->min.each.send + f->min.each.travel + f->min.each.recv;
    return int64_larger(own, gap - (f->min.deliver - least));
}

bool flow_route_times(const struct flow *f, int zone)
{
    struct zones *z = f->b->zones;
    int count = 0;
    zones_set_bytes(z, f->bytes);
    for (int other = 0; other < z->c.count; other++) {
        /* One route for each rank of the other zone; none to the rank itself. */
        int from = f->out ? zone : other, to = f->out ? other : zone;
        int ranks = z->c.first[other + 1] - z->c.first[other] - (zone == other);
        hn_time time = ranks > 0 ? zones_connection(z, from, to) : 1;
        if (time <= 0)
            return false;
        while (ranks-- > 0)
            f->route_time[count++] = time;
    }
    values_sort(f->route_time, count);
    return true;
}

/* As many bits as keep the rate below 2^63, with PRECISION of them significant. */
int flow_bits(hn_time shortest)
{
    int bits = PRECISION;
    while (bits < BITS_MOST && shortest >> (bits - PRECISION) > 1)
        bits++;
    return bits;
}

int64_t flow_rate(hn_time time, int bits)
{
    wide one = wide_up(wide_of(1), bits);
    return wide_int64(wide_over(wide_plus(one, wide_of(time - 1)), wide_of(time)));
}
