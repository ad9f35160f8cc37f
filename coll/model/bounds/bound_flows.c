/* bound_flows.c - lower bounds from prices of ports and channels (prices.h), for operations whose
 * data have many sources.
 *
 * For any prices the cost of an operation is at least that of its cheapest routing, and at most D
 * times the sum of all prices, where D is its time.
 *
 * - total exchange: the part of each pair takes its cheapest route, possibly by other ranks. With
 * the best prices this is the largest concurrent flow of all pairs (Basu and others, "Efficient
 * all-to-all collective communication schedules", arXiv 2309.13541).
 *
 * - allgather, reduce-scatter: each part reaches all ranks from its own, or its own from all, along
 * a tree that costs at least as much as the lightest one.
 *
 * - allreduce: consider groups that share their members' data. One group is the first to have
 * everything. Until then there was a tree into it, and then each of the others needs another
 * message. The same holds backwards in time: a tree out of one group, and before that a message out
 * of each other one.
 *
 * Prices follow the loads, as for broadcasts (bound_trees.c). Only bytes count, in models where
 * their cost is proportional. Cost: ROUNDS times n^3 for n ranks, at most WORK in total.
 */
#include "model/bounds/bounds.h"

#include "model/arborescence.h"
#include "model/levels.h"
#include "model/prices.h"

#include "hnow.h"

#include <string.h>

enum {
    RANKS_MOST = 64, /* gives WORK / RANKS_MOST^3 = 152 rounds */
    ROUNDS = 400,
    WORK = 40000000, /* rounds * ranks^3 */
    SPEEDS = 4,      /* prices rise by 1/4 at first, by 1/32 in the end */
    SUM_BITS = 13    /* bits dropped so that sums of RANKS_MOST^2 distances fit into 64 bits */
};

/* The prices and the loads of the last routing. `most` and the shift of the prices scale all costs.
 */
struct flows {
    const struct bounding *b;
    struct prices prices;
    int n;
    hn_time known; /* the best other bound */
    int64_t most;  /* bytes of the longest part, for which the prices' usage are computed */
    int *group;    /* [rank]: its group, for an allreduce */
    int groups;
    int64_t *distance; /* [from * n + to]; for groups: the lightest edge between two */
    int *edge;         /* [from * n + to]: that edge; or the first edge of the route */
    int *parent;
    struct arena arena; /* of the arrays */
};

/* Adds the load of `bytes` bytes on an edge; usage is for `most` bytes. */
static void add_edge(struct prices *p, int edge, int64_t bytes, int64_t most)
{
    for (int i = p->first[edge]; i < p->first[edge + 1]; i++)
        p->load[p->usage[i].resource] += wide_ratio(p->usage[i].time, bytes, most);
}

static int64_t part_cost(const struct flows *f, int64_t distance, int64_t bytes)
{
    return wide_ratio(distance, bytes, f->most) >> SUM_BITS;
}

/* ---- total exchange --------------------------------------------------------------------- */

/* All shortest routes by Floyd and Warshall's algorithm; edge[] has the first edge of each route.
 */
static void find_routes(struct flows *f)
{
    int n = f->n;
    for (int e = 0; e < n * n; e++) {
        f->distance[e] = e / n == e % n ? 0 : f->prices.weight[e];
        f->edge[e] = e;
    }
    for (int by = 0; by < n; by++)
        for (int from = 0; from < n; from++)
            for (int to = 0; to < n; to++) {
                int64_t sum = f->distance[from * n + by] + f->distance[by * n + to];
                if (sum < f->distance[from * n + to]) {
                    f->distance[from * n + to] = sum;
                    f->edge[from * n + to] = f->edge[from * n + by];
                }
            }
}

/* The cost of all parts by their cheapest routes. Loads are added along the routes. */
static int64_t cost_of_exchange(struct flows *f)
{
    int n = f->n;
    int64_t total = 0;
    find_routes(f);
    for (int part = 0; part < n * n; part++) {
        int64_t bytes = request_part_bytes(f->b->req, part);
        int to = part % n;
        if (part / n == to)
            continue;
        total += part_cost(f, f->distance[part], bytes);
        for (int at = part / n; at != to;) {
            int edge = f->edge[at * n + to];
            add_edge(&f->prices, edge, bytes, f->most);
            at = edge % n;
        }
    }
    return total;
}

/* ---- allgather, reduce-scatter ---------------------------------------------------------- */

/* Each part has a lightest tree of its own. 0: out of memory, a valid bound. */
static int64_t cost_of_parts(struct flows *f)
{
    int n = f->n;
    int64_t total = 0, own;
    for (int part = 0; part < n; part++) {
        int64_t bytes = request_part_bytes(f->b->req, part);
        if (arborescence(n, part, f->prices.weight, f->parent, &own) != HN_OK)
            return 0;
        total += part_cost(f, own, bytes);
        for (int rank = 0; rank < n; rank++)
            if (rank != part)
                add_edge(&f->prices, f->parent[rank] * n + rank, bytes, f->most);
    }
    return total;
}

/* ---- allreduce -------------------------------------------------------------------------- */

/* The graph of groups: for each pair the lightest edge between their members. */
static void contract(struct flows *f)
{
    int n = f->n, g = f->groups;
    for (int i = 0; i < g * g; i++)
        /* Larger than any weight, but sums of it do not overflow. */
        f->distance[i] = INT64_MAX / RANKS_MOST / 4;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            int at = f->group[from] * g + f->group[to];
            if (f->group[from] != f->group[to] &&
                f->prices.weight[from * n + to] < f->distance[at]) {
                f->distance[at] = f->prices.weight[from * n + to];
                f->edge[at] = from * n + to;
            }
        }
}

/* The cheapest edge out of a group to another one. */
static int cheapest_from(const struct flows *f, int from)
{
    int g = f->groups, best = from == 0 ? 1 : from * g;
    for (int to = 0; to < g; to++)
        if (to != from && f->distance[from * g + to] < f->distance[best])
            best = from * g + to;
    return best;
}

/* Cost of the tree out of a group, and an edge out of each other one. */
static int64_t cost_from(struct flows *f, int root)
{
    int64_t total = 0;
    if (arborescence(f->groups, root, f->distance, f->parent, &total) != HN_OK)
        return 0;
    for (int from = 0; from < f->groups; from++)
        total += from == root ? 0 : f->distance[cheapest_from(f, from)];
    return total;
}

/* The group that is first to have everything is unknown, so the cheapest one counts. */
static int64_t cost_of_allreduce(struct flows *f)
{
    int g = f->groups, best = 0;
    int64_t least = INT64_MAX;
    contract(f);
    for (int root = 0; root < g; root++) {
        int64_t cost = cost_from(f, root);
        best = cost < least ? root : best;
        least = int64_smaller(least, cost);
    }
    /* Computed again, so that parent[] is that of the best root. */
    least = int64_smaller(least, cost_from(f, best));
    for (int group = 0; group < g; group++)
        if (group != best) {
            add_edge(&f->prices, f->edge[cheapest_from(f, group)], 1, 1);
            add_edge(&f->prices, f->edge[f->parent[group] * g + group], 1, 1);
        }
    return least >> SUM_BITS;
}

/* ---- prices that follow the loads ------------------------------------------------------- */

/* The total is scaled by SUM_BITS in addition to the shift of the prices. */
static hn_time bound_of(const struct prices *p, int64_t total)
{
    struct prices scaled = *p, none = {0};
    scaled.total = total;
    scaled.shift += SUM_BITS;
    return prices_bound(&scaled, &none);
}

/* Weak duality: no prices give more than the load of the busiest resource of any single routing.
 * The routing is direct for a total exchange, else a chain of ranks from each part's rank. */
static hn_time most_of(struct flows *f)
{
    int n = f->n;
    bool direct = f->b->req->op == OP_ALLTOALL;
    struct prices *p = &f->prices;
    int64_t most = 0;
    for (int part = 0; part < request_parts(f->b->req); part++) {
        int64_t bytes = request_part_bytes(f->b->req, part);
        if (direct && part / n != part % n)
            add_edge(p, part, bytes, f->most);
        for (int hop = 0; hop + 1 < n && !direct; hop++)
            add_edge(p, (part + hop) % n * n + (part + hop + 1) % n, bytes, f->most);
    }
    for (int r = 0; r < p->resources; r++)
        most = int64_larger(most, p->load[r] + (p->idle[r] >> p->shift) + 1);
    return wide_int64(wide_up(wide_of(most), p->shift));
}

/* The same for an allreduce: a ring of groups, averaged over all roots. Of 2 * groups messages on
 * each edge, each of `groups` roots saves one into itself and one out of itself. */
static hn_time most_of_ring(struct flows *f)
{
    struct prices *p = &f->prices;
    int g = f->groups;
    hn_time most = 0;
    prices_weigh(p);
    contract(f);
    for (int group = 0; group < g; group++)
        add_edge(p, f->edge[group * g + (group + 1) % g], 1, 1);
    for (int r = 0; r < p->resources; r++)
        most = int64_larger(most,
                            wide_ratio(p->load[r], 2 * (g - 1), g) + (p->idle[r] >> p->shift) + 1);
    return wide_int64(wide_up(wide_of(most), p->shift));
}

/* Loads of one round determine the prices of the next one. Every round gives a valid bound. */
static hn_time follow_loads(struct flows *f, int64_t (*cost)(struct flows *))
{
    int n = f->n, rounds = WORK / (n * n * n);
    hn_time bound = 0;
    rounds = rounds < ROUNDS ? rounds : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        memset(f->prices.load, 0, (size_t)f->prices.resources * sizeof *f->prices.load);
        prices_weigh(&f->prices);
        bound = int64_larger(bound, bound_of(&f->prices, cost(f)));
        prices_add_idle(&f->prices);
        prices_raise(&f->prices, 2 + round * SPEEDS / rounds);
    }
    return bound;
}

/* One bound, starting from equal prices. */
static hn_time find(struct flows *f, bool up, int64_t (*cost)(struct flows *))
{
    hn_time bound = 0;
    int error = prices_begin(&f->prices, f->b->model, 0, f->most, true, up);
    if (!error)
        error = prices_wait(&f->prices, f->b->model, up, NULL, NULL, f->known);
    /* Only if some prices may give more than what is known. */
    if (!error && (f->groups > 0 ? most_of_ring(f) : most_of(f)) > f->known)
        bound = follow_loads(f, cost);
    prices_end(&f->prices);
    return bound;
}

/* Groups are subnets; members of a subnet share their data at no cost, which only lowers the bound.
 */
static hn_time among_subnets(struct flows *f)
{
    struct clusters c;
    hn_time bound = 0;
    if (clusters_of_model(&c, f->b->model) == HN_OK && c.count > 1) {
        memcpy(f->group, c.of, (size_t)f->n * sizeof *f->group);
        f->groups = c.count;
        bound = find(f, false, cost_of_allreduce);
    }
    clusters_end(&c);
    return bound;
}

/* The bound for the outermost groups, such as sites. */
static hn_time among_sites(struct flows *f)
{
    struct levels l;
    hn_time bound = 0;
    if (levels_begin(&l, f->b->model, NULL) == HN_OK && l.group[0].parts > 1) {
        f->groups = l.group[0].parts;
        for (int part = 0; part < f->groups; part++) {
            int begin, end;
            levels_part(&l, &l.group[0], part, &begin, &end);
            for (int i = begin; i < end; i++)
                f->group[l.member[i]] = part;
        }
        bound = find(f, false, cost_of_allreduce);
    }
    levels_end(&l);
    return bound;
}

/* 0 for operations that have no bound of this kind. */
static hn_time find_all(struct flows *f)
{
    switch (f->b->req->op) {
    case OP_ALLTOALL:
        return find(f, false, cost_of_exchange);
    case OP_ALLGATHER:
    case OP_ALLGATHERV:
        return find(f, false, cost_of_parts);
    case OP_REDUCE_SCATTER:
        return find(f, true, cost_of_parts);
    case OP_ALLREDUCE:
        return int64_larger(among_subnets(f), among_sites(f));
    default:
        return 0;
    }
}

hn_time bound_by_flows(const struct bounding *b, hn_time known)
{
    struct flows f = {.b = b, .known = known, .n = b->req->ranks};
    size_t n = (size_t)f.n;
    hn_time bound = 0;
    if (f.n < 2 || f.n > RANKS_MOST || b->model->port == PORT_BLOCKING)
        return 0;
    for (int part = 0; part < request_parts(b->req); part++)
        f.most = int64_larger(f.most, request_part_bytes(b->req, part));
    ARENA_ARRAYS(&f.arena, n, f.group, f.parent);
    ARENA_ARRAYS(&f.arena, n * n, f.distance, f.edge);
    if (f.most > 0 && !f.arena.failed)
        bound = find_all(&f);
    arena_free(&f.arena);
    return bound;
}
