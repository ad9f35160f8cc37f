/* scan.c - prefix operations at growing distances (scan_doubling: Hillis and Steele 1986).
 *
 * In stage s = 1, k, k^2, ... rank r sends its value to r + s, r + 2 s, ..., r + (k - 1) s, and
 * combines the values of r - s, r - 2 s, ... as left operands. Then it holds the sum of the last k
 * s contributions up to its own. There are ceil(log_k n) stages. k = 2 is the algorithm of Hillis
 * and Steele; a larger radix k (our own) has fewer stages of more messages, which suits long
 * latencies.
 *
 * An exscan is a scan of shifted data: every rank first sends its contribution to the next rank and
 * drops it. Rank 0 then takes no part in the scan, which begins at rank `first` (0 or 1).
 *
 * The order of ranks is kept. Cost: O(n k log_k n) messages.
 */
#include "planners/planners.h"

#include "hnow.h"

int planner_shift(const struct request *req, struct plan *plan)
{
    if (req->op != OP_EXSCAN)
        return 0;
    for (int r = 0; r + 1 < req->ranks; r++)
        plan_step(plan, r, PLAN_SEND, r + 1, 0, plan->block_count);
    for (int r = 1; r < req->ranks; r++)
        plan_step(plan, r, PLAN_RECV, r - 1, 0, plan->block_count);
    return 1;
}

/* Appends the sends (or receives) of every rank from `first` on to the rank at this distance. */
static void shift(struct plan *plan, int first, int64_t distance, bool sends)
{
    for (int r = first; r + distance < plan->ranks; r++)
        if (sends)
            plan_step(plan, r, PLAN_SEND, r + (int)distance, 0, 1);
        else
            plan_step(plan, r + (int)distance, PLAN_FOLD_LEFT, r, 0, 1);
}

void planner_scan_doubling(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, radix = problem->arity;
    plan_cut(plan, problem->req, 0);
    if (radix < 2)
        plan_fail(plan, HN_EPLAN);
    int first = planner_shift(problem->req, plan);
    for (int64_t s = 1; s < n - first && radix > 1; s *= radix)
        /* All sends of a stage come before its receives: partial sums must be sent before operands
         * are combined with them. */
        for (int sends = 1; sends >= 0; sends--)
            for (int j = 1; j < radix && j * s < n; j++)
                shift(plan, first, j * s, sends);
}

int planner_end_of_run(const struct problem *problem, int rank)
{
    int subnet = model_subnet(problem->model, rank), last = rank;
    while (last + 1 < problem->req->ranks && model_subnet(problem->model, last + 1) == subnet)
        last++;
    return last;
}
