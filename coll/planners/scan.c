/* scan.c - prefix operations: the chain, and doubling distances (Hillis and Steele 1986).
 *
 * An exscan is a scan by which everybody first gives its contribution to the next rank and then
 * forgets it; rank 0 has done its part with that. From then on rank `first` (0, or 1) begins:
 *
 *     chain      rank r waits for the prefix of r - 1, combines it from the left, passes it on: n -
 * 1 steps, but segments follow each other, and nobody sends more than once doubling   in stage s =
 * 1, 2, 4, ... rank r sends what it has to r + s, and combines what comes from r - s from the left:
 * it then holds the last 2 s contributions up to its own. ceil(log2 n) stages
 *
 * Both keep the order of ranks.
 */
#include "planners.h"

#include "hnow.h"

/* Everybody's contribution to the next rank; returns the first rank of the scan that remains. */
static int shift(const struct request *req, struct plan *plan)
{
    if (req->op != OP_EXSCAN)
        return 0;
    for (int r = 0; r + 1 < req->ranks; r++)
        plan_step(plan, r, PLAN_SEND, r + 1, 0, plan->block_count);
    for (int r = 1; r < req->ranks; r++)
        plan_step(plan, r, PLAN_RECV, r - 1, 0, plan->block_count);
    return 1;
}

void planner_scan_chain(const struct problem *problem, struct plan *plan)
{
    plan_cut(plan, problem->req, problem->segment);
    int first = shift(problem->req, plan);
    for (int r = first; r + 1 < problem->req->ranks; r++)
        for (int block = 0; block < plan->block_count; block++)
            plan_message(plan, r, r + 1, PLAN_FOLD_LEFT, block, 1);
}

void planner_scan_doubling(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks;
    plan_cut(plan, problem->req, 0);
    int first = shift(problem->req, plan);
    for (int s = 1; s < n - first; s *= 2) {
        for (int r = first; r + s < n; r++)
            plan_step(plan, r, PLAN_SEND, r + s, 0, 1);
        for (int r = first; r + s < n; r++)
            plan_step(plan, r + s, PLAN_FOLD_LEFT, r, 0, 1);
    }
}
