/* prices.h - a lower bound for broadcasts in pieces, from prices for ports and media.
 *
 * Give every resource (a send port, a receive port, a processor, a channel) a price. The cost of a
 * message is the sum, over all resources, of price * time for which it occupies the resource.
 * However a plan cuts the data, every piece reaches all ranks along some tree, which costs at least
 * as much as the lightest tree. No resource is busy for longer than the makespan D. So
 *
 *     lightest tree <= sum over resources of price * busy time <= D * sum of prices.
 *
 * This covers the costs that grow with the bytes. In addition every rank but the root receives at
 * least one message, from a rank that has received one. So the fixed costs are at least the
 * lightest tree for messages of no bytes. The sum of both trees is a bound as well.
 *
 * A resource is idle before the first data can reach it, and after the last data have passed it,
 * until these have travelled on. A plan need not use it at all, even if D is less than this time.
 * But if D is known to be at least K, it is busy for no longer than D - min(idle time, K). So
 *
 *     lightest tree + sum over resources of price * min(idle time, K) <= D * sum of prices.
 *
 * The largest such bound over all prices is the best steady state: it is the dual of the linear
 * program that packs trees (Beaumont, Legrand, Marchal and Robert, "Pipelining broadcasts on
 * heterogeneous platforms", 2005). The method of multiplicative weights approximates it in
 * integers: the more the lightest trees so far have used a resource, the more expensive it becomes.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

struct prices {
    int ranks, root, resources;
    int *first; /* usage of edge from -> to: first[from * ranks + to] ... first[... + 1] - 1 */
    struct usage {
        int resource;
        int64_t time; /* occupied time, >> shift */
    } * usage;
    int *connection; /* [from * ranks + to]: resource of a slow connection; NULL: for a bound */
    int shift;
    int64_t *price;     /* [resource] */
    int64_t *load;      /* [resource]: load of the last tree, >> shift */
    hn_time *idle;      /* [resource]: see prices_wait(); else 0 */
    int64_t *weight;    /* [from * ranks + to]: cost of each edge at the present prices */
    int *parent;        /* [rank]: the last lightest tree */
    int64_t total;      /* its total cost */
    struct arena arena; /* of the arrays */
};

/* Computes the times for which a message occupies ports, media and, for planners, slow connections.
 * less_constants: only what grows with the bytes, for bounds. up: the edges of the tree lead from
 * child to parent (reductions). HN_OK or HN_ENOMEM; call prices_end() in either case. */
int prices_begin(struct prices *p, const struct model *model, int root, int64_t bytes,
                 bool less_constants, bool up);
void prices_end(struct prices *p);
/* Computes idle[] for a bound. No data leave rank r before before[r], nor reach it later than
 * after[r] before the end (NULL: 0). `up` as in prices_begin(); known: a lower bound, K above.
 * HN_OK or HN_ENOMEM. */
int prices_wait(struct prices *p, const struct model *model, bool up, const hn_time *before,
                const hn_time *after, hn_time known);
/* Adds the idle times to load[]. */
void prices_add_idle(struct prices *p);

/* Finds the lightest tree at the present prices, and its loads. HN_OK or HN_ENOMEM. Usually
 * O(n^2). */
int prices_tree(struct prices *p);
/* `starts` is for messages of no bytes. Finds its lightest tree at the prices of `p` and adds its
 * loads to those of `p`. HN_OK or HN_ENOMEM. */
int prices_starts(struct prices *starts, struct prices *p);
/* A lower bound for the broadcast, from the last trees of `p` (what grows with the bytes) and
 * `starts` (fixed costs). */
hn_time prices_bound(const struct prices *p, const struct prices *starts);
/* Raises the prices of the resources that the last tree uses: that of the busiest by 1 /
 * 2^speed. */
void prices_raise(struct prices *p, int speed);
/* Adds `times` times the loads of a tree from `root` to load[resource] (>> shift); negative:
 * removes them. */
void prices_carry(const struct prices *p, const int *parent, int root, int times, int64_t *load);
/* Computes weight[], the cost of each edge at the present prices. */
void prices_weigh(struct prices *p);
/* Fills parent[tree * ranks + rank] with trees that share the network. Each is the lightest one
 * beside the others, in `passes` rounds over all trees; the prices depend more and more on the
 * largest loads. load[] must be zeros; it receives the load of all trees. HN_OK or HN_ENOMEM. */
int prices_pack(struct prices *p, int trees, int passes, int *parent, int64_t *load);
/* Sets the prices for a tree beside others: (load / largest load) to the power 2^steep. */
void prices_follow(struct prices *p, const int64_t *load, int steep);
