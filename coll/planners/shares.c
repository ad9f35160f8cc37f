/* shares.c - our own: relays (relays.c), where quick ranks pass on more than slow ones.
 *
 * Whatever tree a slow rank is in, it must hear all data of a broadcast, which may keep its
 * port busy for as long as the best plan takes; then every block that it passes on besides makes
 * the operation longer. With a relay for every block this is a matter of how many blocks each rank
 * passes on: who passes on a block of n ranks sends it n - 2 times more often than others (combines
 * it, in a reduction; both, in an allreduce). The blocks are dealt out so that the busiest port has
 * the least to do: one after the other, each to the rank that is done first with it besides all
 * that it has. (The steady state of Beaumont, Legrand, Marchal and Robert, "Pipelining broadcasts
 * on heterogeneous platforms", 2005, where all trees have two levels.) Then every rank's turns are
 * spread evenly.
 *
 * Where a subnet carries multicasts (cast_shares), relays of an allreduce send to all at once; what
 * is dealt out then is what they hear.
 *
 * Cost for k blocks and n ranks: O(n^2 + k n), and the steps.
 */
#include "planners/relays.h"

#include "planners/receivers.h"
#include "planners/planners.h"
#include "planners/arrival_order.h"

#include "model/bottleneck.h"

#include "hnow.h"

#include <stdlib.h>

enum {
    AHEAD = 3,  /* who has more blocks to pass on than others must not wait for theirs */
    PIECES = 2, /* times the ranks: of data that are not to be cut, so that slow ranks have less */
    CELLS_MOST = 1 << 14 /* blocks * ranks: more take longer to plan than is won */
};

/* Where relays send multicasts, ranks differ less; and all may do it at the same time. False:
 * there are too many blocks. */
static bool cut(const struct problem *problem, bool multicasts, struct plan *plan)
{
    int ranks = problem->req->ranks;
    int64_t most = MULTICAST_AT_ONCE / ranks, bytes = request_part_bytes(problem->req, 0);
    struct problem fine = *problem;
    if (multicasts && (fine.segment > 0 ? fine.segment : bytes / ranks) > most)
        fine.segment = most;
    relays_cut(&fine, multicasts ? ranks : PIECES * ranks, plan);
    return !multicasts || plan->block_count <= CELLS_MOST / ranks;
}

struct share {
    hn_time load, each; /* what its port has to do: so far; for a block that it passes on besides */
    int blocks, dealt;
};

/* What a block takes of a rank's port, out of it or into it: on the way to or from whoever has the
 * quickest. */
static hn_time port_time(const struct model *model, int rank, int64_t bytes, bool out)
{
    hn_time least = model->ranks > 1 ? INT64_MAX : 0;
    for (int other = 0; other < model->ranks; other++) {
        if (other == rank)
            continue;
        hn_time time = out ? bottleneck_time(model, rank, other, bytes)
                           : bottleneck_time(model, other, rank, bytes);
        least = time < least ? time : least;
    }
    return least;
}

/* What every rank's busier port has to do if it passes on nothing, and for each block more. Who
 * does not pass on a block of a broadcast only hears it, which is the same for all plans; so is
 * what ranks send where relays send multicasts. */
static void begin_shares(struct share *share, const struct problem *problem, bool multicasts,
                         int blocks)
{
    const struct request *req = problem->req;
    bool all = req->op == OP_ALLREDUCE;
    int64_t bytes = problem_bytes(problem);
    for (int rank = 0; rank < req->ranks; rank++) {
        hn_time out = 0, in = 0;
        if ((all && !multicasts) || req->op == OP_BCAST)
            out = port_time(problem->model, rank, bytes, true);
        if (all || req->op == OP_REDUCE)
            in = port_time(problem->model, rank, bytes, false);
        hn_time port = out > in ? out : in;
        share[rank] = (struct share){.each = port * (req->ranks - 2)};
        if (all || rank == req->root)
            share[rank].load = port * blocks;
    }
}

/* Whose turn it is: the lowest rank of those that have had the least of their blocks. */
static int next_turn(const struct share *share, int ranks)
{
    int best = -1;
    for (int rank = 0; rank < ranks; rank++) {
        const struct share *s = &share[rank], *b = &share[best < 0 ? 0 : best];
        if (s->dealt < s->blocks && (best < 0 || (2 * (int64_t)s->dealt + 1) * b->blocks <
                                                     (2 * (int64_t)b->dealt + 1) * s->blocks))
            best = rank;
    }
    return best;
}

static void deal(struct share *share, int ranks, int *relay, int blocks)
{
    for (int block = 0; block < blocks; block++) {
        struct share *least = share;
        for (int rank = 1; rank < ranks; rank++)
            if (share[rank].load + share[rank].each < least->load + least->each)
                least = &share[rank];
        least->load += least->each;
        least->blocks++;
    }
    for (int block = 0; block < blocks; block++) {
        relay[block] = next_turn(share, ranks);
        share[relay[block]].dealt++;
    }
}

static void plan_shares(const struct problem *problem, bool multicasts, struct plan *plan)
{
    const struct request *req = problem->req;
    int *relay = malloc((size_t)plan->block_count * sizeof *relay);
    struct share *share = malloc((size_t)req->ranks * sizeof *share);
    if (relay && share) {
        begin_shares(share, problem, multicasts, plan->block_count);
        deal(share, req->ranks, relay, plan->block_count);
        relays_write(req, multicasts ? problem->model : NULL, relay, AHEAD, plan);
    } else {
        plan_fail(plan, HN_ENOMEM);
    }
    free(relay);
    free(share);
}

void planner_shares(const struct problem *problem, struct plan *plan)
{
    cut(problem, false, plan);
    plan_shares(problem, false, plan);
}

/* What others have passed on comes while a rank still waits for what it is to pass on. Where sends
 * wait for their receivers, relays have to send to one after the other. */
void planner_cast_shares(const struct problem *problem, struct plan *plan)
{
    bool nonblocking = problem->model->port != PORT_BLOCKING;
    struct plan *draft = plan_new(problem->req->ranks);
    int error = draft ? HN_OK : HN_ENOMEM;
    if (!model_multicasts_any(problem->model) || !cut(problem, nonblocking, plan))
        error = HN_EPLAN;
    if (!error && cut(problem, nonblocking, draft)) {
        plan_shares(problem, nonblocking, draft);
        error = plan_finish(draft);
    }
    if (error)
        plan_fail(plan, error);
    else
        arrival_order_write(problem, draft, plan);
    plan_free(draft);
}
