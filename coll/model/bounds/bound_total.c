/* bound_total.c - an allreduce of n ranks moves every byte 2 (n - 1) times: n - 1 messages until
 * some rank has all contributions, and one more to each other rank.
 *
 * In a time D no rank can receive (send) more than its port and all its routes allow, from the
 * start of the first send to the receipt of the last bytes. All ranks together must allow 2 (n - 1)
 * times the bytes:
 *
 *     sum over ranks of (D - S - X - R) / time of all bytes there >= 2 (n - 1).
 */
#include "model/bounds/flow.h"

#include "hnow.h"

#include <stdlib.h>

/* Time for which all bytes occupy all routes of a rank together; 0: no limit is known. */
static hn_time of_routes(const struct flow *f, int zone)
{
    if (f->b->model->port != PORT_MEDIA || !flow_route_times(f, zone))
        return 0;
    int bits = flow_bits(f->route_time[0]);
    wide rates = wide_of(0);
    for (int k = 0; k < f->b->req->ranks - 1; k++)
        rates = wide_plus(rates, wide_of(flow_rate(f->route_time[k], bits)));
    return wide_int64(wide_over(wide_up(wide_of(1), bits), rates));
}

/* The smallest D, without the start-up: 2 (n - 1) divided by the sum of all rates. time[rank]: time
 * of all bytes there; 0: no limit is known. */
static hn_time share(const struct flow *f, const hn_time *time)
{
    int n = f->b->req->ranks;
    hn_time least = INT64_MAX;
    wide rates = wide_of(0);
    for (int rank = 0; rank < n; rank++)
        least = int64_smaller(least, time[rank]);
    if (least <= 0)
        return 0;
    int bits = flow_bits(least);
    for (int rank = 0; rank < n; rank++)
        rates = wide_plus(rates, wide_of(flow_rate(time[rank], bits)));
    return wide_int64(wide_over(wide_times(wide_up(wide_of(1), bits), 2 * (n - 1)), rates));
}

/* Sets time[rank] to the time of all bytes at its port or on its routes, whichever is larger. */
static void find_times(const struct flow *f, hn_time *time)
{
    const struct clusters *c = &f->b->zones->c;
    for (int zone = 0; zone < c->count; zone++) {
        hn_time routes = of_routes(f, zone);
        for (int m = c->first[zone]; m < c->first[zone + 1]; m++)
            time[c->member[m]] = int64_larger(routes, flow_port(f, c->member[m]));
    }
}

hn_time bound_by_total(const struct bounding *b)
{
    hn_time bound = 0, *time[2] = {NULL, NULL};
    size_t n = (size_t)b->req->ranks;
    if (b->req->op != OP_ALLREDUCE || b->req->bytes == 0 || b->req->ranks > FLOW_RANKS_MOST)
        return 0;
    for (int out = 0; out < 2; out++) {
        struct flow f;
        time[out] = malloc(n * sizeof *time[out]);
        if (flow_begin(&f, b, out) == HN_OK && time[out]) {
            find_times(&f, time[out]);
            hn_time ends = f.min.each.send + f.min.each.travel + f.min.each.recv;
            bound = int64_larger(bound, ends + share(&f, time[out]));
        }
        flow_end(&f);
    }
    free(time[0]);
    free(time[1]);
    return bound;
}
