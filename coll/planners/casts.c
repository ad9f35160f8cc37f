/* casts.c - operations to which everybody contributes, where subnets carry multicasts (our own;
 * Apon, Chen and Carrasco 2000, "MPI collective operations over IP multicast", broadcast and
 * synchronize in this way).
 *
 *     cast_allgather   everybody tells its subnet its own part. For each two subnets there is one
 *                      rank of the one, another one for each other subnet, that sends all parts of
 *                      it to one rank of the other, which tells its subnet
 *     cast_exchange    (barrier, allreduce) in one subnet everybody tells all others, and all
 *                      combine in the same order. Between subnets, or for K = 2, ranks first
 * combine at the head of their subnet, for K = 1 straight, for K = 2 by a binomial tree; heads
 * exchange, and each tells its subnet scan_cast        everybody tells all behind it, who combine
 * what comes, nearest first
 *
 * n ranks of one subnet send n messages, where each of n (n - 1) would pass a bus otherwise; but
 * everybody still receives n - 1. Ranks on the sender's own host get a message each, as do those
 * of other subnets, where nobody tells them.
 *
 * Cost: O(n^2 log n).
 */
#include "listeners.h"
#include "planners.h"

#include "../cluster.h"

#include "hnow.h"

#include <stdlib.h>

enum { HEADS_DIRECT = 16 };

struct casting {
    const struct problem *problem;
    struct plan *plan;
    struct clusters c;
    int *list; /* [cluster]: the parts of its members */
    int *head; /* [cluster]: its first member */
};

static bool begin(struct casting *s, const struct problem *problem, struct plan *plan)
{
    *s = (struct casting){.problem = problem, .plan = plan};
    plan_cut(plan, problem->req, 0);
    int error =
        model_casts_any(problem->model) ? clusters_of_model(&s->c, problem->model) : HN_EPLAN;
    if (!error) {
        s->list = malloc((size_t)s->c.count * sizeof *s->list);
        s->head = malloc((size_t)s->c.count * sizeof *s->head);
        error = s->list && s->head ? HN_OK : HN_ENOMEM;
    }
    if (error)
        plan_fail(plan, error);
    for (int i = 0; i < s->c.count && !error; i++)
        s->head[i] = s->c.member[s->c.first[i]];
    return !error;
}

static void end(struct casting *s)
{
    clusters_end(&s->c);
    free(s->list);
    free(s->head);
}

static const int *members_of(const struct casting *s, int cluster, int *count)
{
    *count = s->c.first[cluster + 1] - s->c.first[cluster];
    return &s->c.member[s->c.first[cluster]];
}

/* A rank tells all others of its subnet. */
static void tell(struct casting *s, int rank, int list, int blocks)
{
    int count;
    const int *member = members_of(s, s->c.of[rank], &count);
    listeners_tell(s->problem->model, rank, member, count, list, blocks, s->plan);
}

/* ---- allgather ---------------------------------------------------------------------------------
 */

/* Everybody of a subnet tells its own part, and hears those of the others, which come at the same
 * time: in the order of ranks. */
static void gather_inside(struct casting *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    for (int i = 0; i < count; i++) {
        tell(s, member[i], member[i], 1);
        for (int k = 0; k < count; k++)
            if (k != i)
                plan_step(s->plan, member[i], PLAN_RECV, member[k], member[k], 1);
    }
    s->list[cluster] = plan_list(s->plan, member, count);
}

/* The rank of a subnet that deals with another one: others deal with others. */
static int agent_of(const struct casting *s, int cluster, int other)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    return member[(other + s->c.count - cluster - 1) % s->c.count % count];
}

/* The parts of another subnet come to its agent here, who tells the others ... */
static void bring_in(struct casting *s, int cluster, int other)
{
    int agent = agent_of(s, cluster, other), blocks = s->c.first[other + 1] - s->c.first[other];
    plan_step(s->plan, agent, PLAN_RECV, agent_of(s, other, cluster), s->list[other], blocks);
    tell(s, agent, s->list[other], blocks);
}

/* ... and who listen to it. */
static void listen(struct casting *s, int cluster, int other)
{
    int count, blocks = s->c.first[other + 1] - s->c.first[other];
    const int *member = members_of(s, cluster, &count);
    int agent = agent_of(s, cluster, other);
    for (int i = 0; i < count; i++)
        if (member[i] != agent)
            plan_step(s->plan, member[i], PLAN_RECV, agent, s->list[other], blocks);
}

static void send_out(struct casting *s, int cluster, int other)
{
    plan_step(s->plan, agent_of(s, cluster, other), PLAN_SEND, agent_of(s, other, cluster),
              s->list[cluster], s->c.first[cluster + 1] - s->c.first[cluster]);
}

/* Agents send, then receive, and listen last, so that they wait for no others of their subnet; also
 * where sends wait for their receivers this ends. */
void planner_cast_allgather(const struct problem *problem, struct plan *plan)
{
    struct casting s;
    bool ok = begin(&s, problem, plan);
    int n = s.c.count;
    for (int i = 0; i < n && ok; i++)
        gather_inside(&s, i);
    for (int d = 1; d < n && ok; d++)
        for (int i = 0; i < n; i++)
            send_out(&s, i, (i + d) % n);
    for (int d = 1; d < n && ok; d++)
        for (int i = 0; i < n; i++)
            bring_in(&s, i, (i + n - d) % n);
    for (int d = 1; d < n && ok; d++)
        for (int i = 0; i < n; i++)
            listen(&s, i, (i + n - d) % n);
    end(&s);
}

/* ---- barrier and allreduce ---------------------------------------------------------------------
 */

/* The members of a subnet combine at the first one. */
static void meet_inside(struct casting *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    for (int step = 1; step < count; step *= 2)
        for (int i = 0; i + step < count; i += 2 * step)
            plan_message(s->plan, member[i + step], member[i], PLAN_FOLD_RIGHT, 0, 1);
}

static void meet_at_once(struct casting *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    for (int i = 1; i < count; i++)
        plan_message(s->plan, member[i], member[0], PLAN_FOLD_RIGHT, 0, 1);
}

static void spread_inside(struct casting *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    tell(s, member[0], 0, 1);
    for (int i = 1; i < count; i++)
        plan_step(s->plan, member[i], PLAN_RECV, member[0], 0, 1);
}

/* All of the one subnet tell each other. */
static void exchange_all(struct casting *s)
{
    int n = s->problem->req->ranks;
    for (int rank = 0; rank < n; rank++)
        tell(s, rank, 0, 1);
    planner_combine_ends(s->c.member, n, s->plan);
}

void planner_cast_exchange(const struct problem *problem, struct plan *plan)
{
    struct casting s;
    bool ok = begin(&s, problem, plan), alone = problem->arity == 1 && s.c.count == 1;
    if (ok && alone)
        exchange_all(&s);
    for (int i = 0; i < s.c.count && ok && !alone; i++)
        (problem->arity == 1 ? meet_at_once : meet_inside)(&s, i);
    if (ok && !alone && s.c.count <= HEADS_DIRECT)
        planner_combine_all(s.head, s.c.count, plan);
    else if (ok && !alone)
        planner_exchange_doubling(s.head, s.c.count, 2, false, plan);
    for (int i = 0; i < s.c.count && ok && !alone; i++)
        spread_inside(&s, i);
    end(&s);
}

/* ---- scan --------------------------------------------------------------------------------------
 */

void planner_scan_cast(const struct problem *problem, struct plan *plan)
{
    struct casting s;
    int n = problem->req->ranks;
    bool ok = begin(&s, problem, plan), own = problem->req->op == OP_SCAN;
    int *rank = malloc((size_t)n * sizeof *rank);
    if (ok && !rank)
        plan_fail(plan, HN_ENOMEM);
    for (int r = 0; r < n && ok && rank; r++)
        rank[r] = r;
    for (int r = 0; r < n && ok && rank; r++) {
        listeners_tell(problem->model, r, rank + r + 1, n - r - 1, 0, 1, plan);
        for (int from = r - 1; from >= 0; from--)
            plan_step(plan, r, from < r - 1 || own ? PLAN_FOLD_LEFT : PLAN_RECV, from, 0, 1);
    }
    free(rank);
    end(&s);
}
