/* relays.c - our own: every block has a rank of its own, its relay, which hears it straight from
 * those who have it, and sends it straight to those who want it. All connections are at work at
 * once.
 *
 * Where a connection is slower than the ports of its hosts (a switch whose file states no gaps; far
 * hosts, whose windows are small), n - 1 connections into a rank are n - 1 times as quick as one. A
 * tree uses one of them.
 *
 *     bcast             the root to the relay, which sends to all others
 *     reduce            all others to the relay, which combines and sends to the root
 *     allreduce         both: all to the relay, the relay to all
 *     allgather(v)      only the second half: a rank's part has the rank for its relay
 *     reduce_scatter    only the first
 *     scan, exscan      all to the relay, which combines them one after the other, and sends each
 *                       rank what has been combined before that one's turn
 *
 * (van de Geijn's scatter and allgather with all messages straight; Barnett and others 1994.)
 * Blocks come in rounds of one for each relay. A relay passes on its block of a round before it
 * takes in what the others pass on of a round before: its own has arrived meanwhile.
 *
 * Relays combine what comes from lower ranks, from the nearest on, and then from higher ones, so it
 * serves operators that do not commute.
 */
#include "planners/relays.h"

#include "planners/receivers.h"
#include "planners/planners.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>

struct relaying {
    const struct request *req;
    const struct model *multicasts; /* relays send multicasts of this network; NULL: rank by rank */
    struct plan *plan;
    int n;
    const int *relay;   /* [block] */
    int *first;         /* [round]: its first block; behind the last: the number of blocks */
    int rounds, *block; /* [relay]: its block of the round at hand; -1: it has none */
    int *to;            /* to whom a relay sends */
    struct arena arena; /* of the arrays */
};

static bool has_root(enum operation op)
{
    return op == OP_BCAST || op == OP_REDUCE;
}

static bool is_scan(enum operation op)
{
    return op == OP_SCAN || op == OP_EXSCAN;
}

/* In a round nobody has two blocks: where a send waits for its receiver, these would be sent in
 * another order than they are heard. */
static void find_rounds(struct relaying *r)
{
    int blocks = r->plan->block_count;
    for (int rank = 0; rank < r->n; rank++)
        r->block[rank] = -1; /* the last one that it has had */
    for (int i = 0; i < blocks; i++) {
        if (i == 0 || r->block[r->relay[i]] >= r->first[r->rounds - 1])
            r->first[r->rounds++] = i;
        r->block[r->relay[i]] = i;
    }
    r->first[r->rounds] = blocks;
}

static void turn_to(const struct relaying *r, int round)
{
    for (int rank = 0; rank < r->n; rank++)
        r->block[rank] = -1;
    for (int i = r->first[round]; i < r->first[round + 1]; i++)
        r->block[r->relay[i]] = i;
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

/* Every rank begins with the relay behind it, so that nobody hears from all at once. */
static void give_round(const struct relaying *r, int round)
{
    turn_to(r, round);
    for (int rank = 0; rank < r->n; rank++)
        for (int step = 1; step < r->n; step++) {
            int relay = (rank + step) % r->n;
            if (r->block[relay] >= 0 && gives(r, rank, relay))
                plan_step(r->plan, rank, PLAN_SEND, relay, r->block[relay], 1);
        }
}

static void receive(const struct relaying *r, int block, int relay, int from, enum plan_kind fold)
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
 * says nothing, keeps what it has. */
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

/* To those who take a block: one multicast, where there are some, or to each. */
static void distribute(const struct relaying *r, int block, int relay)
{
    int count = 0;
    for (int step = 1; step < r->n; step++)
        if (takes(r, (relay + step) % r->n, relay))
            r->to[count++] = (relay + step) % r->n;
    if (r->multicasts)
        receivers_send(r->multicasts, relay, r->to, count, block, 1, r->plan);
    for (int i = 0; i < count && !r->multicasts; i++)
        plan_step(r->plan, relay, PLAN_SEND, r->to[i], block, 1);
}

/* A relay hears what is given, in an order that may keep that of ranks, and passes it on. */
static void relay_block(const struct relaying *r, int block, int relay)
{
    for (int from = relay - 1; from >= 0; from--)
        receive(r, block, relay, from, PLAN_FOLD_LEFT);
    for (int i = relay + 1; i < r->n; i++) /* the last one's comes first */
        receive(r, block, relay, r->req->ordered ? i : r->n + relay - i, PLAN_FOLD_RIGHT);
    distribute(r, block, relay);
}

static void relay_round(const struct relaying *r, int round)
{
    for (int i = r->first[round]; i < r->first[round + 1]; i++)
        if (!is_scan(r->req->op))
            relay_block(r, i, r->relay[i]);
        else if (r->n > 1)
            relay_prefixes(r, i, r->relay[i]);
}

/* From the rank before on, whose message was the first of all that it sent. */
static void take_round(const struct relaying *r, int round)
{
    bool joins = r->req->op == OP_SCAN || (r->req->op == OP_REDUCE && !r->req->ordered);
    enum plan_kind kind = joins ? PLAN_FOLD_LEFT : PLAN_RECV;
    turn_to(r, round);
    for (int rank = 0; rank < r->n; rank++)
        for (int step = 1; step < r->n; step++) {
            int relay = (rank - step + r->n) % r->n;
            if (r->block[relay] >= 0 && takes(r, rank, relay))
                plan_step(r->plan, rank, kind, relay, r->block[relay], 1);
        }
}

static void relay_all(struct relaying *r, int ahead)
{
    find_rounds(r);
    for (int round = -ahead; round < r->rounds + ahead; round++) {
        if (round + ahead < r->rounds)
            give_round(r, round + ahead);
        if (round >= 0 && round < r->rounds)
            relay_round(r, round);
        if (round >= ahead)
            take_round(r, round - ahead);
    }
}

void relays_write(const struct request *req, const struct model *multicasts, const int *relay,
                  int ahead, struct plan *plan)
{
    struct relaying r = {
        .req = req, .multicasts = multicasts, .plan = plan, .n = req->ranks, .relay = relay};
    r.first = arena_array(&r.arena, (size_t)plan->block_count + 1, sizeof *r.first);
    ARENA_ARRAYS(&r.arena, (size_t)req->ranks, r.block, r.to);
    if (r.arena.failed)
        plan_fail(plan, HN_ENOMEM);
    else
        relay_all(&r, ahead);
    arena_free(&r.arena);
}

void relays_cut(const struct problem *problem, int pieces, struct plan *plan)
{
    const struct request *req = problem->req;
    int64_t elements = request_part_bytes(req, 0) / req->grain;
    if (problem->segment > 0)
        plan_cut(plan, req, problem->segment);
    else
        plan_cut_pieces(plan, req, elements >= pieces ? pieces : elements > 1 ? (int)elements : 1);
}

void planner_relays(const struct problem *problem, struct plan *plan)
{
    const struct request *req = problem->req;
    bool rooted = has_root(req->op) && req->ranks > 1;
    int n = req->ranks, relays = rooted ? n - 1 : n, first = rooted ? req->root + 1 : 0;
    if (request_parts(req) > 1) /* each whole: it has the rank that it belongs to for its relay */
        plan_cut(plan, req, 0);
    else
        relays_cut(problem, relays, plan);
    int *relay = malloc((size_t)plan->block_count * sizeof *relay);
    for (int block = 0; relay && block < plan->block_count; block++)
        relay[block] = (first + block % relays) % n;
    if (relay)
        relays_write(req, NULL, relay, 1, plan);
    else
        plan_fail(plan, HN_ENOMEM);
    free(relay);
}
