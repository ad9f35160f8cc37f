/* derive_costs.c - S and R of hosts; X is what they leave of T.
 *
 *     S of a host   constant: the gap between its consecutive sends to different receivers
 *                   (Banikazemi 2.1); per byte: the duration of the send call
 *     R of a host   constant: the gap between messages that reach it from different senders; per
 *                   byte: what no wire explains (T less S less the gaps of the two ports)
 *     message       on a bus the gap between sends, or receives, except the call, is the wire's
 *                   (headers, acknowledgements): the time of each message on the bus
 *     X of a pair   the rest: T - S - R (equation 1)
 *     gap of a port bytes to (from) several others at once (pLogP's g): our sends return before
 *                   their bytes are on the wire, so the port is busy longer than the host;
 *                   out, also a time for each message, where the two do not overlap
 *
 * Constants of S and R are limited to the median of the routes to a host's neighbours.  So S + X +
 * R is the measured time, however it is divided.  On a route faster than that, X is 0 and the sum
 * is a little larger.
 */
#include "derive/derivation.h"
#include "derive/values.h"

#include <stdlib.h>

/* All zeros without points: no cost is known. */
static struct fit_line fit_series(const struct series *series)
{
    struct fit_line nothing = {0};
    return series->count ? fit_points(series->point, series->count) : nothing;
}

/* The least cost per byte of a route, of its first bytes or the others. */
static hn_per_byte least_per_byte(const struct fit_line *route)
{
    return route->first_bytes ? int64_smaller(route->per_byte, route->first_per_byte)
                              : route->per_byte;
}

/* Uses only the smallest and the largest message: those in between only show the port. */
static struct fit_line fit_ends(const struct series *series)
{
    struct fit_point ends[2];
    if (series->count < 2)
        return fit_series(series);
    ends[0] = series->point[0];
    ends[1] = series->point[series->count - 1];
    return fit_points(ends, 2);
}

/* Time per byte for which the largest message occupies a port, less the cost of each message, which
 * may seem larger on a busy machine.  A port measured with only one size limits nothing. */
static hn_per_byte port_gap(const struct series *series, hn_time message)
{
    if (series->count < 2)
        return 0;
    const struct fit_point *largest = &series->point[series->count - 1];
    return int64_larger(0, largest->ns * 1000 - message) * 1000 / largest->bytes;
}

/* The least cost per byte of a host's routes to (from) its neighbours; 0: unknown. */
static hn_per_byte quickest(const struct derivation *d, int host, bool out)
{
    hn_per_byte least = 0;
    for (int other = 0; other < d->n; other++) {
        int from = out ? host : other, to = out ? other : host;
        if (d->subnet_of[host] != d->subnet_of[other] || !derivation_is_known(d, from, to))
            continue;
        hn_per_byte own = d->route[from * d->n + to].per_byte;
        least = least && least < own ? least : own;
    }
    return least;
}

/* The part of a gap that is the port's own: bytes to (from) several hosts at once go no faster than
 * the slowest of them receives (sends) its part. */
static hn_per_byte own_gap(const struct derivation *d, int host, bool out, hn_per_byte gap)
{
    hn_per_byte alone = quickest(d, host, out);
    /* A port that is a little slower than one route is normal.  Only twice that time raises the
     * question whether the other hosts are the slow ones. */
    if (!alone || gap < 2 * alone)
        return gap;
    for (int other = 0; other < d->n; other++)
        if (other != host && d->subnet_of[other] == d->subnet_of[host] &&
            quickest(d, other, !out) >= gap)
            return alone;
    return gap;
}

/* Time of a port for each message besides its bytes.  The samples are messages whose bytes take
 * about as long as preparing one.  A host that prepares a message while its port sends the previous
 * one takes the larger of both times; a host that does not takes their sum.  Time that overlaps
 * with bytes of any size is not counted, nor are small values. Each size in between gives an upper
 * limit; the smallest of them counts. */
static hn_time port_message(const struct series *series)
{
    const struct fit_point *small = series->point, *large = &small[series->count - 1], *between;
    int64_t least = small->ns;
    if (series->count < 3)
        return 0;
    for (between = small + 1; between < large; between++) {
        int64_t bytes = large->ns * between->bytes / large->bytes;
        int64_t besides = (between->ns - bytes) * large->bytes / (large->bytes - between->bytes);
        least = int64_smaller(least, besides);
    }
    return least >= small->ns / PORT_MESSAGE_PART ? least * 1000 : 0;
}

/* The median constant of the routes between a host and its neighbours, or all others if it has
 * none; `to`: less S of the sender. room: scratch memory for n times. */
static hn_time middle_constant(const struct derivation *d, int host, bool to, hn_time *room)
{
    int count = 0;
    for (int near = 1; near >= 0 && count == 0; near--)
        /* Neighbours first; only a host without any known neighbour uses distant routes. */
        for (int other = 0; other < d->n; other++) {
            int a = to ? other : host, b = to ? host : other;
            if (derivation_is_known(d, a, b) && (!near || d->subnet_of[a] == d->subnet_of[b]))
                room[count++] = int64_larger(0, d->route[a * d->n + b].constant -
                                                    (to ? d->cost[a].send_const : 0));
        }
    return values_middle(room, count);
}

/* The call's constant is the host's, what the gap has beyond it is the wire's.  On a switch that
 * rest is part of S, because a host can send no faster to several others.  On a bus all hosts wait
 * for it, so it belongs to the bus; the least of all hosts' is what the wire needs.
 *
 * S per byte is at most what the fastest route takes: X must not become negative. */
static void set_send(struct derivation *d, int host, hn_time *room)
{
    hn_host_cost *cost = &d->cost[host];
    struct fit_line gap = fit_ends(&d->out[host]), call = fit_series(&d->send[host]);
    cost->send_const = int64_smaller(gap.constant, middle_constant(d, host, false, room));
    if (derivation_on_bus(d, host) && call.constant > 0 && call.constant < cost->send_const) {
        hn_time rest = cost->send_const - call.constant, *message = &d->message[d->subnet_of[host]];
        *message = *message ? int64_smaller(*message, rest) : rest;
        cost->send_const = call.constant;
    }
    cost->send_per_byte = call.per_byte;
    for (int to = 0; to < d->n; to++) {
        const struct fit_line *route = &d->route[host * d->n + to];
        if (!derivation_is_known(d, host, to))
            continue;
        cost->send_per_byte = int64_smaller(cost->send_per_byte, least_per_byte(route));
    }
    cost->send_gap_const = port_message(&d->out[host]);
    cost->send_gap = own_gap(d, host, true, port_gap(&d->out[host], cost->send_gap_const));
}

/* R per byte is what neither port's gap explains on any route. */
static void set_recv(struct derivation *d, int host, hn_time *room)
{
    hn_host_cost *cost = &d->cost[host];
    struct fit_line gap = fit_series(&d->in[host]);
    if (derivation_on_bus(d, host))
        gap.constant = int64_larger(0, gap.constant - d->message[d->subnet_of[host]]);
    cost->recv_const = int64_smaller(gap.constant, middle_constant(d, host, true, room));
    cost->recv_per_byte = gap.per_byte;
    cost->recv_gap = own_gap(d, host, false, port_gap(&d->in[host], 0));
    for (int from = 0; from < d->n; from++) {
        const struct fit_line *route = &d->route[from * d->n + host];
        const hn_host_cost *sender = &d->cost[from];
        if (!derivation_is_known(d, from, host))
            continue;
        /* Bytes pass both ports at the same time, so the slower one counts. */
        hn_per_byte wire = sender->send_gap > gap.per_byte ? sender->send_gap : gap.per_byte;
        cost->recv_per_byte =
            int64_smaller(cost->recv_per_byte,
                          int64_larger(0, least_per_byte(route) - sender->send_per_byte - wire));
    }
}

/* All senders come before the first receiver, whose R is what their S leaves of the routes. */
int derive_costs(struct derivation *d)
{
    hn_time *room = calloc((size_t)d->n, sizeof *room);
    if (!room)
        return error_set(HN_ENOMEM, "no memory for the costs of %d hosts", d->n);
    for (int i = 0; i < d->n; i++)
        if (!d->previous || !d->previous->known[i])
            set_send(d, i, room);
    for (int i = 0; i < d->n; i++)
        if (!d->previous || !d->previous->known[i])
            set_recv(d, i, room);
    free(room);
    return HN_OK;
}

hn_pair_cost derivation_rest(const struct derivation *d, int from, int to)
{
    const struct fit_line *route = &d->route[from * d->n + to];
    const hn_host_cost *s = &d->cost[from], *r = &d->cost[to];
    hn_per_byte hosts = s->send_per_byte + r->recv_per_byte;
    return (hn_pair_cost){
        .latency = int64_larger(0, route->constant - s->send_const - r->recv_const),
        .per_byte = int64_larger(0, route->per_byte - hosts),
        .first_bytes = route->first_bytes,
        .first_per_byte = route->first_bytes ? int64_larger(0, route->first_per_byte - hosts) : 0};
}
