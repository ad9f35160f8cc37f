/* detours_pieces.c - our own: a total exchange of long parts, whose pieces take different routes.
 *
 * The best steady state is a concurrent multicommodity flow of all pairs that minimizes the load of
 * the busiest resource: a port, a processor, a link or a medium (Basu and others, arXiv
 * 2309.13541). It is approximated by prices that grow with the loads, as for trees
 * (packing_trees.c). At first all pieces are sent directly. Then, in some passes, one piece of each
 * part after the other gets the cheapest route beside all others, through up to RELAYS_MOST ranks.
 *
 * Pieces of a part with the same route form one message. Messages on one connection are sent one
 * after the other, on different connections at the same time. So every rank first sends messages
 * that others forward, the longest routes first. Direct messages follow and fill the links until
 * forwarded ones arrive. Receives are in the order of arrivals, which is found by some rounds of
 * simulation.
 *
 * Cost for n ranks: PASSES * pieces * n^3 for the routes, and ROUNDS simulations.
 */
#include "planners/detours.h"

#include "model/prices.h"
#include "model/timed.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECES_MOST = 64,   /* of a part: a relay then delays it by about 1/64 of its length */
    PIECE_LEAST = 1024, /* bytes: a shorter message is dominated by its start-up */
    WORK = 1 << 22,     /* pieces * ranks^3 of a pass: some 20 ms */
    RELAYS_MOST = 3,
    HOPS_MOST = RELAYS_MOST + 1,
    PASSES = 5,      /* over all pieces: each gets a new route at steeper prices */
    STEEP_FIRST = 3, /* of prices_follow() in the first pass; one more in each that follows */
    ROUNDS = 4,      /* of simulations, each of which gives the next one the order of arrivals */
    FAR = 2          /* times the limit: a later plan is not improved below it by reordering */
};

/* The ranks after the source; the last one is the destination. */
struct route {
    int hops;
    int rank[HOPS_MOST];
};

/* Pieces of a part with the same route. */
struct message {
    int first, count; /* its blocks: block[first ... first + count - 1] */
    int list;         /* its list of blocks in the plan */
};

/* A hop from one rank to the next; the hops of a message are adjacent. */
struct hop {
    int message, from, to;
    int before, left; /* hops of the same message */
    int queued;       /* the next hop on the same connection; -1: the last */
    int step;         /* its receive, among all steps of its rank */
};

/* The messages on a connection that have been sent and not received. Per connection (ordered pair
 * of ranks), during write_plan(). A hop waits in it from its send to its receive, since messages of
 * one connection are received in the order of their sends. */
struct queue {
    int head, tail; /* hops; -1: none */
    int due;        /* number that should have arrived */
};

/* The work of one call. Routes of all pieces are found first, then they are grouped into messages,
 * then plans with different orders of receives are simulated. */
struct pieces {
    const struct problem *problem;
    int n, pieces;
    int64_t most; /* bytes of the longest part, for which the usage in `prices` are computed */
    struct prices prices;
    int64_t *load;       /* [resource] */
    struct route *route; /* [part * pieces + piece] */
    int64_t *distance;   /* [rank]: with at most the present number of hops */
    int64_t *further;    /* [rank]: with one hop more */
    int *by;             /* [hops * n + rank]: the rank before it; -1: as with one hop less */
    int *block, blocks;
    struct message *message;
    int messages;
    struct hop *hop;
    int hops;
    struct queue *queue;   /* [from * n + to] */
    struct timed *arrival; /* [hops]: when messages arrive on connections: ranks receive in this
                              order; at first, the number of hops before */
    struct timed *best;    /* [hops]: those of the best plan */
    int *steps;            /* [rank] */
    struct arena arena;    /* of the arrays */
};

/* ---- routes ----------------------------------------------------------------------------- */

/* Adds the bytes of one piece of a part to all resources on its route, or removes them (sign).
 * Every piece counts as the whole part; only the proportions of loads matter to the prices. */
static void add_load(struct pieces *p, int part, const struct route *route, int sign)
{
    int64_t bytes = request_part_bytes(p->problem->req, part);
    for (int hop = 0, at = part / p->n; hop < route->hops; at = route->rank[hop++]) {
        int edge = at * p->n + route->rank[hop];
        for (int i = p->prices.first[edge]; i < p->prices.first[edge + 1]; i++)
            p->load[p->prices.usage[i].resource] +=
                sign * wide_ratio(p->prices.usage[i].time, bytes, p->most);
    }
}

/* Computes the cheapest routes from one rank to all, of at most 1, 2, ... hops (Bellman and Ford's
 * algorithm, by numbers of hops). by[] keeps the last step of each number for route_to(). */
static void find_routes(struct pieces *p, int from)
{
    int n = p->n;
    const int64_t *weight = p->prices.weight;
    for (int to = 0; to < n; to++) {
        p->distance[to] = to == from ? 0 : weight[from * n + to];
        p->by[to] = from;
    }
    for (int hops = 1; hops < HOPS_MOST; hops++) {
        int *by = &p->by[hops * n];
        /* A destination keeps the route of fewer hops unless one more makes it cheaper. */
        for (int to = 0; to < n; to++) {
            p->further[to] = p->distance[to];
            by[to] = -1;
        }
        for (int relay = 0; relay < n; relay++)
            for (int to = 0; to < n; to++)
                if (relay != to && p->distance[relay] + weight[relay * n + to] < p->further[to]) {
                    p->further[to] = p->distance[relay] + weight[relay * n + to];
                    by[to] = relay;
                }
        memcpy(p->distance, p->further, (size_t)n * sizeof *p->distance);
    }
}

/* Reads a route from its end. A -1 in by[] means that the hop before it is in the row above. */
static struct route route_to(const struct pieces *p, int from, int to)
{
    int back[HOPS_MOST], count = 0;
    for (int hops = HOPS_MOST - 1, at = to; hops >= 0 && at != from; hops--) {
        int by = p->by[hops * p->n + at];
        if (by < 0)
            continue;
        back[count++] = at;
        at = by;
    }
    struct route route = {.hops = count};
    for (int i = 0; i < count; i++)
        route.rank[i] = back[count - 1 - i];
    return route;
}

/* Moves one piece of each part of a rank to the cheapest route beside all others. The rank's own
 * pieces are taken out first, so that they do not raise the prices for themselves. */
static void move_piece(struct pieces *p, int from, int piece, int steep)
{
    int n = p->n;
    for (int part = from * n; part < (from + 1) * n; part++)
        add_load(p, part, &p->route[part * p->pieces + piece], -1);
    prices_follow(&p->prices, p->load, steep);
    prices_weigh(&p->prices);
    find_routes(p, from);
    for (int part = from * n; part < (from + 1) * n; part++) {
        struct route *route = &p->route[part * p->pieces + piece];
        /* Parts too short for pieces of PIECE_LEAST bytes keep the direct route. */
        if (request_part_bytes(p->problem->req, part) >= (int64_t)p->pieces * PIECE_LEAST)
            *route = route_to(p, from, part % n);
        add_load(p, part, route, 1);
    }
}

/* Finds routes for all pieces. At first every piece is sent directly. A rank's part for itself has
 * no hops. */
static void find_flow(struct pieces *p)
{
    int n = p->n;
    for (int part = 0; part < n * n; part++)
        for (int piece = 0; piece < p->pieces; piece++) {
            struct route *route = &p->route[part * p->pieces + piece];
            *route = (struct route){.hops = part / n != part % n, .rank = {part % n}};
            add_load(p, part, route, 1);
        }
    for (int i = 0; i < PASSES * p->pieces; i++)
        for (int from = 0; from < n; from++)
            move_piece(p, from, i % p->pieces, STEEP_FIRST + i / p->pieces);
}

/* ---- messages --------------------------------------------------------------------------- */

static bool is_same(const struct route *a, const struct route *b)
{
    return a->hops == b->hops && memcmp(a->rank, b->rank, (size_t)a->hops * sizeof *a->rank) == 0;
}

/* Adds the message with the route of `piece`, unless an earlier piece had the same one. All later
 * pieces with this route join it. */
static void add_message(struct pieces *p, const struct plan *plan, int part, int piece)
{
    const struct route *routes = &p->route[part * p->pieces], *route = &routes[piece];
    int first = plan->part_first[part], count = plan->part_first[part + 1] - first;
    struct message message = {.first = p->blocks};
    for (int i = 0; i < piece; i++)
        if (is_same(&routes[i], route))
            return;
    for (int i = piece; i < count; i++)
        if (is_same(&routes[i], route))
            p->block[p->blocks++] = first + i;
    message.count = p->blocks - message.first;
    for (int i = 0, at = part / p->n; i < route->hops; at = route->rank[i++]) {
        /* Hops with the same number form a round of the first order of receives. */
        p->arrival[p->hops] = (struct timed){i, p->hops};
        p->hop[p->hops++] = (struct hop){.message = p->messages,
                                         .from = at,
                                         .to = route->rank[i],
                                         .before = i,
                                         .left = route->hops - 1 - i};
    }
    p->message[p->messages++] = message;
}

/* Groups the pieces into messages. The plan is made only for its numbers of blocks and is dropped.
 */
static int list_messages(struct pieces *p)
{
    struct plan *plan = plan_new(p->n);
    size_t cells = (size_t)p->n * (size_t)p->n * (size_t)p->pieces;
    if (!plan)
        return HN_ENOMEM;
    plan_cut_pieces(plan, p->problem->req, p->pieces);
    ARENA_ARRAYS(&p->arena, cells, p->block, p->message);
    ARENA_ARRAYS(&p->arena, cells * HOPS_MOST, p->hop, p->arrival, p->best);
    bool ok = plan->part_first && !p->arena.failed;
    for (int part = 0; part < p->n * p->n && ok; part++)
        for (int i = 0; i < plan->part_first[part + 1] - plan->part_first[part]; i++)
            if (part / p->n != part % p->n)
                add_message(p, plan, part, i);
    plan_free(plan);
    return ok ? HN_OK : HN_ENOMEM;
}

/* ---- plans ------------------------------------------------------------------------------ */

/* Appends the send or receive of a hop to the steps of its rank and counts them. */
static void add_step(struct pieces *p, struct plan *plan, enum plan_kind kind, int hop)
{
    const struct hop *h = &p->hop[hop];
    const struct message *message = &p->message[h->message];
    int rank = kind == PLAN_SEND ? h->from : h->to, peer = kind == PLAN_SEND ? h->to : h->from;
    plan_step(plan, rank, kind, peer, message->list, message->count);
    p->steps[rank]++;
}

/* Sends a hop's message and puts it at the end of the queue of its connection. */
static void send(struct pieces *p, struct plan *plan, int hop)
{
    struct queue *queue = &p->queue[p->hop[hop].from * p->n + p->hop[hop].to];
    add_step(p, plan, PLAN_SEND, hop);
    p->hop[hop].queued = -1;
    if (queue->head < 0)
        queue->head = hop;
    else
        p->hop[queue->tail].queued = hop;
    queue->tail = hop;
}

/* Receives the messages that are due on a connection and forwards them. A message may be due before
 * it is sent, since arrival times are from another order; then it is received once it is sent. */
static void receive(struct pieces *p, struct plan *plan, struct queue *queue)
{
    while (queue->due > 0 && queue->head >= 0) {
        int hop = queue->head, onward = hop + 1;
        queue->due--;
        queue->head = p->hop[hop].queued;
        p->hop[hop].step = p->steps[p->hop[hop].to];
        add_step(p, plan, PLAN_RECV, hop);
        if (p->hop[hop].left == 0)
            continue;
        send(p, plan, onward);
        receive(p, plan, &p->queue[p->hop[onward].from * p->n + p->hop[onward].to]);
    }
}

/* Writes all steps. Sends of sources come first, the longest routes before direct messages. Then
 * receives follow in the order of arrival[], and forwards follow their receives. */
static void write_plan(struct pieces *p, struct plan *plan)
{
    plan_cut_pieces(plan, p->problem->req, p->pieces);
    for (int i = 0; i < p->messages; i++)
        p->message[i].list = plan_list(plan, &p->block[p->message[i].first], p->message[i].count);
    memset(p->steps, 0, (size_t)p->n * sizeof *p->steps);
    for (int i = 0; i < p->n * p->n; i++)
        p->queue[i] = (struct queue){-1, -1, 0};
    for (int left = RELAYS_MOST; left >= 0; left--)
        for (int hop = 0; hop < p->hops; hop++)
            if (p->hop[hop].before == 0 && p->hop[hop].left == left)
                send(p, plan, hop);
    qsort(p->arrival, (size_t)p->hops, sizeof *p->arrival, timed_ascending);
    for (int i = 0; i < p->hops; i++) {
        const struct hop *hop = &p->hop[p->arrival[i].number];
        struct queue *queue = &p->queue[hop->from * p->n + hop->to];
        /* Messages of one connection arrive in the order of their sends. */
        queue->due++;
        receive(p, plan, queue);
    }
}

/* Returns the makespan of the plan with the present order of receives; INT64_MAX: more than
 * `limit`. Then sets the order to that of the arrivals. Stores the best order. */
static hn_time simulate(struct pieces *p, hn_time limit, hn_time *least)
{
    struct timing timing = {.makespan = INT64_MAX};
    struct plan *plan = plan_new(p->n);
    if (!plan)
        return INT64_MAX;
    write_plan(p, plan);
    if (plan_finish(plan) || plan_simulate_within(plan, p->problem->model, limit, NULL, &timing))
        timing.makespan = INT64_MAX;
    if (timing.makespan < *least) {
        *least = timing.makespan;
        memcpy(p->best, p->arrival, (size_t)p->hops * sizeof *p->best);
        /* Arrival times become the order of receives of the next round. */
    }
    for (int i = 0; i < p->hops && timing.makespan < INT64_MAX; i++) {
        int32_t step = plan->first[p->hop[i].to] + p->hop[i].step;
        p->arrival[i] = (struct timed){timing.spans[step].arrived, i};
    }
    hn_time makespan = timing.makespan;
    plan_free(plan);
    timing_free(&timing);
    return makespan;
}

/* Returns the makespan of the best order; INT64_MAX: none is below `limit`. */
static hn_time simulate_rounds(struct pieces *p, hn_time limit)
{
    hn_time least = limit, far = limit < INT64_MAX / FAR ? limit * FAR : INT64_MAX, now = 0;
    for (int round = 0; round < ROUNDS && now < INT64_MAX; round++)
        now = simulate(p, far, &least);
    return least < limit ? least : INT64_MAX;
}

/* ---- the planner ------------------------------------------------------------------------ */

/* Number of pieces of a part; less than 2: the parts are too short, or there are too many ranks. */
static int pieces_for(const struct problem *problem)
{
    int64_t n = problem->req->ranks, pieces = problem_bytes(problem) / PIECE_LEAST;
    pieces = pieces < WORK / (n * n * n) ? pieces : WORK / (n * n * n);
    return pieces < PIECES_MOST ? (int)pieces : PIECES_MOST;
}

/* Allocates the arrays. The prices are made for the longest part; shorter ones are scaled. */
static int begin(struct pieces *p)
{
    size_t n = (size_t)p->n;
    for (int part = 0; part < request_parts(p->problem->req); part++) {
        int64_t bytes = request_part_bytes(p->problem->req, part);
        p->most = bytes > p->most ? bytes : p->most;
    }
    int error = prices_begin(&p->prices, p->problem->model, 0, p->most, true, false);
    p->route = arena_array(&p->arena, n * n * (size_t)p->pieces, sizeof *p->route);
    p->load = arena_array(&p->arena, (size_t)p->prices.resources, sizeof *p->load);
    ARENA_ARRAYS(&p->arena, n, p->distance, p->further, p->steps);
    p->by = arena_array(&p->arena, HOPS_MOST * n, sizeof *p->by);
    p->queue = arena_array(&p->arena, n * n, sizeof *p->queue);
    return !error && p->arena.failed ? HN_ENOMEM : error;
}

static void end(struct pieces *p)
{
    prices_end(&p->prices);
    arena_free(&p->arena);
}

/* Makes the best plan by pieces if it is below `limit`, and returns its makespan; else INT64_MAX
 * and no plan. Blocking sends are excluded: the order of receives assumes that sends do not wait.
 */
hn_time detours_in_pieces(const struct problem *problem, hn_time limit, struct plan *plan)
{
    struct pieces p = {.problem = problem, .n = problem->req->ranks, .pieces = pieces_for(problem)};
    hn_time least = INT64_MAX;
    if (p.pieces < 2 || problem->model->port == PORT_BLOCKING)
        return INT64_MAX;
    if (begin(&p) == HN_OK) {
        find_flow(&p);
        if (list_messages(&p) == HN_OK)
            least = simulate_rounds(&p, limit);
    }
    if (least < INT64_MAX) {
        memcpy(p.arrival, p.best, (size_t)p.hops * sizeof *p.best);
        write_plan(&p, plan);
    }
    end(&p);
    return least;
}
