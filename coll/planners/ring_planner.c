/* ring_planner.c - every rank sends to the next rank and receives from the previous one (ECO,
 * section 5; for allreduce as in MPI libraries and Gloo).
 *
 * The ring is the tour of topology_map.h, which hn_topology_ring() also gives to programs. It
 * enters each subnet and host once (ECO, Figure 3c), and subnets in the order of the shortest tour.
 * So as few messages as possible use slow routes.
 *
 *     allgather(v)     n - 1 steps; in step t position i forwards the part of position i - t
 *     allreduce        the data in n pieces: a reduce_scatter, then an allgather, 2 (n - 1) steps
 *     reduce_scatter   only the first half
 *
 * Every link carries (n - 1) / n of the data (twice for allreduce), less than in any tree. So it
 * suits long messages on equal links. Short messages pay n - 1 latencies in sequence. Pieces are
 * combined in the order of the ring, so operators that do not commute are refused. Cost: O(n^2).
 */
#include "planners/planners.h"

#include "planners/topology_map.h"

#include "hnow.h"

#include <stdlib.h>

/* i may be negative. */
static int wrap(int i, int n)
{
    return (i % n + n) % n;
}

/* Appends step t: every position i sends piece i - t, and then receives. `offset` shifts the
 * pieces, so that the reduction of a piece ends at the position where its allgather begins. */
static void ring_step(const int *tour, int n, enum plan_kind kind, int offset, const int *piece,
                      struct plan *plan)
{
    for (int t = 0; t < n - 1; t++) {
        for (int i = 0; i < n; i++)
            plan_step(plan, tour[i], PLAN_SEND, tour[(i + 1) % n], piece[wrap(i - t + offset, n)],
                      1);
        for (int i = 0; i < n; i++)
            plan_step(plan, tour[(i + 1) % n], kind, tour[i], piece[wrap(i - t + offset, n)], 1);
    }
}

/* Sets the piece that each position owns (in operations with a part for each rank, the rank's part)
 * and writes all steps. */
static void ring_plan(const struct problem *problem, const int *tour, int *piece, struct plan *plan)
{
    int n = problem->req->ranks;
    enum operation op = problem->req->op;
    for (int i = 0; i < n; i++)
        piece[i] = op == OP_ALLREDUCE ? i : tour[i];
    if (op == OP_ALLREDUCE)
        plan_cut_pieces(plan, problem->req, n);
    else
        plan_cut(plan, problem->req, 0);
    /* The reduction of a piece starts at the position after its owner, and ends at the owner. */
    if (op == OP_ALLREDUCE || op == OP_REDUCE_SCATTER)
        ring_step(tour, n, PLAN_FOLD_LEFT, -1, piece, plan);
    if (op != OP_REDUCE_SCATTER)
        ring_step(tour, n, PLAN_RECV, 0, piece, plan);
}

void planner_ring(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks;
    int *tour = malloc((size_t)n * sizeof *tour), *piece = malloc((size_t)n * sizeof *piece);
    if (tour && piece) {
        int error = topology_tour(problem->model, tour);
        if (error)
            plan_fail(plan, error);
        else
            ring_plan(problem, tour, piece, plan);
    } else {
        plan_fail(plan, HN_ENOMEM);
    }
    free(tour);
    free(piece);
}
