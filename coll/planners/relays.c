/* relays.c - our own: every block has a rank of its own, its relay, which hears it straight from
 * those who have it, and tells it straight to those who want it. All connections are at work at
 * once.
 *
 * Where a connection is slower than the ports of its hosts (a switch whose file states no gaps; far
 * hosts, whose windows are small), n - 1 connections into a rank are n - 1 times as quick as one. A
 * tree uses one of them.
 *
 *     bcast             the root to the relay, which tells all others
 *     reduce            all others to the relay, which combines and tells the root
 *     allreduce         both: all to the relay, the relay to all
 *     allgather(v)      only the second half: a rank's part has the rank for its relay
 *     reduce_scatter    only the first
 *     scan, exscan      all to the relay, which combines them one after the other, and tells each
 *                       rank what has come together before that one's turn
 *
 * (van de Geijn's scatter and allgather with all messages straight; Barnett and others 1994.)
 * Blocks come in rounds of one for each relay. A relay passes on its block of a round before it
 * takes in what the others pass on of the round before: its own has come meanwhile.
 *
 * Relays combine what comes from lower ranks, from the nearest on, and then from higher ones, so it
 * serves operators that do not commute.
 */
#include "planners.h"

#include "hnow.h"

struct relaying {
    const struct request *req;
    struct plan *plan;
    int n, first, relays; /* the ranks (first + i) mod n pass on, i = 0 ... relays - 1 */
};

static bool has_root(enum operation op)
{
    return op == OP_BCAST || op == OP_REDUCE;
}

static bool is_scan(enum operation op)
{
    return op == OP_SCAN || op == OP_EXSCAN;
}

/* The block of a round that a rank passes on; -1: none. */
static int block_of(const struct relaying *r, int round, int relay)
{
    int place = (relay - r->first + r->n) % r->n;
    int64_t block = (int64_t)round * r->relays + place;
    return place < r->relays && block < r->plan->block_count ? (int)block : -1;
}

/* Who gives to a relay: of a reduction the root keeps its own, if the order does not matter. */
static bool gives(const struct relaying *r, int rank, int relay)
{
    if (is_scan(r->req->op))
        return rank != relay && rank < r->n - 1;
    bool root = has_root(r->req->op) && rank == r->req->root;
    if (rank == relay || r->req->op == OP_ALLGATHER || r->req->op == OP_ALLGATHERV)
        return false;
    if (r->req->op == OP_BCAST)
        return root;
    return !root || r->req->ordered;
}

static bool takes(const struct relaying *r, int rank, int relay)
{
    if (is_scan(r->req->op))
        return rank != relay && rank > 0;
    bool root = has_root(r->req->op) && rank == r->req->root;
    if (rank == relay || r->req->op == OP_REDUCE_SCATTER)
        return false;
    return r->req->op == OP_REDUCE ? root : !root;
}

/* Everybody begins with the relay behind it, so that nobody hears from all at once. */
static void give_round(const struct relaying *r, int round)
{
    for (int rank = 0; rank < r->n; rank++)
        for (int step = 1; step < r->n; step++) {
            int relay = (rank + step) % r->n, block = block_of(r, round, relay);
            if (block >= 0 && gives(r, rank, relay))
                plan_step(r->plan, rank, PLAN_SEND, relay, block, 1);
        }
}

static void hear(const struct relaying *r, int block, int relay, int from, enum plan_kind fold)
{
    if (gives(r, from, relay))
        plan_step(r->plan, relay, r->req->op == OP_BCAST ? PLAN_RECV : fold, from, block, 1);
}

/* It is the relay's own turn: what it has put aside joins in, and it puts aside its own result. */
static void take_turn(const struct relaying *r, int block, int relay)
{
    bool inclusive = r->req->op == OP_SCAN;
    if (!inclusive && relay > 0 && relay < r->n - 1)
        plan_step(r->plan, relay, PLAN_SEND, relay, block, 1);
    if (relay > 0 && (inclusive || relay < r->n - 1))
        plan_step(r->plan, relay, PLAN_FOLD_RIGHT, relay, block, 1);
    if (inclusive && relay < r->n - 1)
        plan_step(r->plan, relay, PLAN_SEND, relay, block, 1);
}

/* The prefixes of a block, one after the other. What the relay puts aside it sends to itself: its
 * own contribution until its turn, and its own result until the end. Rank 0, to which an exscan
 * tells nothing, keeps what it has. */
static void relay_prefixes(const struct relaying *r, int block, int relay)
{
    bool inclusive = r->req->op == OP_SCAN, last = relay == r->n - 1;
    if (inclusive ? relay > 0 : !last)
        plan_step(r->plan, relay, PLAN_SEND, relay, block, 1);
    for (int rank = 0; rank < r->n; rank++) {
        if (takes(r, rank, relay))
            plan_step(r->plan, relay, PLAN_SEND, rank, block, 1);
        if (rank == relay)
            take_turn(r, block, relay);
        else if (gives(r, rank, relay))
            plan_step(r->plan, relay, rank > 0 ? PLAN_FOLD_RIGHT : PLAN_RECV, rank, block, 1);
    }
    if (!last)
        plan_step(r->plan, relay, PLAN_RECV, relay, block, 1);
}

static void scan_round(const struct relaying *r, int round)
{
    for (int relay = 0; relay < r->n; relay++) {
        int block = block_of(r, round, relay);
        if (block >= 0 && r->n > 1)
            relay_prefixes(r, block, relay);
    }
}

/* A relay hears what is given, in an order that may keep that of ranks, and passes it on. */
static void relay_round(const struct relaying *r, int round)
{
    for (int relay = 0; relay < r->n; relay++) {
        int block = block_of(r, round, relay);
        for (int from = relay - 1; block >= 0 && from >= 0; from--)
            hear(r, block, relay, from, PLAN_FOLD_LEFT);
        for (int i = relay + 1; block >= 0 && i < r->n; i++) /* the last one's comes first */
            hear(r, block, relay, r->req->ordered ? i : r->n + relay - i, PLAN_FOLD_RIGHT);
        for (int step = 1; block >= 0 && step < r->n; step++)
            if (takes(r, (relay + step) % r->n, relay))
                plan_step(r->plan, relay, PLAN_SEND, (relay + step) % r->n, block, 1);
    }
}

/* From the rank before on, whose message was the first of all that it sent. */
static void take_round(const struct relaying *r, int round)
{
    bool joins = r->req->op == OP_SCAN || (r->req->op == OP_REDUCE && !r->req->ordered);
    enum plan_kind kind = joins ? PLAN_FOLD_LEFT : PLAN_RECV;
    for (int rank = 0; rank < r->n; rank++)
        for (int step = 1; step < r->n; step++) {
            int relay = (rank - step + r->n) % r->n, block = block_of(r, round, relay);
            if (block >= 0 && takes(r, rank, relay))
                plan_step(r->plan, rank, kind, relay, block, 1);
        }
}

/* No more than there are elements, but one. */
static int pieces_of(const struct request *req, int relays)
{
    int64_t elements = request_part_bytes(req, 0) / req->grain;
    return elements >= relays ? relays : elements > 1 ? (int)elements : 1;
}

void planner_relays(const struct problem *problem, struct plan *plan)
{
    const struct request *req = problem->req;
    struct relaying r = {.req = req, .plan = plan, .n = req->ranks, .relays = req->ranks};
    if (has_root(req->op) && req->ranks > 1) {
        r.first = req->root + 1;
        r.relays--;
    }
    if (request_parts(req) > 1) /* each whole: it has the rank that it belongs to for its relay */
        plan_cut(plan, req, 0);
    else if (problem->segment > 0)
        plan_cut(plan, req, problem->segment);
    else
        plan_cut_pieces(plan, req, pieces_of(req, r.relays));
    int rounds = (plan->block_count + r.relays - 1) / r.relays;
    give_round(&r, 0);
    for (int round = 0; round < rounds; round++) {
        give_round(&r, round + 1);
        if (is_scan(req->op))
            scan_round(&r, round);
        else
            relay_round(&r, round);
        if (round > 0)
            take_round(&r, round - 1);
    }
    take_round(&r, rounds - 1);
}
