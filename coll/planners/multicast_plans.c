/* multicast_plans.c - operations to which all ranks contribute, where subnets carry multicasts (our own;
 * Apon, Chen and Carrasco 2000, "MPI collective operations over IP multicast", broadcast and
 * synchronize in this way).
 *
 *     cast_allgather   every rank multicasts its own part in its subnet. For each two subnets there
 * is one rank of the one, another one for each other subnet, that sends all parts of it to one rank
 * of the other, which multicasts it in its subnet cast_exchange    (barrier, allreduce) in one
 * subnet every rank sends to all others, and all combine in the same order. Between subnets, or for
 * K = 2, ranks first combine at the head of their subnet, for K = 1 straight, for K = 2 by a
 * binomial tree; heads exchange, and each tells its subnet
 *
 *     scan_cast        every rank sends to all behind it, who combine what comes, nearest first;
 * for K = 2 all behind it in its run (scan.c), whose last rank then has what it adds up to, and
 * sends that to the first of each later run. This one tells its run what all before it add up to
 *
 * n ranks of one subnet send n messages, where each of n (n - 1) would pass a bus otherwise; but
 * every rank still receives n - 1. Ranks on the sender's own host get a message each, as do those
 * of other subnets, which no multicast reaches.
 *
 * Cost: O(n^2 log n).
 */
#include "planners/receivers.h"
#include "planners/planners.h"

#include "model/cluster.h"

#include "hnow.h"

#include <stdlib.h>

/* Of each member at most so many bytes are on their way (a window of cast.h). Two members at a time
 * keep a port busy. */
enum { OF_EACH = 65536, SENDERS_LEAST = 2 };

struct multicast_plan {
    const struct problem *problem;
    struct plan *plan;
    struct clusters c;
    int *list;          /* [cluster]: the parts of its members */
    int *head;          /* [cluster]: its first member */
    int *turn;          /* of a subnet: its members in the order in which they send */
    struct arena arena; /* of the arrays */
};

static bool begin(struct multicast_plan *s, const struct problem *problem, struct plan *plan)
{
    *s = (struct multicast_plan){.problem = problem, .plan = plan};
    plan_cut(plan, problem->req, problem->segment);
    int error =
        model_multicasts_any(problem->model) ? clusters_of_model(&s->c, problem->model) : HN_EPLAN;
    if (!error) {
        ARENA_ARRAYS(&s->arena, (size_t)s->c.count, s->list, s->head);
        s->turn = arena_array(&s->arena, (size_t)problem->req->ranks, sizeof *s->turn);
        error = s->arena.failed ? HN_ENOMEM : HN_OK;
    }
    if (error)
        plan_fail(plan, error);
    for (int i = 0; i < s->c.count && !error; i++)
        s->head[i] = s->c.member[s->c.first[i]];
    return !error;
}

static void end(struct multicast_plan *s)
{
    clusters_end(&s->c);
    arena_free(&s->arena);
}

static const int *members_of(const struct multicast_plan *s, int cluster, int *count)
{
    *count = s->c.first[cluster + 1] - s->c.first[cluster];
    return &s->c.member[s->c.first[cluster]];
}

/* A rank multicasts to all others of its subnet. */
static void multicast(struct multicast_plan *s, int rank, int list, int blocks)
{
    int count;
    const int *member = members_of(s, s->c.of[rank], &count);
    receivers_send(s->problem->model, rank, member, count, list, blocks, s->plan);
}

/* ---- allgather ---------------------------------------------------------------------------------
 */

/* Of subnets that carry multicasts, there is a network. */
static const hn_host_cost *cost_of(const struct multicast_plan *s, int rank)
{
    const struct model *model = s->problem->model;
    return hn_net_host(model_net(model), model_host(model, rank));
}

/* What a member's part is for the ports of the others: less, if it sends less quickly than the
 * quickest of them receives. */
static int64_t load_of(const struct multicast_plan *s, int rank, hn_per_byte quickest)
{
    int64_t bytes = request_part_bytes(s->problem->req, rank);
    hn_per_byte gap = cost_of(s, rank)->send_gap;
    bytes = bytes < OF_EACH ? bytes : OF_EACH;
    return gap > quickest ? bytes * quickest / gap : bytes;
}

/* What a byte takes in the quickest port of which that is known. */
static hn_per_byte quickest_of(const struct multicast_plan *s, const int *member, int count)
{
    hn_per_byte least = INT64_MAX;
    for (int i = 0; i < count; i++) {
        hn_per_byte gap = cost_of(s, member[i])->recv_gap;
        least = gap > 0 && gap < least ? gap : least;
    }
    return least;
}

/* Who sends slowly begins, for that takes long; among equals the lower rank. */
static void take_turns(const struct multicast_plan *s, const int *member, int count)
{
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && cost_of(s, s->turn[at - 1])->send_gap < cost_of(s, member[i])->send_gap;
             at--)
            s->turn[at] = s->turn[at - 1];
        s->turn[at] = member[i];
    }
}

/* A member hears those of some turns. */
static void receive(const struct multicast_plan *s, int rank, int begin, int end)
{
    for (int k = begin; k < end; k++)
        if (s->turn[k] != rank)
            plan_step(s->plan, rank, PLAN_RECV, s->turn[k], s->turn[k], 1);
}

/* Every rank of a subnet sends its own part, and receives the others': all at the same time on
 * a bus, which has one wire; else some, and the next when it has heard the first of these. */
static void gather_inside(struct multicast_plan *s, int cluster)
{
    int count, first = 0;
    const int *member = members_of(s, cluster, &count);
    bool bus = model_on_bus(s->problem->model, member[0]);
    hn_per_byte quickest = quickest_of(s, member, count);
    int64_t load = 0;
    take_turns(s, member, count);
    for (int i = 0; i < count; i++) {
        load += load_of(s, s->turn[i], quickest);
        for (; !bus && load > MULTICAST_AT_ONCE && i - first >= SENDERS_LEAST; first++)
            load -= load_of(s, s->turn[first], quickest);
        receive(s, s->turn[i], 0, first);
        multicast(s, s->turn[i], s->turn[i], 1);
        receive(s, s->turn[i], first, count);
    }
    s->list[cluster] = plan_list(s->plan, member, count);
}

/* The rank of a subnet that deals with another one: others deal with others. */
static int agent_of(const struct multicast_plan *s, int cluster, int other)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    return member[(other + s->c.count - cluster - 1) % s->c.count % count];
}

/* The parts of another subnet come to its agent here, who informs the others ... */
static void bring_in(struct multicast_plan *s, int cluster, int other)
{
    int agent = agent_of(s, cluster, other), blocks = s->c.first[other + 1] - s->c.first[other];
    plan_step(s->plan, agent, PLAN_RECV, agent_of(s, other, cluster), s->list[other], blocks);
    multicast(s, agent, s->list[other], blocks);
}

/* ... and who listen to it. */
static void listen(struct multicast_plan *s, int cluster, int other)
{
    int count, blocks = s->c.first[other + 1] - s->c.first[other];
    const int *member = members_of(s, cluster, &count);
    int agent = agent_of(s, cluster, other);
    for (int i = 0; i < count; i++)
        if (member[i] != agent)
            plan_step(s->plan, member[i], PLAN_RECV, agent, s->list[other], blocks);
}

static void send_out(struct multicast_plan *s, int cluster, int other)
{
    plan_step(s->plan, agent_of(s, cluster, other), PLAN_SEND, agent_of(s, other, cluster),
              s->list[cluster], s->c.first[cluster + 1] - s->c.first[cluster]);
}

/* Agents send, then receive, and listen last, so that they wait for no others of their subnet; also
 * where sends wait for their receivers this ends. */
void planner_cast_allgather(const struct problem *problem, struct plan *plan)
{
    struct multicast_plan s;
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
static void meet_inside(struct multicast_plan *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    planner_combine_up(member, count, s->plan);
}

static void meet_at_once(struct multicast_plan *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    for (int i = 1; i < count; i++)
        plan_message(s->plan, member[i], member[0], PLAN_FOLD_RIGHT, 0, 1);
}

static void spread_inside(struct multicast_plan *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    multicast(s, member[0], 0, 1);
    for (int i = 1; i < count; i++)
        plan_step(s->plan, member[i], PLAN_RECV, member[0], 0, 1);
}

/* All of the one subnet send to each other. */
static void exchange_all(struct multicast_plan *s)
{
    int n = s->problem->req->ranks;
    for (int rank = 0; rank < n; rank++)
        multicast(s, rank, 0, 1);
    planner_combine_ends(s->c.member, n, s->plan);
}

void planner_cast_exchange(const struct problem *problem, struct plan *plan)
{
    struct multicast_plan s;
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

/* A rank sends its own to ranks from + 1 ... last. */
static void multicast_behind(struct multicast_plan *s, int from, int last, int block)
{
    int count = last - from, *to = malloc((size_t)(count + 1) * sizeof *to);
    if (!to)
        plan_fail(s->plan, HN_ENOMEM);
    for (int i = 0; i < count && to; i++)
        to[i] = from + 1 + i;
    if (to)
        receivers_send(s->problem->model, from, to, count, block, 1, s->plan);
    free(to);
}

/* What comes from ranks first ... rank - 1, nearest first, and with `own` what it has itself. */
static void combine_before(struct multicast_plan *s, int first, int rank, bool own, int block)
{
    for (int from = rank - 1; from >= first; from--)
        plan_step(s->plan, rank, from < rank - 1 || own ? PLAN_FOLD_LEFT : PLAN_RECV, from, block,
                  1);
}

/* The first rank of a run puts together what the runs before it add up to, and informs the others.
 * Its own is put aside meanwhile. */
static void bring_before(struct multicast_plan *s, const int *last, int run, int block)
{
    int first = last[run - 1] + 1;
    bool others = last[run] > first;
    if (others)
        plan_step(s->plan, first, PLAN_SEND, first, block, 1);
    for (int from = run - 1; from >= 0; from--)
        plan_step(s->plan, first, others && from == run - 1 ? PLAN_RECV : PLAN_FOLD_LEFT,
                  last[from], block, 1);
    multicast_behind(s, first, last[run], block);
    if (others)
        plan_step(s->plan, first, PLAN_FOLD_RIGHT, first, block, 1);
    for (int rank = first + 1; rank <= last[run]; rank++)
        plan_step(s->plan, rank, PLAN_FOLD_LEFT, first, block, 1);
}

/* All of a run send it what they have; then its last rank has what it adds up to. */
static void scan_run(struct multicast_plan *s, const int *last, int run, int runs, int first)
{
    int blocks = s->plan->block_count;
    for (int rank = first; rank <= last[run]; rank++)
        for (int block = 0; block < blocks; block++)
            multicast_behind(s, rank, last[run], block);
    for (int rank = first; rank <= last[run]; rank++)
        for (int block = 0; block < blocks; block++) {
            combine_before(s, first, rank, true, block);
            for (int later = run + 1; later < runs && rank == last[run]; later++)
                plan_step(s->plan, rank, PLAN_SEND, last[later - 1] + 1, block, 1);
        }
}

/* Runs are ranks that follow each other in one subnet. */
static void scan_runs(struct multicast_plan *s, int *last)
{
    int first = planner_shift(s->problem->req, s->plan), runs = 0;
    for (int rank = first; rank < s->problem->req->ranks; rank = last[runs++] + 1)
        last[runs] = planner_end_of_run(s->problem, rank);
    for (int run = 0; run < runs; run++)
        scan_run(s, last, run, runs, run > 0 ? last[run - 1] + 1 : first);
    for (int run = 1; run < runs; run++)
        for (int block = 0; block < s->plan->block_count; block++)
            bring_before(s, last, run, block);
}

static void scan_all(struct multicast_plan *s)
{
    int n = s->problem->req->ranks;
    for (int rank = 0; rank < n; rank++)
        for (int block = 0; block < s->plan->block_count; block++)
            multicast_behind(s, rank, n - 1, block);
    for (int rank = 0; rank < n; rank++)
        for (int block = 0; block < s->plan->block_count; block++)
            combine_before(s, 0, rank, s->problem->req->op == OP_SCAN, block);
}

void planner_scan_cast(const struct problem *problem, struct plan *plan)
{
    struct multicast_plan s;
    int n = problem->req->ranks;
    bool ok = begin(&s, problem, plan);
    int *last = malloc((size_t)n * sizeof *last); /* [run]: its last rank */
    if (ok && !last)
        plan_fail(plan, HN_ENOMEM);
    else if (ok && problem->arity == 1)
        scan_all(&s);
    else if (ok)
        scan_runs(&s, last);
    free(last);
    end(&s);
}
