/* halving.c - recursive halving for reduce_scatter, and with recursive doubling for allreduce
 * (Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005).
 *
 * q is the largest power of two <= n. The first 2 (n - q) ranks form pairs: the odd rank sends all
 * its data to the even one and is inactive from then on. The q active ranks are numbered from 0
 * in the order of ranks. In stage s the numbers v and v xor s exchange halves of their remaining
 * data: v keeps the pieces whose number agrees with v in bit s. After log2 q stages v holds the
 * complete piece v.
 *
 *     reduce_scatter   Piece v consists of the parts of v and of the inactive rank of its pair,
 *                      which gets its part at the end.
 *     allreduce        The data have q pieces. The stages are repeated in reverse order as an
 *                      allgather; then inactive ranks get the whole result.
 *
 * Every rank sends (n - 1) / n of the data (twice for allreduce), as in a ring, but in log2 n
 * stages: it suits medium and long data on equal links. If distant partners exchange first, pieces
 * are contiguous. If near ones exchange first, the order of ranks is kept, as operators that do not
 * commute need. Cost: O(n log n) messages, O(n^2) list entries.
 */
#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>

struct halving {
    const struct request *req;
    struct plan *plan;
    int q, aside; /* number of active ranks; number of inactive ones */
    int *blocks;  /* [ranks]: workspace for a list */
};

/* The rank of active number v: of a pair the even one. */
static int rank_of(const struct halving *h, int v)
{
    return v < h->aside ? 2 * v : v + h->aside;
}

/* Lists the blocks of the pieces p with (p xor v) & mask == 0; returns their number. */
static int list_pieces(const struct halving *h, int v, int mask, int *list)
{
    bool parts = h->req->op == OP_REDUCE_SCATTER;
    int count = 0;
    for (int p = 0; p < h->q; p++) {
        if ((p ^ v) & mask)
            continue;
        h->blocks[count++] = parts ? rank_of(h, p) : p;
        if (parts && p < h->aside)
            h->blocks[count++] = 2 * p + 1;
    }
    *list = plan_list(h->plan, h->blocks, count);
    return count;
}

/* Writes a stage.  Every active rank sends its partner the pieces that the partner keeps (halving),
 * or all pieces that it holds itself (doubling): those that agree with `owner` in the bits of the
 * mask. All ranks send before they receive. */
static void swap(const struct halving *h, int s, int mask, bool halve)
{
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < h->q; v++) {
            int list, partner = v ^ s, sent_to_me = halve ? v : partner;
            int owner = pass ? sent_to_me : sent_to_me ^ s;
            enum plan_kind fold = partner < v ? PLAN_FOLD_LEFT : PLAN_FOLD_RIGHT;
            int count = list_pieces(h, owner, mask, &list);
            plan_step(h->plan, rank_of(h, v),
                      pass == 0 ? PLAN_SEND
                      : halve   ? fold
                                : PLAN_RECV,
                      rank_of(h, partner), list, count);
        }
}

/* mask: the bits in which the pieces of a rank agree with its number. */
static void run(const struct halving *h)
{
    int all = h->plan->block_count, mask = 0;
    for (int v = 0; v < h->aside; v++)
        plan_message(h->plan, 2 * v + 1, 2 * v, PLAN_FOLD_RIGHT, 0, all);
    for (int stage = 1; stage < h->q; stage *= 2) {
        int s = h->req->ordered ? stage : h->q / 2 / stage;
        mask |= s;
        swap(h, s, mask, true);
    }
    if (h->req->op == OP_REDUCE_SCATTER) {
        for (int v = 0; v < h->aside; v++)
            plan_message(h->plan, 2 * v, 2 * v + 1, PLAN_RECV, 2 * v + 1, 1);
        return;
    }
    for (int stage = h->q / 2; stage > 0; stage /= 2) {
        int s = h->req->ordered ? stage : h->q / 2 / stage;
        swap(h, s, mask, false);
        mask &= ~s;
    }
    for (int v = 0; v < h->aside; v++)
        plan_message(h->plan, 2 * v, 2 * v + 1, PLAN_RECV, 0, all);
}

void planner_halving(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, q = 1;
    while (q <= n / 2)
        q *= 2;
    struct halving h = {problem->req, plan, q, n - q, malloc((size_t)n * sizeof(int))};
    if (problem->req->op == OP_ALLREDUCE)
        plan_cut_pieces(plan, problem->req, q);
    else
        plan_cut(plan, problem->req, 0);
    if (h.blocks)
        run(&h);
    else
        plan_fail(plan, HN_ENOMEM);
    free(h.blocks);
}
