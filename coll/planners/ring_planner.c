/* ring_planner.c - every rank sends to the next rank and receives from the one before (ECO, section
 * 5; gloo and others for allreduce).
 *
 * The ring is the tour of topology_map.h, the same that hn_topology_ring() gives to programs: it
 * enters each subnet and host once (ECO, Figure 3c), and subnets in the best order, so that as few
 * messages as possible are on slow ways, and slow ways as short as can be.
 *
 *     allgather(v)     n - 1 steps; in step t place i passes on the part of place i - t
 *     allreduce        the data in n pieces: n - 1 steps that combine, then n - 1 that spread
 *     reduce_scatter   only the first half
 *
 * Every link carries (n - 1) / n of the data (twice for allreduce), which no tree reaches: the
 * choice for long messages on equal links.  With constants it loses: n - 1 of them, in a row.
 * Pieces are combined in the order of the ring, so it does not serve operators that do not commute.
 */
#include "planners/planners.h"

#include "planners/topology_map.h"

#include "hnow.h"

#include <stdlib.h>

static int wrap(int i, int n)
{
    return (i % n + n) % n;
}

/* Step t: place i sends piece i - t, all places at once, and then receives. `offset` shifts the
 * piece, so that combining ends where spreading begins. */
static void turn(const int *tour, int n, enum plan_kind kind, int offset, const int *piece,
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

/* Which piece a place owns: of operations with a part for each rank, the rank's. */
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
    /* Combining starts at the place behind the owner, and ends at the owner after n - 1 steps. */
    if (op == OP_ALLREDUCE || op == OP_REDUCE_SCATTER)
        turn(tour, n, PLAN_FOLD_LEFT, -1, piece, plan);
    if (op != OP_REDUCE_SCATTER)
        turn(tour, n, PLAN_RECV, 0, piece, plan);
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
