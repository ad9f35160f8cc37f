/* bound_late.c - for broadcasts in pieces: a rank that gets its first bytes late gets all of them
 * later, and has nothing to forward before. T(k) is the time before which no k ranks besides the
 * root can have anything (bound_spread.c).
 *
 *   ranks   The k-th rank to get anything has it at T(k). From then on, but for the constants of
 * its first message, all bytes must still pass its port. It is unknown which rank is the k-th one.
 * But in any order some rank has no less than the sum that is the largest when the latest times go
 * to the fastest ports.
 *
 *   routes  If ports are no limit, all routes into a rank together may be (media.h: one message at
 * a time between two ranks). The route from the k-th of the others carries nothing before that rank
 * has got something, T(k - 1), and sent it, S + X. The last messages of the routes are received one
 * after the other: one at best R before the end, the next one 2 R before it, ... So until a time D
 * the routes carry, in parts of all bytes, at most
 *
 *               sum over k of (D - S - X - T(k - 1) - k R)+ / time of all bytes on the route,
 *
 *           in any order of routes, if the fast ones are taken as the early ones. That must be at
 *           least 1. The sum of the positive terms is no less than that of the first few; so D is
 *           the smallest time for which the first so many terms sum up to 1.
 *
 * A reduction is a broadcast backwards, with sends and receives exchanged. A rank that has the
 * final sum has taken part in both, so both bounds hold for an allreduce, for any root.
 *
 * Cost: O(zones) for each rank, O(ranks log ranks) for each zone; so only up to FLOW_RANKS_MOST
 * ranks.
 */
#include "model/bounds/flow.h"

#include "hnow.h"

#include <stdlib.h>

/* first[k]: T(k + 1); port: workspace for all ranks. */
static hn_time by_ranks(const struct flow *f, const hn_time *first, hn_time *port)
{
    hn_time bound = 0;
    int count = 0, n = f->b->req->ranks;
    for (int rank = 0; rank < n; rank++)
        if (rank != f->b->req->root)
            port[count++] = flow_port(f, rank);
    values_sort(port, count);
    for (int k = 0; k < count; k++)
        bound = int64_larger(bound, first[k] + port[count - 1 - k]);
    return bound;
}

/* Time until which the routes of a rank can have carried all bytes. Terms are taken in the order of
 * ascending times; any number of them gives a valid time, and the smallest counts. */
static hn_time by_routes_of(const struct flow *f, int zone, const hn_time *first)
{
    hn_time bound = INT64_MAX, again = f->out ? f->min.each.send : f->min.each.recv;
    hn_time once = f->min.each.send + f->min.each.travel + f->min.each.recv - again;
    if (!flow_route_times(f, zone))
        return 0;
    int bits = flow_bits(f->route_time[0]);
    wide rates = wide_of(0), lost = wide_up(wide_of(1), bits); /* all bytes, and the idle time */
    /* Sum of rates, and of rates times the time at which each route opens. */
    for (int k = 0; k < f->b->req->ranks - 1; k++) {
        int64_t rate = flow_rate(f->route_time[k], bits);
        hn_time opens = once + (k > 0 ? first[k - 1] : 0) + (k + 1) * again;
        rates = wide_plus(rates, wide_of(rate));
        lost = wide_plus(lost, wide_product(opens, rate));
        bound = int64_smaller(bound, wide_int64(wide_over(lost, rates)));
    }
    return bound;
}

/* Inside the root's own zone only other members count. */
static hn_time by_routes(const struct flow *f, const hn_time *first)
{
    const struct clusters *c = &f->b->zones->c;
    hn_time bound = 0;
    for (int zone = 0; zone < c->count && f->b->model->port == PORT_MEDIA; zone++)
        if (c->first[zone + 1] - c->first[zone] > 1 || c->of[f->b->req->root] != zone)
            bound = int64_larger(bound, by_routes_of(f, zone, first));
    return bound;
}

/* up: for a reduction. 0 when out of memory, which is a valid bound. */
static hn_time one_route(const struct bounding *b, bool up)
{
    int n = b->req->ranks;
    struct flow f;
    hn_time bound = 0, *first = malloc((size_t)n * sizeof *first),
            *port = malloc((size_t)n * sizeof *port);
    int error = flow_begin(&f, b, up);
    if (!error && first && port &&
        bound_copy_times(up ? f.min.in : f.min.out, f.min.deliver, n - 1, first))
        bound = int64_larger(by_ranks(&f, first, port), by_routes(&f, first));
    flow_end(&f);
    free(first);
    free(port);
    return bound;
}

hn_time bound_by_late(const struct bounding *b)
{
    enum operation op = b->req->op;
    hn_time bound = 0;
    if (b->req->ranks > FLOW_RANKS_MOST || b->req->bytes == 0)
        return 0;
    if (op == OP_BCAST || op == OP_ALLREDUCE)
        bound = one_route(b, false);
    if (op == OP_REDUCE || op == OP_ALLREDUCE)
        bound = int64_larger(bound, one_route(b, true));
    return bound;
}
