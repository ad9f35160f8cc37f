/* doubling.c - exchanges at doubling distances: recursive doubling and dissemination.
 *
 * Recursive doubling (CHARMM's butterfly, ECO section 6): with q the largest power of two <= n, the
 * ranks from q on first give their data to rank - q; then in stages s = 1, 2, 4, ... < q the ranks
 * r and r xor s exchange all they have; last, the ranks from q on get the result.  log2 n stages
 * instead of the 2 log2 n of a tree up and down, each with all ranks sending: good on switches,
 * ECO's bad example on buses. Both partners combine as (lower) o (higher), so all get the same
 * bits; a rank >= q stands beside rank - q, so the order of ranks is kept only when n is a power of
 * two.
 *
 * Dissemination (Hensgen, Finkel and Manber) for the barrier: in stage s = 1, 2, 4, ... < n rank r
 * tells r + s what it has heard of.  ceil(log2 n) stages for every n.
 */
#include "planners.h"

#include "hnow.h"

#include <stdlib.h>

/* Notes what rank r < q holds before stage s of an allgather: the parts of the s ranks of its
 * aligned run, and those of their partners from q on. Returns the number of parts. */
static int held(int r, int s, int q, int n, int *parts)
{
    int first = r / s * s, count = 0;
    for (int i = first; i < first + s; i++)
        parts[count++] = i;
    for (int i = first; i < first + s; i++)
        if (i + q < n)
            parts[count++] = i + q;
    return count;
}

/* Stage s: r and r xor s swap what they hold; all send before they receive. `run` is where the list
 * of r's holdings begins. */
static void exchange(const struct problem *problem, int q, int s, int *parts, int *run,
                     struct plan *plan)
{
    bool gather = !request_combines(problem->req);
    int n = problem->req->ranks;
    for (int r = 0; r < q; r++) {
        int count = gather ? held(r, s, q, n, parts) : 1;
        run[r] = gather ? plan_list(plan, parts, count) : 0;
        plan_step(plan, r, PLAN_SEND, r ^ s, run[r], count);
    }
    for (int r = 0; r < q; r++) {
        int from = r ^ s, count = gather ? held(from, s, q, n, parts) : 1;
        enum plan_kind fold = from < r ? PLAN_FOLD_LEFT : PLAN_FOLD_RIGHT;
        plan_step(plan, r, gather ? PLAN_RECV : fold, from, run[from], count);
    }
}

static void double_up(const struct problem *problem, int q, int *parts, int *run, struct plan *plan)
{
    int n = problem->req->ranks;
    bool gather = !request_combines(problem->req);
    for (int r = q; r < n; r++)
        plan_message(plan, r, r - q, gather ? PLAN_RECV : PLAN_FOLD_RIGHT, gather ? r : 0, 1);
    for (int s = 1; s < q; s *= 2)
        exchange(problem, q, s, parts, run, plan);
    for (int r = q; r < n; r++)
        plan_message(plan, r - q, r, PLAN_RECV, 0, gather ? n : 1);
}

void planner_doubling(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, q = 1;
    while (q <= n / 2)
        q *= 2;
    int *parts = malloc((size_t)n * sizeof *parts), *run = malloc((size_t)n * sizeof *run);
    plan_cut(plan, problem->req, 0);
    if (parts && run)
        double_up(problem, q, parts, run, plan);
    else
        plan_fail(plan, HN_ENOMEM);
    free(parts);
    free(run);
}

void planner_dissemination(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks;
    plan_cut(plan, problem->req, 0);
    for (int s = 1; s < n; s *= 2) {
        for (int r = 0; r < n; r++)
            plan_step(plan, r, PLAN_SEND, (r + s) % n, 0, 1);
        for (int r = 0; r < n; r++)
            plan_step(plan, (r + s) % n, PLAN_FOLD_RIGHT, r, 0, 1);
    }
}
