/* gossip.c - our own: everybody has something that all others want (gossiping: Hedetniemi,
 * Hedetniemi and Liestman 1988), and each part goes on from whoever has it where it arrives first.
 *
 * A ring gives everybody the same to send, so it is as slow as the slowest port. Here a host that
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
#include "planners.h"

#include "busy.h"
#include "played.h"

#include "../prices.h"

#include "hnow.h"
#include "wide.h"

#include <stdlib.h>
#include <string.h>

enum { AHEADS = 3 };
static const int aheads[AHEADS] = {1, 3, 0}; /* 0: a sender waits for the one before */
static const int64_t WORK_MOST = 60000000;   /* of the transfers, at some 20 ns: about a second */
static const int64_t MODEL_WORK = 1000000;   /* of sharing ways, in all simulations */

struct transfer {
    int block; /* -1: there is nothing to send */
    hn_time begin, end;
};

/* A transfer that has been played. */
struct note {
    struct played done;
    hn_time begin;
    int at;     /* its number in the play */
    int before; /* the sender's one before; -1: it is the first */
};

struct event {
    hn_time at;
    int event; /* as of played_write() */
};

struct gossip {
    int n, blocks;
    int64_t bytes; /* of a middling block: what prices and times are of */
    const struct plan_block *block;
    struct prices none, full; /* what messages of 0 and `bytes` occupy */
    hn_time *start, *each;    /* [from * n + to]: until a message of 0 bytes has arrived, and how
                                 much longer that of `bytes` takes */
    hn_time *has;             /* [rank * blocks + block]: since when; INT64_MAX: it will not yet */
    hn_time *sent, *received; /* [rank]: where the last of its list is */
    int *copies;              /* [block] */
    struct busy *busy;        /* [resource] */
    bool fills;               /* whether transfers begin in the gaps that others have left */
    hn_time *begun, *last;    /* [from * n + to]: when the last transfer begins and ends */
    hn_time *soonest;         /* [from * n + to]: the next one does not end before this */
    int *best;                /* [from]: to whom it is soonest */
    int *latest;              /* [from]: its transfer before; -1: none */
    struct note *notes;
    struct played *done; /* of the notes */
    struct event *events;
    int *order; /* the events, sorted */
    int count;
};

/* ---- what a transfer takes ---------------------------------------------------------------------
 */

static hn_time scaled(const struct gossip *g, int64_t full, int block)
{
    return g->bytes ? wide_ratio(full, g->block[block].bytes, g->bytes) : 0;
}

static hn_time toll(const struct gossip *g, int i, int block)
{
    hn_time none = g->none.tolls[i].time << g->none.shift;
    return none + scaled(g, (g->full.tolls[i].time << g->full.shift) - none, block);
}

static hn_time later(hn_time a, hn_time b)
{
    return a > b ? a : b;
}

/* When all that a way takes is free for a transfer of a block, from a time on. */
static hn_time when_free(const struct gossip *g, int e, int block, hn_time at)
{
    hn_time before;
    do {
        before = at;
        for (int i = g->full.first[e]; i < g->full.first[e + 1]; i++) {
            const struct busy *busy = &g->busy[g->full.tolls[i].resource];
            at = g->fills ? busy_until(busy, at, toll(g, i, block)) : later(at, busy_last(busy));
        }
    } while (at > before);
    return at;
}

/* Of the blocks that a rank has and another lacks, that which it has had for longest; -1: there is
 * none. */
static int oldest(const struct gossip *g, const hn_time *has, const hn_time *lacks)
{
    int best = -1;
    for (int block = 0; block < g->blocks; block++)
        if (lacks[block] == INT64_MAX && has[block] < (best < 0 ? INT64_MAX : has[best]))
            best = block;
    return best;
}

/* Among equals one way prefers the oldest, the other the first: two chances for a good order. */
static bool is_rarer(const struct gossip *g, int block, int than)
{
    int more = g->copies[block] - g->copies[than];
    return more < 0 || (more == 0 && !g->fills && block < than);
}

/* The block that can begin first on its way; of several, that which fewest have. */
static struct transfer next_on(const struct gossip *g, int from, int to)
{
    int e = from * g->n + to;
    const hn_time *has = &g->has[from * g->blocks], *lacks = &g->has[to * g->blocks];
    struct transfer t = {oldest(g, has, lacks), INT64_MAX, INT64_MAX};
    if (t.block < 0)
        return t;
    t.begin = when_free(g, e, t.block, later(has[t.block], g->begun[e]));
    for (int block = 0; block < g->blocks; block++)
        if (lacks[block] == INT64_MAX && has[block] <= t.begin && is_rarer(g, block, t.block))
            t.block = block;
    t.begin = when_free(g, e, t.block, t.begin); /* they may be of other lengths */
    t.end = later(g->last[e], t.begin + g->start[e] + scaled(g, g->each[e], t.block));
    for (int i = g->full.first[e]; i < g->full.first[e + 1]; i++)
        t.end = later(t.end, t.begin + toll(g, i, t.block));
    return t;
}

/* ---- the play ----------------------------------------------------------------------------------
 */

static void set_soonest(struct gossip *g, int from, int to, hn_time soonest)
{
    hn_time *row = &g->soonest[from * g->n];
    int best = g->best[from];
    row[to] = soonest;
    if (to != best) {
        g->best[from] = row[to] < row[best] ? to : best;
        return;
    }
    for (int i = 0; i < g->n; i++)
        best = row[i] < row[best] ? i : best;
    g->best[from] = best;
}

/* Nothing has been played yet. */
static void set_out(struct gossip *g)
{
    size_t n = (size_t)g->n;
    memset(g->begun, 0, n * n * sizeof *g->begun);
    memset(g->last, 0, n * n * sizeof *g->last);
    memset(g->copies, 0, (size_t)g->blocks * sizeof *g->copies);
    for (int i = 0; i < g->full.resources; i++)
        g->busy[i].count = 0;
    for (int i = 0; i < g->n * g->blocks; i++)
        g->has[i] = INT64_MAX;
    for (int block = 0; block < g->blocks; block++)
        g->has[g->block[block].part * g->blocks + block] = 0;
    for (int from = 0; from < g->n; from++)
        for (int to = 0; to < g->n; to++)
            set_soonest(g, from, to, from == to ? INT64_MAX : 0);
    g->count = 0;
}

static bool note(struct gossip *g, int from, int to, const struct transfer *t)
{
    int e = from * g->n + to;
    bool noted = true;
    for (int i = g->full.first[e]; i < g->full.first[e + 1]; i++)
        noted =
            busy_add(&g->busy[g->full.tolls[i].resource], t->begin, toll(g, i, t->block)) && noted;
    g->begun[e] = t->begin;
    g->last[e] = t->end;
    g->has[to * g->blocks + t->block] = t->end;
    g->copies[t->block]++;
    for (int next = 0; next < g->n; next++) /* it may send something now */
        if (next != to)
            set_soonest(g, to, next, 0);
    g->notes[g->count] = (struct note){{from, to, t->block, 1, t->end}, t->begin, g->count, 0};
    g->count++;
    return noted;
}

/* Time and again the transfer that ends first. What is busy only gets busier, so what was found of
 * a way before is the least that it takes, but where its sender has got something since. */
static int play(struct gossip *g)
{
    for (;;) {
        int from = 0;
        for (int i = 1; i < g->n; i++)
            if (g->soonest[i * g->n + g->best[i]] < g->soonest[from * g->n + g->best[from]])
                from = i;
        int to = g->best[from];
        hn_time soonest = g->soonest[from * g->n + to];
        if (soonest == INT64_MAX)
            return HN_OK;
        struct transfer t = next_on(g, from, to);
        if (t.end != soonest)
            set_soonest(g, from, to, t.end);
        else if (!note(g, from, to, &t))
            return HN_ENOMEM;
    }
}

/* ---- the plan ----------------------------------------------------------------------------------
 */

static int by_begin(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : x->at - y->at;
}

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->event - y->event;
}

/* From now on transfers are numbered as they begin. */
static void sort_notes(struct gossip *g)
{
    qsort(g->notes, (size_t)g->count, sizeof *g->notes, by_begin);
    for (int rank = 0; rank < g->n; rank++)
        g->latest[rank] = -1;
    for (int i = 0; i < g->count; i++) {
        int from = g->notes[i].done.from;
        g->done[i] = g->notes[i].done;
        g->notes[i].before = g->latest[from];
        g->latest[from] = i;
    }
}

/* Puts the ends of all transfers into lists; each send begins with the one so many places before
 * it. At every rank sends and receives keep the order in which they began, and no receive stands
 * before a send that began earlier: so nobody waits in a circle, even where sends wait for their
 * receivers. */
static void sort_events(struct gossip *g, int ahead)
{
    for (int rank = 0; rank < g->n; rank++)
        g->sent[rank] = g->received[rank] = 0;
    for (int i = 0; i < g->count; i++) {
        const struct played *t = &g->done[i];
        int with = i;
        for (int left = ahead; left > 0 && with >= 0; left--)
            with = g->notes[with].before;
        hn_time begin = with < 0 ? 0 : g->notes[with].begin;
        hn_time there = g->has[t->from * g->blocks + t->list];
        hn_time *sent = &g->sent[t->from], *received = &g->received[t->to];
        *sent = later(later(begin, there), *sent);
        *received = later(later(t->end, *received), g->sent[t->to]);
        g->has[t->to * g->blocks + t->list] = *received;
        g->events[2 * i] = (struct event){*sent, 2 * i + PLAYED_BEGINS};
        g->events[2 * i + 1] = (struct event){*received, 2 * i + PLAYED_ENDS};
    }
    qsort(g->events, 2 * (size_t)g->count, sizeof *g->events, by_time);
    for (int i = 0; i < 2 * g->count; i++)
        g->order[i] = g->events[i].event;
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
    played_write(g->done, g->order, 2 * g->count, false, plan);
}

/* What it takes in the model of the problem; INT64_MAX: more than `limit` or *work. */
static hn_time time_of(struct gossip *g, const struct problem *problem, int ahead, hn_time limit,
                       int64_t *work)
{
    struct plan *plan = plan_new(problem->req->ranks);
    struct timing timing = {0};
    hn_time makespan = INT64_MAX;
    if (plan) {
        write_plan(g, problem, ahead, plan);
        if (!plan_finish(plan) && !plan_simulate_within(plan, problem->model, limit, work, &timing))
            makespan = timing.makespan;
    }
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* A way to play, and what it takes. */
struct way {
    bool fills;
    int ahead;
    hn_time least;
};

/* Plays one, and looks how far ahead it should be under way. */
static int try_way(struct gossip *g, const struct problem *problem, bool fills, struct way *best)
{
    int64_t work = MODEL_WORK;
    int count = (int)problem_work(problem, AHEADS);
    g->fills = fills;
    set_out(g);
    int error = play(g);
    if (error)
        return error;
    sort_notes(g);
    for (int i = 0; i < count && work > 0; i++) {
        hn_time time = time_of(g, problem, aheads[i], best->least, &work);
        if (time < best->least)
            *best = (struct way){fills, aheads[i], time};
    }
    return HN_OK;
}

static int plan_best(struct gossip *g, const struct problem *problem, struct plan *plan)
{
    struct way best = {true, aheads[0], INT64_MAX};
    int error = try_way(g, problem, false, &best);
    if (!error)
        error = try_way(g, problem, true, &best);
    if (!error && !best.fills) { /* what was played first, again */
        g->fills = false;
        set_out(g);
        error = play(g);
        sort_notes(g);
    }
    if (!error)
        write_plan(g, problem, best.ahead, plan);
    return error;
}

/* ---- the planner -------------------------------------------------------------------------------
 */

static void set_costs(struct gossip *g, const struct model *model)
{
    for (int from = 0; from < g->n; from++)
        for (int to = 0; to < g->n; to++) {
            int e = from * g->n + to;
            if (from == to)
                continue;
            g->start[e] = model_deliver(model, from, to, 0);
            g->each[e] = model_deliver(model, from, to, g->bytes) - g->start[e];
        }
}

static int begin(struct gossip *g, const struct problem *problem, const struct plan *cut)
{
    const struct model *model = problem->model;
    size_t n = (size_t)problem->req->ranks, cells = n * (size_t)cut->block_count;
    *g = (struct gossip){.n = (int)n, .blocks = cut->block_count, .block = cut->blocks};
    for (int block = 0; block < g->blocks; block++)
        g->bytes += g->block[block].bytes / g->blocks;
    int error = prices_begin(&g->none, model, 0, 0, false, false);
    if (!error)
        error = prices_begin(&g->full, model, 0, g->bytes, false, false);
    g->start = calloc(n * n, sizeof *g->start);
    g->each = calloc(n * n, sizeof *g->each);
    g->last = calloc(n * n, sizeof *g->last);
    g->soonest = calloc(n * n, sizeof *g->soonest);
    g->best = calloc(n, sizeof *g->best);
    g->latest = malloc(n * sizeof *g->latest);
    g->sent = malloc(n * sizeof *g->sent);
    g->received = malloc(n * sizeof *g->received);
    g->has = malloc(cells * sizeof *g->has);
    g->copies = calloc((size_t)g->blocks, sizeof *g->copies);
    g->done = malloc(cells * sizeof *g->done);
    g->notes = malloc(cells * sizeof *g->notes);
    g->events = malloc(2 * cells * sizeof *g->events);
    g->order = malloc(2 * cells * sizeof *g->order);
    g->begun = calloc(n * n, sizeof *g->begun);
    g->busy = error ? NULL : calloc((size_t)g->full.resources, sizeof *g->busy);
    if (error || !g->start || !g->each || !g->last || !g->soonest || !g->best || !g->latest ||
        !g->sent || !g->received || !g->has || !g->copies || !g->done || !g->notes || !g->events ||
        !g->order || !g->begun || !g->busy)
        return error ? error : HN_ENOMEM;
    set_costs(g, model);
    return HN_OK;
}

static void end(struct gossip *g)
{
    for (int i = 0; g->busy && i < g->full.resources; i++)
        busy_end(&g->busy[i]);
    prices_end(&g->none);
    prices_end(&g->full);
    free(g->start);
    free(g->each);
    free(g->last);
    free(g->soonest);
    free(g->best);
    free(g->latest);
    free(g->sent);
    free(g->received);
    free(g->has);
    free(g->copies);
    free(g->done);
    free(g->notes);
    free(g->events);
    free(g->order);
    free(g->busy);
    free(g->begun);
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
