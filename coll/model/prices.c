/* prices.c - resource use of edges ("usage"), and the lightest trees at given prices. */
#include "model/prices.h"

#include "model/arborescence.h"
#include "model/bounds/growth.h"

#include "hnow.h"

#include <string.h>

enum {
    FIRST_PRICE = 1 << 16, /* may grow 1024-fold before all prices are divided by 4 */
    PRICE_MOST = 1 << 26,  /* times TIME_MOST, times usage and ranks: below 2^63 */
    TIME_MOST = 1 << 24,
    CHEAPEST = 1 << 8,  /* lowest price, as a part of the highest */
    NO_RESOURCE = -1,   /* of a connection that is as fast as its route */
    LONG_DATA = 1 << 20 /* bytes: nearly all of their time grows with them */
};

/* ---- usage ------------------------------------------------------------------------------ */

/* Times for which a message occupies its ends, in the order of struct cost. With blocking ports
 * both are occupied for the whole transfer. */
static struct cost ends_of(const struct model *model, int from, int to, int64_t bytes)
{
    struct cost c = model_cost(model, from, to, bytes);
    hn_time all = c.send + c.travel + c.recv;
    return model->port == PORT_BLOCKING ? (struct cost){all, 0, all}
                                        : (struct cost){c.send, 0, c.recv};
}

/* The times that a bound may count: those that grow with the bytes, or all of them. */
static struct cost usage_at_ends(const struct model *model, int from, int to, int64_t bytes,
                                 bool less_constants)
{
    struct cost all = ends_of(model, from, to, bytes), none = ends_of(model, from, to, 0);
    if (!less_constants)
        return all;
    /* Pieces may have a shorter travel time than the whole, if that time counts at the ends. */
    hn_time saved = 0;
    if (model->port == PORT_BLOCKING)
        saved = model_cost(model, from, to, bytes).travel - model_cost(model, from, to, 0).travel -
                growth_least(model, from, to, bytes);
    return (struct cost){all.send - none.send - saved, 0, all.recv - none.recv - saved};
}

/* Travel time beyond that of an empty message. */
static hn_time time_of_bytes(const struct model *model, int from, int to, int64_t bytes)
{
    return model_cost(model, from, to, bytes).travel - model_cost(model, from, to, 0).travel;
}

/* Whether a connection is clearly slower than every channel of its route, for long data. */
static bool is_slow(const struct model *model, int from, int to)
{
    hn_channel route[HN_WAY_MOST];
    if (from == to)
        return false;
    int length = model_route(model, from, to, route);
    /* Clearly: by more than an eighth. */
    hn_time own = time_of_bytes(model, from, to, LONG_DATA), slowest = 0;
    for (int i = 0; i < length; i++)
        slowest = int64_larger(slowest, wide_ratio(LONG_DATA, route[i].per_byte, 1000));
    return length > 0 && own - own / 8 > slowest;
}

/* A slow connection is a resource, too: its route carries more over several connections. */
static void number_connections(struct prices *p, const struct model *model)
{
    /* Connections are numbered after all other resources. */
    for (int e = 0; e < p->ranks * p->ranks; e++)
        p->connection[e] =
            is_slow(model, e / p->ranks, e % p->ranks) ? p->resources++ : NO_RESOURCE;
}

/* Appends the usage of a message; returns their new number. Resources are, in this order: n send
 * ports (or processors), n receive ports (with blocking ports), channels, slow connections. */
static int add_usage(struct prices *p, const struct model *model, int from, int to, int64_t bytes,
                     bool less_constants, int count)
{
    int n = p->ranks, receiver = model->port == PORT_BLOCKING ? n + to : to;
    struct cost ends = usage_at_ends(model, from, to, bytes, less_constants);
    p->usage[count++] = (struct usage){from, ends.send};
    p->usage[count++] = (struct usage){receiver, ends.recv};
    hn_channel route[HN_WAY_MOST];
    int length = model->port == PORT_MEDIA ? model_route(model, from, to, route) : 0;
    hn_time most = 0;
    int64_t overhead = less_constants ? 0 : model_overhead(route, length, &most);
    /* The fixed time of a message on a bus counts at most `most` on any channel. */
    for (int i = 0; i < length; i++) {
        hn_time more = wide_ratio(overhead, route[i].per_byte, 1000);
        hn_time time = wide_ratio(bytes, route[i].per_byte, 1000) + (more < most ? more : most);
        p->usage[count++] = (struct usage){2 * n + route[i].id, time};
    }
    if (p->connection && p->connection[from * n + to] != NO_RESOURCE)
        p->usage[count++] =
            (struct usage){p->connection[from * n + to], time_of_bytes(model, from, to, bytes)};
    return count;
}

/* Scales times so that sums of price * time fit. */
static void scale(struct prices *p, int count)
{
    int64_t most = 0;
    for (int i = 0; i < count; i++)
        most = p->usage[i].time > most ? p->usage[i].time : most;
    while (most >> p->shift > TIME_MOST)
        p->shift++;
    for (int i = 0; i < count; i++)
        p->usage[i].time >>= p->shift;
}

/* The usage of all edges is stored, 2 to 3 + HN_WAY_MOST entries each: up to n^2 edges. `up`: the
 * edge from -> to of the tree carries a message from `to` to `from`. */
int prices_begin(struct prices *p, const struct model *model, int root, int64_t bytes,
                 bool less_constants, bool up)
{
    const hn_net *net = model->port == PORT_MEDIA ? model_net(model) : NULL;
    size_t n = (size_t)model->ranks, each = net ? 3 + HN_WAY_MOST : 2;
    int count = 0;
    *p = (struct prices){.ranks = model->ranks, .root = root};
    p->resources = 2 * model->ranks + (net ? hn_net_channel_count(net) : 0);
    p->first = arena_array(&p->arena, n * n + 1, sizeof *p->first);
    p->usage = arena_array(&p->arena, n * n * each, sizeof *p->usage);
    p->weight = arena_array(&p->arena, n * n, sizeof *p->weight);
    p->parent = arena_array(&p->arena, n, sizeof *p->parent);
    if (net && !less_constants)
        p->connection = arena_array(&p->arena, n * n, sizeof *p->connection);
    if (p->arena.failed)
        return HN_ENOMEM;
    if (p->connection)
        number_connections(p, model);
    for (int from = 0; from < p->ranks; from++)
        for (int to = 0; to < p->ranks; to++) {
            p->first[from * p->ranks + to] = count;
            if (from != to)
                count = add_usage(p, model, up ? to : from, up ? from : to, bytes, less_constants,
                                  count);
        }
    p->first[n * n] = count;
    scale(p, count);
    ARENA_ARRAYS(&p->arena, (size_t)p->resources, p->price, p->load, p->idle);
    if (p->arena.failed)
        return HN_ENOMEM;
    for (int r = 0; r < p->resources; r++)
        p->price[r] = FIRST_PRICE;
    return HN_OK;
}

void prices_end(struct prices *p)
{
    arena_free(&p->arena);
}

/* ---- idle times ------------------------------------------------------------------------- */

/* Time before anything can use a resource, and time that is still needed afterwards. */
struct ends {
    hn_time head, tail;
};

/* Lowers the least times of all resources of an edge to those of a message. It uses channels after
 * its send, and before the rest of its latency and its receive. The fixed time `most` of a bus or
 * port is a part of the latency during which it is in use. */
static void note_ends(const struct prices *p, const struct model *model, int edge, int from, int to,
                      struct ends besides, struct ends *least)
{
    hn_channel route[HN_WAY_MOST];
    struct cost none = model_cost(model, from, to, 0);
    hn_time most;
    model_overhead(route, model_route(model, from, to, route), &most);
    struct ends channel = {time_sum(besides.head, none.send),
                           time_sum(besides.tail, int64_larger(none.travel - most, 0) + none.recv)};
    for (int i = p->first[edge]; i < p->first[edge + 1]; i++) {
        struct ends own = i < p->first[edge] + 2 ? besides : channel; /* two ports come first */
        struct ends *all = &least[p->usage[i].resource];
        all->head = int64_smaller(all->head, own.head);
        all->tail = int64_smaller(all->tail, own.tail);
    }
}

int prices_wait(struct prices *p, const struct model *model, bool up, const hn_time *before,
                const hn_time *after, hn_time known)
{
    struct ends *least = arena_array(&p->arena, (size_t)p->resources, sizeof *least);
    for (int r = 0; r < p->resources && least; r++)
        least[r] = (struct ends){INT64_MAX, INT64_MAX};
    for (int e = 0; e < p->ranks * p->ranks && least; e++) {
        int from = up ? e % p->ranks : e / p->ranks, to = up ? e / p->ranks : e % p->ranks;
        struct ends besides = {before ? before[from] : 0, after ? after[to] : 0};
        if (from != to)
            note_ends(p, model, e, from, to, besides, least);
    }
    for (int r = 0; r < p->resources && least; r++)
        if (least[r].head < INT64_MAX)
            p->idle[r] = int64_smaller(time_sum(least[r].head, least[r].tail), known);
    return least ? HN_OK : HN_ENOMEM;
}

void prices_add_idle(struct prices *p)
{
    for (int r = 0; r < p->resources; r++)
        p->load[r] = time_sum(p->load[r], p->idle[r] >> p->shift);
}

/* ---- trees ------------------------------------------------------------------------------ */

/* The weight of an edge is what its message costs at the present prices. */
void prices_weigh(struct prices *p)
{
    int n = p->ranks;
    for (int e = 0; e < n * n; e++) {
        p->weight[e] = 0;
        for (int i = p->first[e]; i < p->first[e + 1]; i++)
            p->weight[e] += p->price[p->usage[i].resource] * p->usage[i].time;
    }
}

/* Grows the lightest tree from the root at the present prices, and computes its loads. */
int prices_tree(struct prices *p)
{
    int n = p->ranks;
    prices_weigh(p);
    int error = arborescence(n, p->root, p->weight, p->parent, &p->total);
    memset(p->load, 0, (size_t)p->resources * sizeof *p->load);
    if (!error)
        prices_carry(p, p->parent, p->root, 1, p->load);
    return error;
}

/* The result is divided by the sum of all prices. Wide numbers: totals may be near 2^63, shifted.
 */
hn_time prices_bound(const struct prices *p, const struct prices *starts)
{
    int64_t sum = 0;
    wide total = wide_plus(wide_up(wide_of(p->total), p->shift),
                           wide_up(wide_of(starts->total), starts->shift));
    for (int r = 0; r < p->resources; r++) {
        sum += p->price[r];
        total = wide_plus(total, wide_product(p->price[r], p->idle[r]));
    }
    return wide_int64(wide_over(total, wide_of(sum)));
}

/* Both use the same resources at the same prices, in different scales. */
int prices_starts(struct prices *starts, struct prices *p)
{
    int shift = p->shift - starts->shift;
    memcpy(starts->price, p->price, (size_t)p->resources * sizeof *p->price);
    int error = prices_tree(starts);
    for (int r = 0; r < p->resources; r++)
        p->load[r] += shift > 0 ? starts->load[r] >> shift : starts->load[r] << -shift;
    return error;
}

/* Multiplicative weights: the busiest resource's price grows by 1 / 2^speed, others' in proportion
 * to their loads. Only ratios matter, so large prices are divided now and then. */
void prices_raise(struct prices *p, int speed)
{
    int64_t busiest = 1, dearest = 0;
    for (int r = 0; r < p->resources; r++)
        busiest = p->load[r] > busiest ? p->load[r] : busiest;
    for (int r = 0; r < p->resources; r++) {
        p->price[r] += wide_ratio(p->price[r], p->load[r], busiest) >> speed;
        dearest = p->price[r] > dearest ? p->price[r] : dearest;
    }
    for (int r = 0; r < p->resources && dearest > PRICE_MOST; r++)
        p->price[r] = p->price[r] / 4 + 1;
}

/* Prices as a power of the loads; none is free, so that short routes are preferred. */
void prices_follow(struct prices *p, const int64_t *load, int steep)
{
    int64_t most = 1;
    for (int r = 0; r < p->resources; r++)
        most = load[r] > most ? load[r] : most;
    for (int r = 0; r < p->resources; r++) {
        int64_t price = wide_ratio(load[r], PRICE_MOST, most);
        for (int i = 0; i < steep; i++)
            price = price * price / PRICE_MOST;
        p->price[r] = price + PRICE_MOST / CHEAPEST;
    }
}

/* The root has no incoming edge: edge 0 is from rank 0 to itself and uses nothing. */
void prices_carry(const struct prices *p, const int *parent, int root, int times, int64_t *load)
{
    for (int rank = 0; rank < p->ranks; rank++) {
        int e = rank == root ? 0 : parent[rank] * p->ranks + rank;
        for (int i = p->first[e]; i < p->first[e + 1]; i++)
            load[p->usage[i].resource] += times * p->usage[i].time;
    }
}

/* Each tree in turn is taken out and grown again beside all others, at steeper prices in each pass.
 */
int prices_pack(struct prices *p, int trees, int passes, int *parent, int64_t *load)
{
    int error = HN_OK;
    for (int i = 0; i < passes * trees && !error; i++) {
        int *own = &parent[i % trees * p->ranks];
        if (i >= trees)
            prices_carry(p, own, p->root, -1, load);
        prices_follow(p, load, 2 + i / trees);
        error = prices_tree(p);
        memcpy(own, p->parent, (size_t)p->ranks * sizeof *own);
        prices_carry(p, own, p->root, 1, load);
    }
    return error;
}
