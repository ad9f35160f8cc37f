/* multicast_plans.c - operations to which all ranks contribute, in subnets that carry multicasts.
 * Our own; Apon, Chen and Carrasco 2000, "MPI collective operations over IP multicast", implement
 * broadcasts and barriers in this way.
 *
 *     cast_allgather   Every rank multicasts its own part in its subnet. For each pair of subnets
 *                      one rank of the first sends all its parts to one rank of the second, which
 *                      multicasts them there. It is another rank for each other subnet.
 *     cast_exchange    (barrier, allreduce) With one subnet and K = 1 every rank multicasts, and
 *                      all combine in the same order. Otherwise ranks first combine at the head
 *                      of their subnet, directly (K = 1) or by a binomial tree (K = 2). The heads
 *                      exchange, and each multicasts in its subnet.
 *     scan_cast        K = 1: every rank sends to all later ranks, which combine the contributions,
 *                      nearest rank first. K = 2: to all later ranks of its run (consecutive ranks
 *                      of a subnet), whose last rank then has the sum of the run and sends it to
 *                      the first rank of each later run. That rank multicasts the sum of all
 *                      earlier runs in its own run.
 *
 * In a subnet n ranks send n messages, instead of n (n - 1) that would pass a bus; but every rank
 * still receives n - 1. Ranks on the sender's host and in other subnets, which a multicast does not
 * reach, get a message each.
 *
 * Cost: O(n^2 log n).
 */
#include "planners/receivers.h"
#include "planners/planners.h"

#include "model/cluster.h"

#include "hnow.h"

#include <stdlib.h>

/* Bytes of each member in the network at most: the window of runtime/multicast/cast.h. Two members
 * at a time keep a port busy. */
enum { OF_EACH = 65536, SENDERS_LEAST = 2 };

/* One call of a planner here. The plan belongs to the caller; errors stick to it. */
struct multicast_plan {
    const struct problem *problem;
    struct plan *plan;
    struct clusters c;
    int *list;          /* [cluster]: the parts of its members */
    int *head;          /* [cluster]: its first member */
    int *sender;        /* members of a subnet in sending order */
    struct arena arena; /* of the arrays */
};

/* Cuts the data, finds the subnets and their heads. false: the plan has an error. The caller calls
 * end() in either case. */
static bool begin(struct multicast_plan *s, const struct problem *problem, struct plan *plan)
{
    *s = (struct multicast_plan){.problem = problem, .plan = plan};
    plan_cut(plan, problem->req, problem->segment);
    int error =
        model_multicasts_any(problem->model) ? clusters_of_model(&s->c, problem->model) : HN_EPLAN;
    if (!error) {
        ARENA_ARRAYS(&s->arena, (size_t)s->c.count, s->list, s->head);
        s->sender = arena_array(&s->arena, (size_t)problem->req->ranks, sizeof *s->sender);
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

/* The members of a subnet, in the order of their ranks. */
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

/* Only the first OF_EACH bytes are in the network at a time, however long the part is. */
/* ---- allgather -------------------------------------------------------------------------- */

/* Subnets that carry multicasts exist only in a network, so there is one. */
static const hn_host_cost *cost_of(const struct multicast_plan *s, int rank)
{
    const struct model *model = s->problem->model;
    return hn_net_host(model_net(model), model_host(model, rank));
}

/* Load of a member's part for the ports of the others: less if the member sends more slowly than
 * the fastest of them receives. */
static int64_t load_of(const struct multicast_plan *s, int rank, hn_per_byte quickest)
{
    int64_t bytes = request_part_bytes(s->problem->req, rank);
    hn_per_byte gap = cost_of(s, rank)->send_gap;
    bytes = bytes < OF_EACH ? bytes : OF_EACH;
    return gap > quickest ? bytes * quickest / gap : bytes;
}

/* The lowest known time of a byte at a receiving port. INT64_MAX if no cost is known; then every
 * member counts with all its bytes. */
static hn_per_byte quickest_of(const struct multicast_plan *s, const int *member, int count)
{
    hn_per_byte least = INT64_MAX;
    for (int i = 0; i < count; i++) {
        hn_per_byte gap = cost_of(s, member[i])->recv_gap;
        least = gap > 0 && gap < least ? gap : least;
    }
    return least;
}

/* Slow senders first, since they take long; among equals the lower rank. Insertion sort; a subnet
 * has at most CASTS_RANKS_MOST members. */
static void sort_senders(const struct multicast_plan *s, const int *member, int count)
{
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && cost_of(s, s->sender[at - 1])->send_gap < cost_of(s, member[i])->send_gap;
             at--)
            s->sender[at] = s->sender[at - 1];
        s->sender[at] = member[i];
    }
}

/* Appends a member's receives from the senders sender[begin ... end - 1]. */
static void receive(const struct multicast_plan *s, int rank, int begin, int end)
{
    for (int k = begin; k < end; k++)
        if (s->sender[k] != rank)
            plan_step(s->plan, rank, PLAN_RECV, s->sender[k], s->sender[k], 1);
}

/* Every rank of a subnet multicasts its own part and receives the others'. On a bus, which carries
 * one message at a time, all start at the same time. Otherwise a limited number do, and the next
 * sender starts when it has received the first of these. */
static void gather_inside(struct multicast_plan *s, int cluster)
{
    int count, first = 0;
    const int *member = members_of(s, cluster, &count);
    bool bus = model_on_bus(s->problem->model, member[0]);
    hn_per_byte quickest = quickest_of(s, member, count);
    int64_t load = 0;
    sort_senders(s, member, count);
    for (int i = 0; i < count; i++) {
        load += load_of(s, s->sender[i], quickest);
        /* Earlier senders leave the window when the load of all in it is too large. SENDERS_LEAST
         * of them always remain, since a single sender does not keep a receiving port busy. */
        for (; !bus && load > MULTICAST_AT_ONCE && i - first >= SENDERS_LEAST; first++)
            load -= load_of(s, s->sender[first], quickest);
        /* The receives before the multicast make the sender wait for its turn. */
        receive(s, s->sender[i], 0, first);
        multicast(s, s->sender[i], s->sender[i], 1);
        receive(s, s->sender[i], first, count);
    }
    s->list[cluster] = plan_list(s->plan, member, count);
}

/* The rank of a subnet that communicates with another subnet: a different one for each, as far as
 * possible. */
static int agent_of(const struct multicast_plan *s, int cluster, int other)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    /* Members are used in turn, by the distance of the other subnet's number. */
    return member[(other + s->c.count - cluster - 1) % s->c.count % count];
}

/* The agent receives the parts of another subnet and multicasts them ... */
static void receive_parts(struct multicast_plan *s, int cluster, int other)
{
    int agent = agent_of(s, cluster, other), blocks = s->c.first[other + 1] - s->c.first[other];
    plan_step(s->plan, agent, PLAN_RECV, agent_of(s, other, cluster), s->list[other], blocks);
    multicast(s, agent, s->list[other], blocks);
}

/* ... and the other members receive them. */
static void receive_multicast(struct multicast_plan *s, int cluster, int other)
{
    int count, blocks = s->c.first[other + 1] - s->c.first[other];
    const int *member = members_of(s, cluster, &count);
    int agent = agent_of(s, cluster, other);
    for (int i = 0; i < count; i++)
        if (member[i] != agent)
            plan_step(s->plan, member[i], PLAN_RECV, agent, s->list[other], blocks);
}

/* The agent sends all parts of its subnet to the agent of another one. */
static void send_out(struct multicast_plan *s, int cluster, int other)
{
    plan_step(s->plan, agent_of(s, cluster, other), PLAN_SEND, agent_of(s, other, cluster),
              s->list[cluster], s->c.first[cluster + 1] - s->c.first[cluster]);
}

/* Agents send first, then receive, and the other members receive last, so that agents do not wait
 * for their subnet. There is no deadlock even if sends wait for their receivers. */
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
        /* In round d every subnet receives from the d-th before it, so rounds load different
         * uplinks. */
        for (int i = 0; i < n; i++)
            receive_parts(&s, i, (i + n - d) % n);
    for (int d = 1; d < n && ok; d++)
        for (int i = 0; i < n; i++)
            receive_multicast(&s, i, (i + n - d) % n);
    end(&s);
}

/* ---- barrier and allreduce -------------------------------------------------------------- */

/* The members of a subnet combine at the first one. */
static void combine_inside(struct multicast_plan *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    planner_combine_up(member, count, s->plan);
}

/* All members send to the head at the same time: one latency, but count - 1 receives there. */
static void meet_at_once(struct multicast_plan *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    for (int i = 1; i < count; i++)
        plan_message(s->plan, member[i], member[0], PLAN_FOLD_RIGHT, 0, 1);
}

/* The head multicasts the result in its subnet. */
static void spread_inside(struct multicast_plan *s, int cluster)
{
    int count;
    const int *member = members_of(s, cluster, &count);
    multicast(s, member[0], 0, 1);
    for (int i = 1; i < count; i++)
        plan_step(s->plan, member[i], PLAN_RECV, member[0], 0, 1);
}

/* All ranks of the only subnet multicast to each other and combine. */
static void exchange_all(struct multicast_plan *s)
{
    int n = s->problem->req->ranks;
    for (int rank = 0; rank < n; rank++)
        multicast(s, rank, 0, 1);
    planner_combine_ends(s->c.member, n, s->plan);
}

/* The heads exchange after the subnets have combined; up to HEADS_DIRECT of them in one stage. */
void planner_cast_exchange(const struct problem *problem, struct plan *plan)
{
    struct multicast_plan s;
    bool ok = begin(&s, problem, plan), alone = problem->arity == 1 && s.c.count == 1;
    if (ok && alone)
        exchange_all(&s);
    for (int i = 0; i < s.c.count && ok && !alone; i++)
        (problem->arity == 1 ? meet_at_once : combine_inside)(&s, i);
    if (ok && !alone && s.c.count <= HEADS_DIRECT)
        planner_combine_all(s.head, s.c.count, plan);
    else if (ok && !alone)
        planner_exchange_doubling(s.head, s.c.count, 2, false, plan);
    for (int i = 0; i < s.c.count && ok && !alone; i++)
        spread_inside(&s, i);
    end(&s);
}

/* ---- scan ------------------------------------------------------------------------------- */

/* A rank sends its own block to ranks from + 1 ... last. The list has one place more than needed:
 * malloc(0) may return NULL for the last rank. */
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

/* A rank combines the blocks of ranks first ... rank - 1, nearest first, with `own` into its own.
 * The nearest contribution comes first, so that own := (incoming) o (own) keeps the order of ranks.
 */
static void combine_before(struct multicast_plan *s, int first, int rank, bool own, int block)
{
    for (int from = rank - 1; from >= first; from--)
        plan_step(s->plan, rank, from < rank - 1 || own ? PLAN_FOLD_LEFT : PLAN_RECV, from, block,
                  1);
}

/* The first rank of a run combines the sums of earlier runs and distributes the result in its run.
 * Its own block is saved meanwhile. */
static void add_earlier_runs(struct multicast_plan *s, const int *last, int run, int block)
{
    int first = last[run - 1] + 1;
    bool others = last[run] > first;
    /* A rank alone in its run needs no copy of its block for others. Otherwise the block itself is
     * replaced by the sum of earlier runs, multicast, and combined with the saved own value last.
     */
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

/* All ranks of a run send it their blocks; then its last rank has the sum. The last rank of a run
 * sends the sum on as soon as it has combined a block. */
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

/* Runs are consecutive ranks in one subnet. In an exscan every rank first passes its contribution
 * to the next rank (planner_shift()). */
static void scan_runs(struct multicast_plan *s, int *last)
{
    int first = planner_shift(s->problem->req, s->plan), runs = 0;
    for (int rank = first; rank < s->problem->req->ranks; rank = last[runs++] + 1)
        last[runs] = planner_end_of_run(s->problem, rank);
    for (int run = 0; run < runs; run++)
        scan_run(s, last, run, runs, run > 0 ? last[run - 1] + 1 : first);
    for (int run = 1; run < runs; run++)
        for (int block = 0; block < s->plan->block_count; block++)
            add_earlier_runs(s, last, run, block);
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
