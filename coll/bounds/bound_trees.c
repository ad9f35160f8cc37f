/* bound_trees.c - the lightest trees for prices of all ports and media (prices.h).
 *
 * Prices begin equal and follow the loads, in coarse steps first; every tree on the way gives a
 * bound, and the best one counts. Of a reduction the same trees are used upwards: every piece of
 * every contribution goes some way to the root.
 *
 * Cost: as many trees of O(n^2) as CELLS_MOST allows, up to ROUNDS_EACH * n, so only for few ranks.
 */
#include "bounds.h"

#include "prices.h"

#include "hnow.h"

enum { RANKS_MOST = 128, ROUNDS_EACH = 100, ROUNDS_MOST = 4000, CELLS_MOST = 8000000, SPEEDS = 4 };

hn_time bound_by_trees(const struct bounding *b)
{
    const struct request *req = b->req;
    int rounds = ROUNDS_EACH * req->ranks, room = CELLS_MOST / (req->ranks * req->ranks);
    struct prices p;
    hn_time bound = 0;
    bool up = req->op == OP_REDUCE || req->op == OP_ALLREDUCE;
    if ((req->op != OP_BCAST && !up) || req->ranks > RANKS_MOST || req->bytes == 0)
        return 0;
    rounds = (int)bound_smaller(rounds, bound_smaller(room, ROUNDS_MOST));
    int error = prices_begin(&p, b->model, req->root, request_part_bytes(req, 0), true, up);
    for (int round = 0; round < rounds && !error; round++) {
        error = prices_tree(&p);
        if (!error)
            bound = bound_larger(bound, prices_bound(&p));
        if (!error)
            prices_raise(&p, 3 + SPEEDS * round / rounds);
    }
    prices_end(&p);
    return error ? 0 : bound;
}
