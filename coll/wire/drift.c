/* drift.c - explains measured routes by ports, links and single routes (drift.h). Cost: O(n^2). */
#include "wire/drift.h"

#include "hnow.h"
#include "probe/internal.h"
#include "runtime/internal.h"

#include <stdlib.h>

/* Fewest bytes of a measuring message: with fewer, changes of the latency hide the time of the
 * bytes. Largest factor: no plan uses a route that is a thousand times slower, or worse. */
enum { SMALL = 16 << 10, FACTOR_MOST = 1000000 };
/* A busy machine sometimes answers later by this much. */
static const hn_time late_slack = 500000000; /* ps */

/* ---- what to measure -------------------------------------------------------------------- */

/* Whether a rank is the first one of its host. */
static bool is_first_of_host(const struct model *model, int rank)
{
    for (int r = 0; r < rank; r++)
        if (model->host && model->host[r] == model->host[rank])
            return false;
    return true;
}

/* The first ranks of the first two hosts of a rank's subnet; -1: none. All routes of the subnet are
 * measured with these two, so that a slow one of them can be recognized. */
static void find_firsts(const struct model *model, int rank, int first[2])
{
    first[0] = first[1] = -1;
    for (int r = 0; r < model->ranks && first[1] < 0; r++)
        if (model_subnet(model, r) == model_subnet(model, rank) && is_first_of_host(model, r))
            first[first[0] >= 0] = r;
}

/* The largest size, halved until it takes at most DRIFT_TIME on the unchanged route. */
static int64_t size_for(const struct model *model, int from, int to)
{
    int64_t bytes = DRIFT_BYTES_MOST;
    while (bytes > SMALL && model_deliver(model, from, to, bytes) > DRIFT_TIME)
        bytes /= 2;
    return bytes;
}

/* Both directions, one after the other in the list. */
static void add(struct drift *drift, const struct model *model, int a, int b)
{
    int64_t there = size_for(model, a, b), back = size_for(model, b, a);
    drift->routes[drift->count++] = (struct drift_route){a, b, there, DRIFT_NONE, 0};
    drift->routes[drift->count++] = (struct drift_route){b, a, back, DRIFT_NONE, 0};
}

/* Adds the pairs of a host that have not been added yet. */
static void add_pairs_of(struct drift *drift, const struct model *model, int rank)
{
    int mine[2], other[2];
    find_firsts(model, rank, mine);
    if (rank != mine[0])
        add(drift, model, mine[0], rank);
    if (rank != mine[0] && rank != mine[1])
        add(drift, model, mine[1], rank);
    /* The first host of each subnet is also measured with the first hosts of subnets before it. */
    for (int r = 0; r < rank && rank == mine[0]; r++) {
        find_firsts(model, r, other);
        if (r == other[0] && other[0] != mine[0])
            add(drift, model, r, rank);
    }
}

int drift_routes(const struct model *model, struct drift *drift)
{
    size_t n = (size_t)model->ranks;
    /* 2 n routes inside subnets, and fewer than n^2 between their first hosts, in both directions.
     */
    *drift = (struct drift){.routes = calloc(2 * n * (n + 2), sizeof *drift->routes)};
    if (!drift->routes)
        return HN_ENOMEM;
    for (int rank = 0; rank < model->ranks; rank++)
        if (is_first_of_host(model, rank))
            add_pairs_of(drift, model, rank);
    return HN_OK;
}

void drift_free(struct drift *drift)
{
    free(drift->routes);
    *drift = (struct drift){0};
}

/* ---- measurements ----------------------------------------------------------------------- */

/* A message of one byte in each direction takes the mean of both: only the sum is measured. */
static hn_time small_one(const struct model *model, const struct drift_route *route)
{
    return (model_deliver(model, route->from, route->to, 1) +
            model_deliver(model, route->to, route->from, 1)) /
           2;
}

/* Stated time of the bytes after the first one. At least 1 ps, since it is a divisor. */
static hn_time stated_time(const struct model *model, const struct drift_route *route)
{
    hn_time time = model_deliver(model, route->from, route->to, route->bytes) -
                   model_deliver(model, route->from, route->to, 1);
    return time > 0 ? time : 1;
}

/* Faster than stated counts as stated: the file has the undisturbed times. */
void drift_set(const struct model *model, struct drift_route *route, int64_t small, int64_t large)
{
    hn_time late = small * 1000 / 2 - small_one(model, route);
    int64_t factor = wide_ratio((large - small) * 1000, DRIFT_NONE, stated_time(model, route));
    route->late = late > 0 ? late : 0;
    route->factor = factor < DRIFT_NONE ? DRIFT_NONE : factor < FACTOR_MOST ? factor : FACTOR_MOST;
}

bool drift_is_slow(const struct drift_route *route)
{
    return route->factor > DRIFT_NONE || route->late > 0;
}

/* Whether two positive values differ by less than a half of the smaller one. */
static bool is_near(int64_t a, int64_t b)
{
    return a < b ? a + a / 2 > b : b + b / 2 > a;
}

/* Whether two delays of a small message are equal but for noise; `small` is its time without
 * delay. */
static bool is_near_delay(hn_time small, hn_time a, hn_time b)
{
    return (a < b ? b - a : a - b) < late_slack || is_near(small + a, small + b);
}

/* The previous value is kept within the noise. Otherwise the stated value is preferred, so that a
 * network that has recovered is the file's again. */
bool drift_decide(const struct model *model, struct drift *now, const struct drift *before)
{
    bool moved = false;
    for (int i = 0; i < now->count; i++) {
        struct drift_route *route = &now->routes[i];
        int64_t factor = before ? before->routes[i].factor : DRIFT_NONE;
        hn_time late = before ? before->routes[i].late : 0, small = small_one(model, route);
        route->factor = is_near(route->factor, factor)       ? factor
                        : is_near(route->factor, DRIFT_NONE) ? DRIFT_NONE
                                                             : route->factor;
        route->late = is_near_delay(small, route->late, late) ? late
                      : is_near_delay(small, route->late, 0)  ? 0
                                                              : route->late;
        moved = moved || route->factor != factor || route->late != late;
    }
    return moved;
}

/* Measured over stated time of the route's message. In thousandths. Wide numbers, since the
 * products exceed 64 bits. */
static int64_t slowness(const struct model *model, const struct drift_route *route)
{
    hn_time bytes = stated_time(model, route),
            stated = model_deliver(model, route->from, route->to, route->bytes);
    wide longer = wide_over(wide_product(bytes, route->factor), wide_of(DRIFT_NONE));
    wide now = wide_plus(longer, wide_of(stated - bytes + route->late));
    return wide_int64(wide_over(wide_times(now, DRIFT_NONE), wide_of(stated > 0 ? stated : 1)));
}

const struct drift_route *drift_worst(const struct model *model, const struct drift *drift,
                                      int64_t *ratio)
{
    const struct drift_route *worst = NULL;
    *ratio = DRIFT_NONE;
    for (int i = 0; i < drift->count; i++) {
        int64_t slow = slowness(model, &drift->routes[i]);
        if (drift_is_slow(&drift->routes[i]) && (!worst || slow > *ratio)) {
            worst = &drift->routes[i];
            *ratio = slow;
        }
    }
    return worst;
}

/* ---- what explains it ------------------------------------------------------------------- */

/* One of the two measured quantities, and what explains it; 0: unchanged. */
struct cause {
    const struct drift *drift;
    const struct model *model;
    int64_t (*of)(const struct model *model, const struct drift_route *route);
    int64_t *out, *in; /* [rank]: of its port, in each direction */
};

/* Measured time of a byte. Routes out of a slow port have this in common, not the factor: routes
 * that were slower before have a smaller one. 0: as stated. */
static int64_t byte_of(const struct model *model, const struct drift_route *route)
{
    hn_pair_cost stated =
        hn_net_pair(model_net(model), model_host(model, route->from), model_host(model, route->to));
    int64_t now = wide_ratio(stated.per_byte, route->factor, DRIFT_NONE);
    return route->factor == DRIFT_NONE ? 0 : now < HN_PER_BYTE_MOST ? now : HN_PER_BYTE_MOST;
}

/* Of all causes of lateness only the sum is measured: ps of a small message. */
static int64_t late_of(const struct model *model, const struct drift_route *route)
{
    (void)model;
    return route->late;
}

/* Value of a rank's port: the minimum over all routes out of it, or into it; 0 also if fewer than
 * two were measured. */
static int64_t of_port(const struct cause *c, int rank, bool out)
{
    int64_t least = INT64_MAX;
    int count = 0;
    for (int i = 0; i < c->drift->count; i++) {
        const struct drift_route *w = &c->drift->routes[i];
        if ((out ? w->from : w->to) != rank)
            continue;
        int64_t own = c->of(c->model, w);
        count++;
        least = own < least ? own : least;
    }
    return count >= 2 ? least : 0;
}

/* A single route is explained by its own measurement; 0: not measured, or unchanged. */
static int64_t of_route(const struct cause *c, int from, int to)
{
    for (int i = 0; i < c->drift->count; i++)
        if (c->drift->routes[i].from == from && c->drift->routes[i].to == to)
            return c->of(c->model, &c->drift->routes[i]);
    return 0;
}

/* Value of the link between two subnets (or inside one): the minimum over its routes that no port
 * explains. */
static int64_t of_link(const struct cause *c, int from, int to)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < c->drift->count; i++) {
        const struct drift_route *w = &c->drift->routes[i];
        if (model_subnet(c->model, w->from) != from || model_subnet(c->model, w->to) != to)
            continue;
        int64_t ports = int64_larger(c->out[w->from], c->in[w->to]), own = c->of(c->model, w);
        /* A link must be clearly slower than the ports explain; a quarter is noise. */
        int64_t rest = own > ports + ports / 4 ? own : 0;
        least = rest < least ? rest : least;
    }
    return least < INT64_MAX ? least : 0;
}

/* The change of a route, measured or not: the largest of what its ports, its link and its own
 * measurement explain. */
static int64_t explain(const struct cause *c, int from, int to)
{
    int64_t ports = int64_larger(c->out[from], c->in[to]);
    int64_t link = of_link(c, model_subnet(c->model, from), model_subnet(c->model, to));
    return int64_larger(int64_larger(ports, link), of_route(c, from, to));
}

/* Computes the values of all ports. The caller frees c->out, also after false (out of memory). */
static bool cause_init(struct cause *c, const struct drift *drift, const struct model *model,
                       int64_t (*of)(const struct model *, const struct drift_route *))
{
    size_t n = (size_t)model->ranks;
    int64_t *ports = malloc(2 * n * sizeof *ports);
    *c = (struct cause){drift, model, of, ports, ports + n};
    if (!ports)
        return false;
    for (int r = 0; r < model->ranks; r++) {
        c->out[r] = of_port(c, r, true);
        c->in[r] = of_port(c, r, false);
    }
    return true;
}

/* ---- making the changes ----------------------------------------------------------------- */

/* Slows down the first bytes of a message in the same way as the others. */
static void slow_down(hn_pair_cost *cost, int64_t byte)
{
    int64_t first = wide_ratio(cost->first_per_byte, byte, int64_larger(cost->per_byte, 1));
    cost->first_per_byte = first < HN_PER_BYTE_MOST ? first : HN_PER_BYTE_MOST;
    cost->per_byte = byte;
}

/* Applies both changes to a pair of hosts. Rates only become slower, and latencies longer. */
static int change_route(const struct cause *rate, const struct cause *latency, hn_net *net,
                        int from, int to)
{
    int a = model_host(rate->model, from), b = model_host(rate->model, to);
    int64_t byte = explain(rate, from, to);
    hn_time late = explain(latency, from, to);
    if (a == b || (byte == 0 && late == 0))
        return HN_OK;
    hn_pair_cost cost = hn_net_pair(net, a, b);
    if (byte > cost.per_byte)
        slow_down(&cost, byte);
    cost.latency = late < HN_TIME_MOST - cost.latency ? cost.latency + late : HN_TIME_MOST;
    return hn_net_set_pair(net, a, b, cost);
}

/* The port itself is slowed down, so that several messages through it share the slower rate. */
static int change_port(const struct cause *rate, hn_net *net, int rank)
{
    int host = model_host(rate->model, rank);
    hn_host_cost cost = *hn_net_host(net, host);
    cost.send_gap = int64_larger(cost.send_gap, rate->out[rank]);
    cost.recv_gap = int64_larger(cost.recv_gap, rate->in[rank]);
    return hn_net_set_host(net, host, &cost);
}

int drift_apply(const struct drift *drift, const struct model *model, hn_net *net)
{
    struct cause rate, latency = {0};
    int n = model->ranks, error = HN_OK;
    /* Links and single routes are explained after the ports, from what these leave. */
    if (!cause_init(&rate, drift, model, byte_of) || !cause_init(&latency, drift, model, late_of))
        error = HN_ENOMEM;
    for (int from = 0; from < n && !error; from++)
        for (int to = 0; to < n && !error; to++)
            if (is_first_of_host(model, from) && is_first_of_host(model, to))
                error = change_route(&rate, &latency, net, from, to);
    for (int r = 0; r < n && !error; r++)
        if (is_first_of_host(model, r))
            error = change_port(&rate, net, r);
    free(rate.out);
    free(latency.out);
    return error;
}
