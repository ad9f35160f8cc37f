/* matching.c - total exchange in steps that are complete matchings of maximum or minimum total
 * weight (Bhat 1998b, section 4.3).
 *
 * In each of n steps all senders are matched with all receivers, and the pairs are removed. Maximum
 * matchings combine long messages with long ones, so that ports idle little. Minimum matchings send
 * short messages first. Cost: O(n^3) for each step.
 *
 * Steps are executed without barriers: either in order (the schedule), or first come, first served.
 * Then senders keep their order, but receivers take the sender that can start first.
 */
#include "planners/exchange/heuristics.h"

#include "planners/exchange/assignment.h"

#include "hnow.h"

#include <stdlib.h>

/* sign: -1 for maximum weights, 1 for minimum weights, since assignment_solve() minimizes. */
static int run(struct exchange *x, int sign)
{
    int n = x->ranks;
    hn_time *weight = malloc((size_t)n * (size_t)n * sizeof *weight);
    struct assignment *a = NULL;
    exchange_clear(x);
    x->unique = true;
    for (int i = 0; weight && i < n * n; i++)
        weight[i] = sign * x->cost[i];
    if (weight)
        a = assignment_new(n, weight);
    for (int step = 0; a && step < n; step++) {
        int *to = &x->permutations[(size_t)step * (size_t)n];
        bool unique;
        assignment_solve(a, to, &unique);
        x->unique = x->unique && unique;
        /* Events of a step use different ports, so their order within it does not matter. */
        for (int from = 0; from < n; from++) {
            exchange_add(x, from, to[from]);
            assignment_forbid(a, from, to[from]);
        }
    }
    bool ok = a != NULL;
    assignment_free(a);
    free(weight);
    return ok ? HN_OK : HN_ENOMEM;
}

int exchange_max_matching(struct exchange *x)
{
    return run(x, -1);
}

int exchange_min_matching(struct exchange *x)
{
    return run(x, 1);
}

/* Whether the next event of sender a is executed before that of sender b. The one that can start
 * earlier; then the one whose port was free earlier; then the lower number. */
static bool sooner(const struct exchange *x, const int *step, int a, int b)
{
    int n = x->ranks, to_a = x->permutations[step[a] * n + a],
        to_b = x->permutations[step[b] * n + b];
    hn_time start_a = x->recv[to_a] > x->send[a] ? x->recv[to_a] : x->send[a];
    hn_time start_b = x->recv[to_b] > x->send[b] ? x->recv[to_b] : x->send[b];
    if (start_a != start_b)
        return start_a < start_b;
    return x->send[a] < x->send[b] || (x->send[a] == x->send[b] && a < b);
}

/* O(n^3): each of n^2 events looks at all senders. */
int exchange_fcfs(struct exchange *x)
{
    int n = x->ranks, *step = calloc((size_t)n, sizeof *step);
    if (!step)
        return HN_ENOMEM;
    exchange_clear(x);
    for (int events = 0; events < n * n; events++) {
        int next = -1;
        for (int from = 0; from < n; from++)
            if (step[from] < n && (next < 0 || sooner(x, step, from, next)))
                next = from;
        exchange_add(x, next, x->permutations[step[next] * n + next]);
        step[next]++;
    }
    free(step);
    return HN_OK;
}
