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

struct doubling {
    const int *member;
    int count, q;
    bool gather; /* the parts of all; else values are combined */
    int *parts;  /* room for a list of them */
    int *run;    /* [member]: where the list of what it holds begins */
    struct plan *plan;
};

/* Notes what member r < q holds before stage s of an allgather: the parts of the s members of its
 * aligned run, and those of their partners from q on. Returns the number of parts. */
static int held(const struct doubling *d, int r, int s)
{
    int first = r / s * s, count = 0;
    for (int i = first; i < first + s; i++)
        d->parts[count++] = i;
    for (int i = first; i < first + s; i++)
        if (i + d->q < d->count)
            d->parts[count++] = i + d->q;
    return count;
}

/* Stage s: r and r xor s swap what they hold; all send before they receive. */
static void exchange(struct doubling *d, int s)
{
    for (int r = 0; r < d->q; r++) {
        int count = d->gather ? held(d, r, s) : 1;
        d->run[r] = d->gather ? plan_list(d->plan, d->parts, count) : 0;
        plan_step(d->plan, d->member[r], PLAN_SEND, d->member[r ^ s], d->run[r], count);
    }
    for (int r = 0; r < d->q; r++) {
        int from = r ^ s, count = d->gather ? held(d, from, s) : 1;
        enum plan_kind fold = from < r ? PLAN_FOLD_LEFT : PLAN_FOLD_RIGHT;
        plan_step(d->plan, d->member[r], d->gather ? PLAN_RECV : fold, d->member[from],
                  d->run[from], count);
    }
}

static void double_up(struct doubling *d)
{
    for (int r = d->q; r < d->count; r++)
        plan_message(d->plan, d->member[r], d->member[r - d->q],
                     d->gather ? PLAN_RECV : PLAN_FOLD_RIGHT, d->gather ? r : 0, 1);
    for (int s = 1; s < d->q; s *= 2)
        exchange(d, s);
    for (int r = d->q; r < d->count; r++)
        plan_message(d->plan, d->member[r - d->q], d->member[r], PLAN_RECV, 0,
                     d->gather ? d->count : 1);
}

void planner_exchange_doubling(const int *member, int count, bool gather, struct plan *plan)
{
    struct doubling d = {.member = member,
                         .count = count,
                         .q = 1,
                         .gather = gather,
                         .parts = malloc((size_t)count * sizeof *d.parts),
                         .run = malloc((size_t)count * sizeof *d.run),
                         .plan = plan};
    while (d.q <= count / 2)
        d.q *= 2;
    if (d.parts && d.run)
        double_up(&d);
    else
        plan_fail(plan, HN_ENOMEM);
    free(d.parts);
    free(d.run);
}

void planner_doubling(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, *member = malloc((size_t)n * sizeof *member);
    plan_cut(plan, problem->req, 0);
    for (int rank = 0; rank < n && member; rank++)
        member[rank] = rank;
    if (member)
        planner_exchange_doubling(member, n, !request_combines(problem->req), plan);
    else
        plan_fail(plan, HN_ENOMEM);
    free(member);
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
