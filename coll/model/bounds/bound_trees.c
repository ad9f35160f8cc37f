/* bound_trees.c - the lightest trees for prices of all ports and media (prices.h).
 *
 * Prices start equal and follow the loads, at first in coarse steps. Every tree on the way gives a
 * bound; the best one counts. For a reduction the same trees are used upwards: every piece of every
 * contribution takes some route to the root.
 *
 * The number of messages is unknown, but every rank receives at least one. So the start-up of one
 * message each counts, too.
 *
 * Cost: twice as many trees of O(n^2) as CELLS_MOST allows, up to ROUNDS_EACH * n; so only for few
 * ranks (RANKS_MOST).
 */
#include "model/bounds/bounds.h"

#include "model/prices.h"

#include "hnow.h"

#include <stdlib.h>

enum {
    RANKS_MOST = 128,     /* gives CELLS_MOST / RANKS_MOST^2 = 488 rounds */
    ROUNDS_EACH = 100,    /* for each rank: with 30 the bound was up to 2 % lower */
    CELLS_MOST = 8000000, /* rounds * ranks^2 */
    SPEEDS = 4,           /* prices rise by 1/8 at first, by 1/64 in the end */
    IDLE_SHARE = 6        /* a speed ends after this part of its rounds without improvement */
};

/* Weak duality: no prices give more than the load of the busiest resource of any single tree. The
 * tree is the chain of ranks from the root on. */
static hn_time most_of(struct prices *p, struct prices *starts)
{
    hn_time most = 0;
    for (int rank = 0; rank < p->ranks; rank++)
        p->parent[rank] = (rank + p->ranks - 1) % p->ranks;
    prices_carry(p, p->parent, p->root, 1, p->load);
    prices_carry(starts, p->parent, p->root, 1, starts->load);
    for (int r = 0; r < p->resources; r++) {
        wide load = wide_plus(wide_up(wide_of(p->load[r]), p->shift),
                              wide_up(wide_of(starts->load[r]), starts->shift));
        most = int64_larger(most, wide_int64(wide_plus(load, wide_of(p->idle[r]))));
    }
    return most;
}

/* The best bound of so many trees. A speed without improvement for a while gives way to the next
 * one. */
static hn_time follow_loads(struct prices *p, struct prices *starts, int rounds)
{
    hn_time bound = 0;
    int each = rounds / SPEEDS + 1;
    for (int speed = 0; speed < SPEEDS; speed++)
        for (int round = 0, best = 0; round < each && round - best <= each / IDLE_SHARE; round++) {
            if (prices_tree(p) || prices_starts(starts, p))
                return 0;
            hn_time found = prices_bound(p, starts);
            best = found > bound ? round : best;
            bound = int64_larger(bound, found);
            prices_add_idle(p);
            prices_raise(p, 3 + speed);
        }
    return bound;
}

hn_time bound_by_trees(const struct bounding *b, hn_time known)
{
    const struct request *req = b->req;
    int rounds = ROUNDS_EACH * req->ranks, room = CELLS_MOST / (req->ranks * req->ranks);
    struct prices p, starts = {0};
    hn_time bound = 0;
    /* An allreduce contains a reduction, so the bound of the reduction holds for it. */
    bool up = req->op == OP_REDUCE || req->op == OP_ALLREDUCE;
    if ((req->op != OP_BCAST && !up) || req->ranks > RANKS_MOST || req->bytes == 0)
        return 0;
    rounds = (int)int64_smaller(rounds, room);
    hn_time *distance = calloc((size_t)req->ranks, sizeof *distance);
    int error = prices_begin(&p, b->model, req->root, request_part_bytes(req, 0), true, up);
    if (!error)
        error = prices_begin(&starts, b->model, req->root, 0, false, up);
    if (!error && distance && b->zones->c.count > 0)
        bound_distances(b, req->root, up, distance);
    if (!error && distance)
        error = prices_wait(&p, b->model, up, up ? NULL : distance, up ? distance : NULL, known);
    if (!error && most_of(&p, &starts) > known)
        bound = follow_loads(&p, &starts, rounds);
    prices_end(&p);
    prices_end(&starts);
    free(distance);
    return bound;
}
