/* forest.c - our own: broadcast (and reduction) in pieces, each along a tree of its own.
 *
 * A single tree for many segments is as fast as its busiest port, while other ports idle. Here the
 * load is spread: every segment takes the tree that is lightest beside the trees of all others,
 * ports having prices that grow with their loads (prices.h). This comes close to the best steady
 * state that the network allows.
 *
 * Then the transfers are put into an order, by playing them: of what an idle sender can send to an
 * idle receiver, it takes what is most urgent: what leads to the receive port with the most to do,
 * be it far below; or to most ports; or to those with the most to do together. No rule is always
 * the best, so each of them is played. At every rank a receive is listed when it has ended, a send
 * when it begins.
 *
 * A reduction is the same played backwards, for operators that commute. The playing is that of the
 * blocking one-port model; in others the plan is right, too, but they leave less to be gained. What
 * is lost against the bound: every segment pays the constants of its messages, and at the start and
 * the end ports idle; smaller segments win there what they lose here.
 *
 * Cost for k segments: O(PASSES k n^2) for trees; O(k n (n + w)) to play them, where w is the size
 * of all subtrees that a rank could serve next, at most k n at the root.
 */
#include "planners.h"

#include "../prices.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    PASSES = 5,
    CELLS_MOST = 1 << 16 /* segments * ranks: more take seconds, and gain nothing */
};
enum { BEGINS, ENDS };
enum rule { MOST_LEFT, MOST_PORTS, ALL_LEFT, RULES };

struct transfer {
    int block, from, to;
    hn_time end;
};

struct forest {
    int n, root, blocks;
    enum rule rule; /* of what is urgent */
    struct prices prices;
    hn_time *cost;     /* [from * n + to]: of a segment */
    int *parent;       /* [block * n + rank] */
    int *order;        /* [block * n + ...]: the ranks of its tree in preorder */
    int *place, *size; /* [block * n + rank]: its subtree is so many ranks of order from there on */
    int *next;         /* [block * n + rank]: the transfer to be made after its own; -1: none */
    int *first;        /* [rank]: what it has to send, as block * n + receiver */
    hn_time *out, *in; /* [rank]: when its ports are free */
    hn_time *left;     /* [rank]: what its receive port has yet to do */
    int *receiving;    /* [rank]: the transfer that its receive port is busy with; -1: none */
    struct transfer *done;
    int count;
    int *events; /* 2 * transfer + BEGINS or ENDS, as they happen */
    int event_count;
};

/* ---- trees -------------------------------------------------------------------------------------
 */

/* Adds a block's tree to the loads, or takes it away (sign). */
static void carry(struct forest *f, int64_t *load, const int *parent, int sign)
{
    for (int rank = 0; rank < f->n; rank++) {
        int e = rank == f->root ? 0 : parent[rank] * f->n + rank;
        for (int i = f->prices.first[e]; i < f->prices.first[e + 1]; i++)
            load[f->prices.tolls[i].resource] += sign * f->prices.tolls[i].time;
    }
}

/* Gives every block the tree that is lightest beside the trees of all others; several times, with
 * prices that tell more and more of the greatest loads. */
static int grow_trees(struct forest *f)
{
    int64_t *load = calloc((size_t)f->prices.resources, sizeof *load);
    int error = load ? HN_OK : HN_ENOMEM;
    for (int i = 0; i < PASSES * f->blocks && !error; i++) {
        int *parent = &f->parent[(size_t)(i % f->blocks) * (size_t)f->n];
        if (i >= f->blocks)
            carry(f, load, parent, -1);
        prices_follow(&f->prices, load, 2 + i / f->blocks);
        error = prices_tree(&f->prices);
        memcpy(parent, f->prices.parent, (size_t)f->n * sizeof *parent);
        carry(f, load, parent, 1);
    }
    free(load);
    return error;
}

/* Lists a rank and all below it from place `at` on; returns the place behind them. */
static int list_subtree(struct forest *f, size_t base, int rank, int at)
{
    int from = at;
    f->place[base + (size_t)rank] = at;
    f->order[base + (size_t)at++] = rank;
    for (int child = 0; child < f->n; child++)
        if (child != f->root && f->parent[base + (size_t)child] == rank) {
            f->left[child] += f->cost[rank * f->n + child];
            at = list_subtree(f, base, child, at);
        }
    f->size[base + (size_t)rank] = at - from;
    return at;
}

/* ---- the order of transfers --------------------------------------------------------------------
 */

/* The rank has got the block: it has to send it to its children. */
static void offer(struct forest *f, int block, int rank)
{
    size_t base = (size_t)block * (size_t)f->n;
    int *order = &f->order[base + (size_t)f->place[base + (size_t)rank]];
    int size = f->size[base + (size_t)rank];
    for (int i = 1; i < size; i += f->size[base + (size_t)order[i]]) {
        size_t at = base + (size_t)order[i];
        f->next[at] = f->first[rank];
        f->first[rank] = (int)at;
    }
}

/* What the receive ports in the subtree that a transfer serves have left to do. */
static hn_time urgency(const struct forest *f, int transfer)
{
    const int *order = &f->order[transfer - transfer % f->n + f->place[transfer]];
    hn_time most = 0, sum = 0;
    if (f->rule == MOST_PORTS)
        return f->size[transfer];
    for (int i = 0; i < f->size[transfer]; i++) {
        hn_time left = f->left[order[i]];
        sum += left;
        most = left > most ? left : most;
    }
    return f->rule == ALL_LEFT ? sum : most;
}

/* Takes the most urgent transfer that a rank can begin now, of equal ones the earliest segment's,
 * from its list. -1: none. */
static int take(struct forest *f, int rank, hn_time now)
{
    int *best = NULL;
    hn_time most = -1;
    for (int *link = &f->first[rank]; *link >= 0; link = &f->next[*link]) {
        if (f->in[*link % f->n] > now)
            continue;
        hn_time own = urgency(f, *link);
        if (own > most || (own == most && *link < *best)) {
            most = own;
            best = link;
        }
    }
    if (!best)
        return -1;
    int taken = *best;
    *best = f->next[taken];
    return taken;
}

/* Begins what every rank can begin now; whether there was something. */
static bool begin_transfers(struct forest *f, hn_time now)
{
    int before = f->count;
    for (int from = 0; from < f->n; from++) {
        int taken = f->out[from] <= now ? take(f, from, now) : -1;
        if (taken < 0)
            continue;
        int block = taken / f->n, to = taken % f->n;
        hn_time cost = f->cost[from * f->n + to];
        f->out[from] = f->in[to] = now + cost;
        f->left[to] -= cost;
        f->receiving[to] = f->count;
        f->events[f->event_count++] = 2 * f->count + BEGINS;
        f->done[f->count++] = (struct transfer){block, from, to, now + cost};
    }
    return f->count > before;
}

/* The next time at which a port becomes free. */
static hn_time next_event(const struct forest *f, hn_time now)
{
    hn_time next = INT64_MAX;
    for (int rank = 0; rank < f->n; rank++)
        if (f->in[rank] > now && f->in[rank] < next)
            next = f->in[rank];
    return next;
}

/* Those who have got a block can send it on. */
static void end_transfers(struct forest *f, hn_time now)
{
    for (int rank = 0; rank < f->n; rank++) {
        int i = f->receiving[rank];
        if (i < 0 || f->done[i].end > now)
            continue;
        f->receiving[rank] = -1;
        f->events[f->event_count++] = 2 * i + ENDS;
        offer(f, f->done[i].block, rank);
    }
}

static void play(struct forest *f, enum rule rule)
{
    f->rule = rule;
    f->count = f->event_count = 0;
    for (int rank = 0; rank < f->n; rank++) {
        f->first[rank] = f->receiving[rank] = -1;
        f->out[rank] = f->in[rank] = f->left[rank] = 0;
    }
    for (int block = 0; block < f->blocks; block++)
        list_subtree(f, (size_t)block * (size_t)f->n, f->root, 0);
    for (int block = 0; block < f->blocks; block++)
        offer(f, block, f->root);
    for (hn_time now = 0; now < INT64_MAX; now = next_event(f, now)) {
        do /* again: some take no time */
            end_transfers(f, now);
        while (begin_transfers(f, now));
    }
}

/* By the rule that ends first. */
static void play_best(struct forest *f)
{
    enum rule best = MOST_LEFT;
    hn_time least = INT64_MAX;
    for (int rule = 0; rule < RULES; rule++) {
        hn_time end = 0;
        play(f, (enum rule)rule);
        for (int rank = 0; rank < f->n; rank++)
            end = f->in[rank] > end ? f->in[rank] : end;
        if (end < least) {
            least = end;
            best = (enum rule)rule;
        }
    }
    if (best != f->rule)
        play(f, best);
}

/* ---- the plan ----------------------------------------------------------------------------------
 */

/* Lists the steps in the order of the events; of a reduction, backwards. */
static void write_plan(const struct forest *f, bool up, struct plan *plan)
{
    for (int i = 0; i < f->event_count; i++) {
        int event = f->events[up ? f->event_count - 1 - i : i];
        const struct transfer *t = &f->done[event / 2];
        bool is_send = event % 2 == BEGINS;
        int rank = is_send ? t->from : t->to, peer = is_send ? t->to : t->from;
        enum plan_kind kind = is_send ? PLAN_SEND : PLAN_RECV;
        if (up)
            kind = !is_send ? PLAN_SEND : peer > rank ? PLAN_FOLD_RIGHT : PLAN_FOLD_LEFT;
        plan_step(plan, rank, kind, peer, t->block, 1);
    }
}

static int begin(struct forest *f, const struct problem *problem, int blocks, bool up)
{
    const struct model *model = problem->model;
    size_t n = (size_t)model->ranks, cells = n * (size_t)blocks;
    int64_t bytes = problem_bytes(problem);
    *f = (struct forest){.n = model->ranks, .root = problem->req->root, .blocks = blocks};
    int error = prices_begin(&f->prices, model, f->root, bytes, false, up);
    f->cost = calloc(n * n, sizeof *f->cost);
    f->parent = malloc(cells * sizeof *f->parent);
    f->order = malloc(cells * sizeof *f->order);
    f->place = malloc(cells * sizeof *f->place);
    f->size = malloc(cells * sizeof *f->size);
    f->next = malloc(cells * sizeof *f->next);
    f->first = malloc(n * sizeof *f->first);
    f->out = malloc(n * sizeof *f->out);
    f->in = malloc(n * sizeof *f->in);
    f->left = malloc(n * sizeof *f->left);
    f->receiving = malloc(n * sizeof *f->receiving);
    f->done = malloc(cells * sizeof *f->done);
    f->events = malloc(2 * cells * sizeof *f->events);
    if (error || !f->cost || !f->parent || !f->order || !f->place || !f->size || !f->next ||
        !f->first || !f->out || !f->in || !f->left || !f->receiving || !f->done || !f->events)
        return HN_ENOMEM;
    for (int from = 0; from < f->n; from++)
        for (int to = 0; to < f->n; to++)
            if (from != to)
                f->cost[from * f->n + to] =
                    model_deliver(model, up ? to : from, up ? from : to, bytes);
    return HN_OK;
}

static void end(struct forest *f)
{
    prices_end(&f->prices);
    free(f->cost);
    free(f->parent);
    free(f->order);
    free(f->place);
    free(f->size);
    free(f->next);
    free(f->first);
    free(f->out);
    free(f->in);
    free(f->left);
    free(f->receiving);
    free(f->done);
    free(f->events);
}

void planner_forest(const struct problem *problem, struct plan *plan)
{
    struct forest f;
    bool up = problem->req->op == OP_REDUCE;
    plan_cut(plan, problem->req, problem->segment);
    if ((up && problem->req->ordered) || plan->block_count < 1 ||
        plan->block_count > CELLS_MOST / problem->req->ranks) {
        plan_fail(plan, HN_EPLAN);
        return;
    }
    int error = begin(&f, problem, plan->block_count, up);
    if (!error)
        error = grow_trees(&f);
    if (error) {
        plan_fail(plan, error);
    } else {
        play_best(&f);
        write_plan(&f, up, plan);
    }
    end(&f);
}
