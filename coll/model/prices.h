/* prices.h - what limits a broadcast in pieces: prices for the ports and media of a network.
 *
 * Give every resource (a send port, a receive port, a processor, a channel) a price. A message then
 * costs the time for which it occupies each resource, times the resource's price. However a plan
 * cuts the data, every piece reaches every rank along some tree, and no tree is cheaper than the
 * lightest one; and no resource is busy for longer than the makespan D. So
 *
 *     lightest tree <= sum over resources of price * busy time <= D * sum of prices.
 *
 * That is so of what grows with the bytes. Besides, every rank but the root gets a message, from
 * somebody who has got one: the starts of messages cost at least the lightest tree for what a
 * message of no bytes occupies. Both trees together are a bound, too.
 *
 * The largest such bound over all prices is the best steady state: this is the dual of the linear
 * programme that packs trees (Beaumont, Legrand, Marchal and Robert, "Pipelining broadcasts on
 * heterogeneous platforms", 2005). Multiplicative weights come close to it, in integers: a resource
 * becomes the dearer, the more the lightest trees so far have used it.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

struct prices {
    int ranks, root, resources;
    int *first; /* tolls of the edge from -> to: first[from * ranks + to] ... first[... + 1] - 1 */
    struct toll {
        int resource;
        int64_t time; /* >> shift */
    } * tolls;
    int shift;
    int64_t *price;     /* [resource] */
    int64_t *load;      /* [resource]: of the last tree, >> shift */
    int64_t *weight;    /* [from * ranks + to]: with the present prices */
    int *parent;        /* the last lightest tree */
    int64_t total;      /* what it costs */
    struct arena arena; /* of the arrays */
};

/* Times for which a message of so many bytes occupies ports and media; less_constants: only what
 * grows with the bytes. up: the edges of the tree are used from the child to the parent
 * (reductions). HN_OK or HN_ENOMEM; prices_end() in every case. */
int prices_begin(struct prices *p, const struct model *model, int root, int64_t bytes,
                 bool less_constants, bool up);
void prices_end(struct prices *p);

/* Finds the lightest tree of the present prices, and its loads. HN_OK or HN_ENOMEM. O(n^2) or
 * little more. */
int prices_tree(struct prices *p);
/* Of a message of no bytes: finds the lightest tree for the prices of `p`, which gets its loads
 * besides its own. HN_OK or HN_ENOMEM. */
int prices_starts(struct prices *starts, struct prices *p);
/* A time that no broadcast of the bytes can beat, from the last trees of what grows with the bytes,
 * and of what a message takes at its start. */
hn_time prices_bound(const struct prices *p, const struct prices *starts);
/* Makes what the last tree occupies dearer: the busiest by the part 1 / 2^speed. */
void prices_raise(struct prices *p, int speed);
/* Adds a tree from `root` to the loads of all resources ([resource], >> shift) so many times; less
 * than 0: takes it away. */
void prices_carry(const struct prices *p, const int *parent, int root, int times, int64_t *load);
/* Computes weight[], the cost of each edge with the present prices. */
void prices_weigh(struct prices *p);
/* Fills parent[tree * ranks + rank] with trees that share the work: each the lightest one beside
 * the others, in `passes` over all, with prices that tell more and more of the greatest loads.
 * load: zeros at first, then what all trees occupy. HN_OK or HN_ENOMEM. */
int prices_pack(struct prices *p, int trees, int passes, int *parent, int64_t *load);
/* Prices for a tree that joins others: (load / greatest load) to the power 2^steep. */
void prices_follow(struct prices *p, const int64_t *load, int steep);
