/* relays.c - our own: every block has a relay, a rank that receives it directly from the ranks that
 * have it and sends it directly to those that want it (van de Geijn's scatter and allgather with
 * direct messages: Barnett and others 1994). All connections are used at the same time.
 *
 * This suits networks whose connections are slower than the ports of their hosts: a switch whose
 * file has no gaps, or distant hosts with small windows. There n - 1 connections into a rank are
 * n - 1 times as fast as one, and a tree uses only one.
 *
 *     bcast             the root to the relay, which sends to all others
 *     reduce            all others to the relay, which combines and sends to the root
 *     allreduce         both: all to the relay, the relay to all
 *     allgather(v)      only the second half: a rank is the relay of its own part
 *     reduce_scatter    only the first half
 *     scan, exscan      all to the relay, which combines in the order of ranks, and sends each rank
 *                       the result of the ranks before it
 *
 * A round consists of one block for each relay. A relay forwards its block of a round before it
 * receives the others' blocks of an earlier round, since its own block arrives meanwhile.
 *
 * Relays combine contributions from lower ranks, nearest first, and then from higher ones. So they
 * serve operators that do not commute.
 *
 * Cost for k blocks of n ranks: O(k n) messages.
 */
#include "planners/relays.h"

#include "planners/receivers.h"
#include "planners/planners.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>

/* One call. block[] and to[] are set anew for each round. */
struct relaying {
    const struct request *req;
    const struct model *net; /* the network of multicasts; NULL: single messages */
    struct plan *plan;
    int n;
    const int *relay;   /* [block]: a rank */
    int *first;         /* [round]: its first block; first[rounds] is the number of blocks */
    int rounds, *block; /* [relay]: its block of the present round; -1: none */
    int *to;            /* receivers of a relay */
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

/* Divides the blocks into rounds. No rank relays two blocks of a round: if sends wait for their
 * receivers, these would be sent in another order than they are received. */
static void find_rounds(struct relaying *r)
{
    int blocks = r->plan->block_count;
    for (int rank = 0; rank < r->n; rank++)
        r->block[rank] = -1; /* no block in this round so far */
    for (int i = 0; i < blocks; i++) {
        if (i == 0 || r->block[r->relay[i]] >= r->first[r->rounds - 1])
            r->first[r->rounds++] = i;
        r->block[r->relay[i]] = i;
    }
    r->first[r->rounds] = blocks;
}

/* Sets block[] for a round. At most one block for each relay (find_rounds()). */
static void set_round(const struct relaying *r, int round)
{
    for (int rank = 0; rank < r->n; rank++)
        r->block[rank] = -1;
    for (int i = r->first[round]; i < r->first[round + 1]; i++)
        r->block[r->relay[i]] = i;
}

/* Whether a rank sends to a relay. In a reduction the root keeps its own contribution if the order
 * does not matter. */
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

/* Whether a rank receives from a relay. */
static bool takes(const struct relaying *r, int rank, int relay)
{
    if (is_scan(r->req->op))
        return rank != relay && rank > 0;
    bool root = has_root(r->req->op) && rank == r->req->root;
    if (rank == relay || r->req->op == OP_REDUCE_SCATTER)
        return false;
    return r->req->op == OP_REDUCE ? root : !root;
}

/* Appends the sends to the relays of a round. Every rank begins with the relay after it, so that no
 * relay receives from all ranks at once. */
static void give_round(const struct relaying *r, int round)
{
    set_round(r, round);
    for (int rank = 0; rank < r->n; rank++)
        for (int step = 1; step < r->n; step++) {
            int relay = (rank + step) % r->n;
            if (r->block[relay] >= 0 && gives(r, rank, relay))
                plan_step(r->plan, rank, PLAN_SEND, relay, r->block[relay], 1);
        }
}

/* The relay's receive of one contribution, if there is one. */
static void receive(const struct relaying *r, int block, int relay, int from, enum plan_kind fold)
{
    if (gives(r, from, relay))
        plan_step(r->plan, relay, r->req->op == OP_BCAST ? PLAN_RECV : fold, from, block, 1);
}

/* The relay combines its saved contribution and saves its own result. */
static void add_own(const struct relaying *r, int block, int relay)
{
    bool inclusive = r->req->op == OP_SCAN;
    if (!inclusive && relay > 0 && relay < r->n - 1)
        plan_step(r->plan, relay, PLAN_SEND, relay, block, 1);
    if (relay > 0 && (inclusive || relay < r->n - 1))
        plan_step(r->plan, relay, PLAN_FOLD_RIGHT, relay, block, 1);
    if (inclusive && relay < r->n - 1)
        plan_step(r->plan, relay, PLAN_SEND, relay, block, 1);
}

/* Computes the prefixes of a block, one after the other. The relay saves values by messages to
 * itself: its own contribution until its position is reached, and its own result until the end.
 * Rank 0, which receives nothing in an exscan, keeps its value. */
static void relay_prefixes(const struct relaying *r, int block, int relay)
{
    bool inclusive = r->req->op == OP_SCAN, last = relay == r->n - 1;
    if (inclusive ? relay > 0 : !last)
        plan_step(r->plan, relay, PLAN_SEND, relay, block, 1);
    for (int rank = 0; rank < r->n; rank++) {
        if (takes(r, rank, relay))
            plan_step(r->plan, relay, PLAN_SEND, rank, block, 1);
        if (rank == relay)
            add_own(r, block, relay);
        else if (gives(r, rank, relay))
            plan_step(r->plan, relay, rank > 0 ? PLAN_FOLD_RIGHT : PLAN_RECV, rank, block, 1);
    }
    if (!last)
        plan_step(r->plan, relay, PLAN_RECV, relay, block, 1);
}

/* Sends a block to all ranks that want it: by one multicast if possible, or by messages. Begins
 * with the rank after the relay, so that relays do not all send to the same rank at once. */
static void distribute(const struct relaying *r, int block, int relay)
{
    int count = 0;
    for (int step = 1; step < r->n; step++)
        if (takes(r, (relay + step) % r->n, relay))
            r->to[count++] = (relay + step) % r->n;
    if (r->net)
        receivers_send(r->net, relay, r->to, count, block, 1, r->plan);
    for (int i = 0; i < count && !r->net; i++)
        plan_step(r->plan, relay, PLAN_SEND, r->to[i], block, 1);
}

/* A relay receives the contributions, if necessary in the order of ranks, and distributes the
 * result. */
static void relay_block(const struct relaying *r, int block, int relay)
{
    for (int from = relay - 1; from >= 0; from--)
        receive(r, block, relay, from, PLAN_FOLD_LEFT);
    for (int i = relay + 1; i < r->n; i++) /* that of the last rank arrives first */
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

/* Appends the receives of a round. A rank begins with the preceding rank, whose first message was
 * for it. */
static void take_round(const struct relaying *r, int round)
{
    bool joins = r->req->op == OP_SCAN || (r->req->op == OP_REDUCE && !r->req->ordered);
    enum plan_kind kind = joins ? PLAN_FOLD_LEFT : PLAN_RECV;
    set_round(r, round);
    for (int rank = 0; rank < r->n; rank++)
        for (int step = 1; step < r->n; step++) {
            int relay = (rank - step + r->n) % r->n;
            if (r->block[relay] >= 0 && takes(r, rank, relay))
                plan_step(r->plan, rank, kind, relay, r->block[relay], 1);
        }
}

/* In each step of the loop three rounds are in progress: blocks are sent to relays, forwarded, and
 * received. */
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

/* The rounds follow from the relays, in the order of blocks. */
void relays_write(const struct request *req, const struct model *net, const int *relay, int ahead,
                  struct plan *plan)
{
    struct relaying r = {.req = req, .net = net, .plan = plan, .n = req->ranks, .relay = relay};
    r.first = arena_array(&r.arena, (size_t)plan->block_count + 1, sizeof *r.first);
    ARENA_ARRAYS(&r.arena, (size_t)req->ranks, r.block, r.to);
    if (r.arena.failed)
        plan_fail(plan, HN_ENOMEM);
    else
        relay_all(&r, ahead);
    arena_free(&r.arena);
}

/* No more pieces than elements, and at least one. */
void relays_cut(const struct problem *problem, int pieces, struct plan *plan)
{
    const struct request *req = problem->req;
    int64_t elements = request_part_bytes(req, 0) / req->grain;
    if (problem->segment > 0)
        plan_cut(plan, req, problem->segment);
    else
        plan_cut_pieces(plan, req, elements >= pieces ? pieces : elements > 1 ? (int)elements : 1);
}

/* Blocks are dealt to the relays in turn, beginning after the root: it does not relay its own data.
 */
void planner_relays(const struct problem *problem, struct plan *plan)
{
    const struct request *req = problem->req;
    bool rooted = has_root(req->op) && req->ranks > 1;
    int n = req->ranks, relays = rooted ? n - 1 : n, first = rooted ? req->root + 1 : 0;
    if (request_parts(req) > 1) /* parts are not cut: the relay of a part is its owner */
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
