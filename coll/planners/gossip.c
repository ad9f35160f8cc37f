/* gossip.c - our own: allgather in which each part is forwarded by the ranks where it arrives first
 * (gossiping: Hedetniemi, Hedetniemi and Liestman 1988).
 *
 * In a ring every rank sends the same amount, so the ring is as slow as the slowest port. Here a
 * host that sends slowly sends little more than its own part; fast hosts forward it. The rule is
 * that of ECF (Bhat, section 4.3; Wu, section 4.2) for all parts at once: the next transfer is the
 * one that ends first, among equals one of a part that few ranks have. A transfer begins when the
 * sender has the part and the ports and media of its route are free (timetable.h). A transfer that
 * is chosen later may begin earlier, in a gap before a distant transfer. With many concurrent
 * transfers the times are not exact enough to fill every gap, so both variants are simulated.
 *
 * In a model where transfers share resources, a sender that waits for the end of each transfer may
 * idle. If it starts all transfers at once, all of them end late. So the plan limits the number of
 * transfers in progress at a sender; the best limit is found by simulation.
 *
 * `arity` is the number of pieces of each part. They take different routes, and the first ones
 * arrive sooner. It suits up to GOSSIP_RANKS_MOST hosts of different speed.
 *
 * Cost for b blocks and n ranks: n b transfers, each O(n (n + b)); then AHEADS simulations; all of
 * that twice.
 */
#include "planners/planners.h"

#include "planners/gossip_sim.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>

enum { AHEADS = 3 };
static const int aheads[AHEADS] = {1, 3, 0}; /* 0: a sender waits for its previous transfer */
static const int64_t WORK_MOST = 60000000;   /* blocks looked at, some 20 ns each: about 1 s */
static const int64_t MODEL_WORK = 1000000;   /* rates computed in all simulations */

/* State of one call of the planner. `sim` owns the transfers (notes) of the last simulation; the
 * other arrays are workspace that turns them into the steps of a plan. */
struct gossip {
    struct gossip_sim sim;
    int *before;              /* [note]: the sender's previous transfer; -1: the first */
    int *latest;              /* [rank]: its previous transfer; -1: none */
    hn_time *sent, *received; /* [rank]: position of its last send, receive in the list */
    struct scheduled *done;   /* the transfers of the notes */
    struct timed *events;     /* of sched_write() */
    int *order;               /* the events, sorted */
    struct arena arena;       /* of the arrays */
};

/* ---- the plan --------------------------------------------------------------------------- */

/* Renumbers the transfers in the order in which they begin. Links each one to its sender's previous
 * transfer, which sort_events() follows for the limit of transfers in progress. */
static void sort_notes(struct gossip *g)
{
    qsort(g->sim.notes, (size_t)g->sim.count, sizeof *g->sim.notes, timed_ascending);
    for (int rank = 0; rank < g->sim.n; rank++)
        g->latest[rank] = -1;
    for (int i = 0; i < g->sim.count; i++) {
        int from = g->sim.notes[i].done.from;
        g->done[i] = g->sim.notes[i].done;
        g->before[i] = g->latest[from];
        g->latest[from] = i;
    }
}

/* Sorts the starts and ends of all transfers. Each send starts with the sender's transfer that is
 * `ahead` positions earlier. At every rank sends and receives keep the order of their starts, and
 * no receive precedes a send that started earlier. So there is no deadlock, even if sends wait for
 * their receivers. */
static void sort_events(struct gossip *g, int ahead)
{
    for (int rank = 0; rank < g->sim.n; rank++)
        g->sent[rank] = g->received[rank] = 0;
    for (int i = 0; i < g->sim.count; i++) {
        const struct scheduled *t = &g->done[i];
        int with = i;
        /* Goes `ahead` transfers of the same sender back; with < 0: there are fewer before it. */
        for (int left = ahead; left > 0 && with >= 0; left--)
            with = g->before[with];
        /* A send cannot start before the rank has the part, nor before its earlier sends. */
        hn_time begin = with < 0 ? 0 : g->sim.notes[with].begin.time;
        hn_time there = g->sim.has[t->from * g->sim.blocks + t->list];
        hn_time *sent = &g->sent[t->from], *received = &g->received[t->to];
        /* A receive may not precede a send of the same rank that was placed before it. */
        *sent = time_later(time_later(begin, there), *sent);
        *received = time_later(time_later(t->end, *received), g->sent[t->to]);
        g->sim.has[t->to * g->sim.blocks + t->list] = *received;
        g->events[2 * i] = (struct timed){*sent, 2 * i + SCHED_BEGINS};
        g->events[2 * i + 1] = (struct timed){*received, 2 * i + SCHED_ENDS};
    }
    qsort(g->events, 2 * (size_t)g->sim.count, sizeof *g->events, timed_ascending);
    for (int i = 0; i < 2 * g->sim.count; i++)
        g->order[i] = g->events[i].number;
}

/* Number of pieces of each part: the arity, or 1 if some part has fewer elements. */
static int pieces_of(const struct problem *problem)
{
    const struct request *req = problem->req;
    for (int part = 0; part < request_parts(req); part++)
        if (request_part_bytes(req, part) < problem->arity * req->grain)
            return 1;
    return problem->arity;
}

static void write_plan(struct gossip *g, const struct problem *problem, int ahead,
                       struct plan *plan)
{
    sort_events(g, ahead);
    plan_cut_pieces(plan, problem->req, pieces_of(problem));
    sched_write(g->done, g->order, 2 * g->sim.count, false, plan);
}

/* Makespan in the problem's model; INT64_MAX: more than `limit` or *work, or no memory. sched_end()
 * also frees the plan. */
static hn_time time_of(struct gossip *g, const struct problem *problem, int ahead, hn_time limit,
                       int64_t *work)
{
    struct plan *plan = plan_new(problem->req->ranks);
    if (plan)
        write_plan(g, problem, ahead, plan);
    return sched_end(problem, plan, limit, work);
}

/* A variant of the simulation, and its result. */
struct option {
    bool fills;
    int ahead;
    hn_time least;
};

/* Simulates a variant and finds its best number of transfers in progress. Stops when the work for
 * simulations in the model is used up. HN_OK or HN_ENOMEM. */
static int try_one(struct gossip *g, const struct problem *problem, bool fills, struct option *best)
{
    int64_t work = MODEL_WORK;
    int count = AHEADS;
    int error = gossip_simulate(&g->sim, fills);
    if (error)
        return error;
    sort_notes(g);
    for (int i = 0; i < count && work > 0; i++) {
        hn_time time = time_of(g, problem, aheads[i], best->least, &work);
        if (time < best->least)
            *best = (struct option){fills, aheads[i], time};
    }
    return HN_OK;
}

/* Tries both variants and writes the better plan. The simulation holds the transfers of the last
 * variant only, so the first one is computed again if it is the better one. */
static int plan_best(struct gossip *g, const struct problem *problem, struct plan *plan)
{
    struct option best = {true, aheads[0], INT64_MAX};
    int error = try_one(g, problem, false, &best);
    if (!error)
        error = try_one(g, problem, true, &best);
    if (!error && !best.fills) { /* simulates the first variant again */
        error = gossip_simulate(&g->sim, false);
        sort_notes(g);
    }
    if (!error)
        write_plan(g, problem, best.ahead, plan);
    return error;
}

/* ---- the planner ------------------------------------------------------------------------ */

static int begin(struct gossip *g, const struct problem *problem, const struct plan *cut)
{
    size_t n = (size_t)problem->req->ranks, cells = n * (size_t)cut->block_count;
    *g = (struct gossip){0};
    ARENA_ARRAYS(&g->arena, cells, g->before, g->done);
    ARENA_ARRAYS(&g->arena, n, g->latest, g->sent, g->received);
    ARENA_ARRAYS(&g->arena, 2 * cells, g->events, g->order);
    int error = gossip_sim_begin(&g->sim, problem->model, cut);
    return !error && g->arena.failed ? HN_ENOMEM : error;
}

static void end(struct gossip *g)
{
    gossip_sim_end(&g->sim);
    arena_free(&g->arena);
}

/* Whether the search would take too long. The numbers exceed 64 bits for large jobs, so doubles are
 * used; only their order of magnitude matters. */
static bool is_too_much(const struct problem *problem)
{
    double n = problem->req->ranks, blocks = n * problem->arity; /* may exceed 64 bits */
    return n * blocks * n * (n + blocks) > (double)WORK_MOST;
}

/* Plans an allgather or allgatherv. HN_EPLAN for too many ranks; the selection then uses others. */
void planner_gossip(const struct problem *problem, struct plan *plan)
{
    /* The pieces are cut before the simulation, which needs their sizes. */
    struct gossip g;
    struct plan *cut = plan_new(problem->req->ranks);
    if (!cut || is_too_much(problem)) {
        plan_fail(plan, cut ? HN_EPLAN : HN_ENOMEM);
        plan_free(cut);
        return;
    }
    plan_cut_pieces(cut, problem->req, pieces_of(problem));
    int error = begin(&g, problem, cut);
    if (!error)
        error = plan_best(&g, problem, plan);
    if (error)
        plan_fail(plan, error);
    end(&g);
    plan_free(cut);
}

hn_time gossip_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 800000; /* ps for three ranks: sender, receiver, and owner of the part */
    hn_time n = req->ranks;
    return n * n * n * choice->arity * each;
}
