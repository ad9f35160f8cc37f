/* shares.c - our own: relays (relays.c) among which fast ranks forward more blocks than slow ones.
 *
 * Every rank must receive all data of a broadcast. This may occupy the port of a slow rank for as
 * long as the best plan takes, and then every block that it forwards makes the operation longer.
 * With a relay for every block, only the number of blocks of each rank matters. The relay of a
 * block sends it n - 2 times more often than other ranks do; in a reduction it combines it as
 * often, in an allreduce both. Each block in turn is assigned to the rank that would end first,
 * which minimizes the work of the busiest port. (This is the steady state of Beaumont, Legrand,
 * Marchal and Robert, "Pipelining broadcasts on heterogeneous platforms", 2005, if all trees have
 * two levels.) Then the blocks of every rank are distributed evenly over the sequence of blocks.
 *
 * In a subnet that carries multicasts (cast_shares), relays of an allreduce send to all ranks at
 * once. Then the load of a relay is its receives.
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
    AHEAD = 3,  /* rounds by which receives are later than sends */
    PIECES = 2, /* blocks for each rank if data are not cut, so that slow ranks can have fewer */
    CELLS_MOST = 1 << 14 /* blocks * ranks: more take longer to plan than they gain */
};

/* Cuts the data into segments or into pieces for each rank. If relays send multicasts, ranks differ
 * less, and all may send at the same time. false: too many blocks. */
static bool cut(const struct problem *problem, bool multi, struct plan *plan)
{
    int ranks = problem->req->ranks;
    int64_t most = MULTICAST_AT_ONCE / ranks, bytes = request_part_bytes(problem->req, 0);
    struct problem fine = *problem;
    if (multi && (fine.segment > 0 ? fine.segment : bytes / ranks) > most)
        fine.segment = most;
    relays_cut(&fine, multi ? ranks : PIECES * ranks, plan);
    return !multi || plan->block_count <= CELLS_MOST / ranks;
}

/* One rank's part in forwarding. */
struct share {
    hn_time load, each; /* work of its port so far, and for each block that it forwards */
    int blocks, dealt;
};

/* Time (ps) for which a block occupies a rank's port (out or in), on the fastest route. */
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

/* Computes the work of every rank's busier port if it forwards nothing, and for each block that it
 * forwards. Receives of a broadcast without forwarding are the same in all plans; so are the ranks'
 * sends if relays send multicasts. */
static void begin_shares(struct share *share, const struct problem *problem, bool multi, int blocks)
{
    const struct request *req = problem->req;
    bool all = req->op == OP_ALLREDUCE;
    int64_t bytes = problem_bytes(problem);
    for (int rank = 0; rank < req->ranks; rank++) {
        hn_time out = 0, in = 0;
        if ((all && !multi) || req->op == OP_BCAST)
            out = port_time(problem->model, rank, bytes, true);
        if (all || req->op == OP_REDUCE)
            in = port_time(problem->model, rank, bytes, false);
        hn_time port = out > in ? out : in;
        share[rank] = (struct share){.each = port * (req->ranks - 2)};
        if (all || rank == req->root)
            share[rank].load = port * blocks;
    }
}

/* The relay of the next block: the rank that has got the smallest fraction of its blocks so far;
 * among equals the lowest. */
static int next_relay(const struct share *share, int ranks)
{
    int best = -1;
    for (int rank = 0; rank < ranks; rank++) {
        /* Compares (dealt + 1/2) / blocks without a division, so that the blocks of each rank are
         * spread evenly. */
        const struct share *s = &share[rank], *b = &share[best < 0 ? 0 : best];
        if (s->dealt < s->blocks && (best < 0 || (2 * (int64_t)s->dealt + 1) * b->blocks <
                                                     (2 * (int64_t)b->dealt + 1) * s->blocks))
            best = rank;
    }
    return best;
}

/* First decides how many blocks each rank forwards, then which ones. */
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
        relay[block] = next_relay(share, ranks);
        share[relay[block]].dealt++;
    }
}

static void plan_shares(const struct problem *problem, bool multi, struct plan *plan)
{
    const struct request *req = problem->req;
    /* relay[block]: the rank that sends the block to all others. */
    int *relay = malloc((size_t)plan->block_count * sizeof *relay);
    struct share *share = malloc((size_t)req->ranks * sizeof *share);
    if (relay && share) {
        begin_shares(share, problem, multi, plan->block_count);
        deal(share, req->ranks, relay, plan->block_count);
        relays_write(req, multi ? problem->model : NULL, relay, AHEAD, plan);
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

/* Blocks of other relays arrive while a rank still waits for its own, so the draft's receives are
 * sorted by arrival.  If sends wait for their receivers, relays have to send to one rank after the
 * other. */
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
        arrival_order(problem, draft, plan);
    plan_free(draft);
}
