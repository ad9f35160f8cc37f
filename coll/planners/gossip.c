/* gossip.c - our own: every rank has something that all others want (gossiping: Hedetniemi,
 * Hedetniemi and Liestman 1988), and each part continues from whoever has it where it arrives
 * first.
 *
 * A ring gives every rank the same to send, so it is as slow as the slowest port. Here a host that
 * sends slowly gives away what is its own, and hardly more; the quick ones pass it on. It is the
 * rule of ECF (Bhat, section 4.3; Wu, section 4.2) for all parts at once: of all transfers that
 * could come next, the one that ends first, of these one of a part that few have. A transfer begins
 * when the sender has the part and all that it occupies (ports, and the media on its way) is free
 * (busy.h). What is chosen late may begin before others: a far transfer ends late, and what it
 * occupies idles meanwhile. But where much is under way at the same time, times are not so exact
 * that it pays to fill every gap, so both is played.
 *
 * Where transfers share what they occupy, instead of waiting for it, a sender that waits with each
 * until the one before is done may idle, and one that begins all at once ends none early. So the
 * plan lets some places of its list be under way at a time; how many, is found out by simulating.
 *
 * `arity` is the number of pieces of each part: they go different ways, and the first arrive
 * sooner.
 *
 * Cost for b blocks and n ranks: n b transfers, each O(n (n + b)); then AHEADS simulations; and all
 * of that twice.
 */
#include "planners/planners.h"

#include "planners/gossip_play.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>

enum { AHEADS = 3 };
static const int aheads[AHEADS] = {1, 3, 0}; /* 0: a sender waits for the one before */
static const int64_t WORK_MOST = 60000000;   /* of the transfers, at some 20 ns: about a second */
static const int64_t MODEL_WORK = 1000000;   /* of sharing ways, in all simulations */

struct gossip {
    struct gossip_play play;
    int *before;              /* [note]: the sender's one before; -1: it is the first */
    int *latest;              /* [rank]: its transfer before; -1: none */
    hn_time *sent, *received; /* [rank]: where the last of its list is */
    struct played *done;      /* of the notes */
    struct timed *events;     /* of played_write() */
    int *order;               /* the events, sorted */
    struct arena arena;       /* of the arrays */
};

/* ---- the plan ----------------------------------------------------------------------------------
 */

static int by_begin(const void *a, const void *b)
{
    const struct gossip_note *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : x->at - y->at;
}

/* From now on transfers are numbered as they begin. */
static void sort_notes(struct gossip *g)
{
    qsort(g->play.notes, (size_t)g->play.count, sizeof *g->play.notes, by_begin);
    for (int rank = 0; rank < g->play.n; rank++)
        g->latest[rank] = -1;
    for (int i = 0; i < g->play.count; i++) {
        int from = g->play.notes[i].done.from;
        g->done[i] = g->play.notes[i].done;
        g->before[i] = g->latest[from];
        g->latest[from] = i;
    }
}

/* Puts the ends of all transfers into lists; each send begins with the one so many places before
 * it. At every rank sends and receives keep the order in which they began, and no receive is
 * before a send that began earlier: so nobody waits in a circle, even where sends wait for their
 * receivers. */
static void sort_events(struct gossip *g, int ahead)
{
    for (int rank = 0; rank < g->play.n; rank++)
        g->sent[rank] = g->received[rank] = 0;
    for (int i = 0; i < g->play.count; i++) {
        const struct played *t = &g->done[i];
        int with = i;
        for (int left = ahead; left > 0 && with >= 0; left--)
            with = g->before[with];
        hn_time begin = with < 0 ? 0 : g->play.notes[with].begin;
        hn_time there = g->play.has[t->from * g->play.blocks + t->list];
        hn_time *sent = &g->sent[t->from], *received = &g->received[t->to];
        *sent = time_later(time_later(begin, there), *sent);
        *received = time_later(time_later(t->end, *received), g->sent[t->to]);
        g->play.has[t->to * g->play.blocks + t->list] = *received;
        g->events[2 * i] = (struct timed){*sent, 2 * i + PLAYED_BEGINS};
        g->events[2 * i + 1] = (struct timed){*received, 2 * i + PLAYED_ENDS};
    }
    qsort(g->events, 2 * (size_t)g->play.count, sizeof *g->events, timed_ascending);
    for (int i = 0; i < 2 * g->play.count; i++)
        g->order[i] = g->events[i].number;
}

/* Of each part: as many as are asked for, where all parts have so many elements. */
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
    played_write(g->done, g->order, 2 * g->play.count, false, plan);
}

/* What it takes in the model of the problem; INT64_MAX: more than `limit` or *work. */
static hn_time time_of(struct gossip *g, const struct problem *problem, int ahead, hn_time limit,
                       int64_t *work)
{
    struct plan *plan = plan_new(problem->req->ranks);
    if (plan)
        write_plan(g, problem, ahead, plan);
    return played_end(problem, plan, limit, work);
}

/* A way to play, and what it takes. */
struct variant {
    bool fills;
    int ahead;
    hn_time least;
};

/* Plays one, and looks how far ahead it should be under way. */
static int try_variant(struct gossip *g, const struct problem *problem, bool fills,
                       struct variant *best)
{
    int64_t work = MODEL_WORK;
    int count = AHEADS;
    int error = gossip_play(&g->play, fills);
    if (error)
        return error;
    sort_notes(g);
    for (int i = 0; i < count && work > 0; i++) {
        hn_time time = time_of(g, problem, aheads[i], best->least, &work);
        if (time < best->least)
            *best = (struct variant){fills, aheads[i], time};
    }
    return HN_OK;
}

static int plan_best(struct gossip *g, const struct problem *problem, struct plan *plan)
{
    struct variant best = {true, aheads[0], INT64_MAX};
    int error = try_variant(g, problem, false, &best);
    if (!error)
        error = try_variant(g, problem, true, &best);
    if (!error && !best.fills) { /* what was played first, again */
        error = gossip_play(&g->play, false);
        sort_notes(g);
    }
    if (!error)
        write_plan(g, problem, best.ahead, plan);
    return error;
}

/* ---- the planner -------------------------------------------------------------------------------
 */

static int begin(struct gossip *g, const struct problem *problem, const struct plan *cut)
{
    size_t n = (size_t)problem->req->ranks, cells = n * (size_t)cut->block_count;
    *g = (struct gossip){0};
    ARENA_ARRAYS(&g->arena, cells, g->before, g->done);
    ARENA_ARRAYS(&g->arena, n, g->latest, g->sent, g->received);
    ARENA_ARRAYS(&g->arena, 2 * cells, g->events, g->order);
    int error = gossip_play_begin(&g->play, problem->model, cut);
    return !error && g->arena.failed ? HN_ENOMEM : error;
}

static void end(struct gossip *g)
{
    gossip_play_end(&g->play);
    arena_free(&g->arena);
}

static bool is_too_much(const struct problem *problem)
{
    int64_t n = problem->req->ranks, blocks = n * problem->arity;
    return n * blocks * n * (n + blocks) > WORK_MOST;
}

void planner_gossip(const struct problem *problem, struct plan *plan)
{
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
    const hn_time each = 800000; /* three ranks: who sends, who receives, and whose part */
    hn_time n = req->ranks;
    return n * n * n * choice->arity * each;
}
