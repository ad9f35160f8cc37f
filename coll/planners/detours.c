/* detours.c - our own: a total exchange in which messages go round by a third rank where that is
 * sooner.
 *
 * Where each two sites have a link of their own, all of a direct exchange waits for the slowest of
 * them, while others have long been idle. So each message in turn takes the way, straight or by one
 * relay, on which it is there first beside those that have chosen before it. What it occupies
 * (ports, and the media on its way) is taken for as long as the message is on it (ways.h). Who
 * chooses late gets what is left; so this is repeated, those first that ended late ("squeaky wheel
 * optimization": Joslin and Clements 1999), and what is the quickest in the model becomes the plan.
 *
 * Every rank sends all that is its own, then receives what comes straight from its source, and
 * hands on at once what is for somebody else, last what has been handed on. All ranks take all hops
 * in this one order, so that nobody waits in a circle, even where a send waits for its receiver.
 *
 * Long parts go in pieces instead, where that is sooner (detours_pieces.c).
 *
 * Cost for n ranks: ROUNDS n^2 messages, each with n ways, and as many simulations.
 */
#include "planners/planners.h"

#include "planners/detours.h"
#include "planners/played.h"
#include "planners/ways.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>

enum { ROUNDS = 12, STRAIGHT = -1 };
/* A round that is later than the best of all by more than this part is not simulated. */
enum { PROMISING = 8 };

/* A first hop. */
struct leg {
    struct timed end; /* of a message: from * n + to of the whole way */
    int to;           /* the relay, or who it is for */
};

struct way {
    int relay; /* STRAIGHT: there is none */
    hn_time begin, between, onward, end;
};

struct detours {
    const struct request *req;
    int n, count; /* of messages */
    struct ways ways;
    struct timed *parcel; /* messages: who is latest chooses first */
    struct way *way;      /* [message]: of this round */
    struct way *best;     /* of the quickest round */
    struct leg *leg;
    struct arena arena; /* of the arrays */
};

/* ---- who goes where ----------------------------------------------------------------------------
 */

static int64_t bytes_of(const struct detours *d, int message)
{
    return request_part_bytes(d->req, message);
}

/* The way by which a message is there first. */
static struct way soonest(const struct detours *d, int message)
{
    int n = d->n, from = message / n, to = message % n;
    int64_t bytes = bytes_of(d, message);
    struct way best = {.relay = STRAIGHT};
    best.begin = ways_free(&d->ways, message, bytes, 0, true);
    best.end = ways_arrival(&d->ways, message, bytes, best.begin);
    for (int relay = 0; relay < n; relay++) {
        struct way way = {.relay = relay};
        if (relay == from || relay == to)
            continue;
        way.begin = ways_free(&d->ways, from * n + relay, bytes, 0, true);
        way.between = ways_arrival(&d->ways, from * n + relay, bytes, way.begin);
        if (way.between >= best.end)
            continue;
        way.onward = ways_free(&d->ways, relay * n + to, bytes, way.between, true);
        way.end = ways_arrival(&d->ways, relay * n + to, bytes, way.onward);
        if (way.end < best.end)
            best = way;
    }
    return best;
}

static bool take(struct detours *d, int message, const struct way *way)
{
    int n = d->n, from = message / n, to = message % n, first = way->relay < 0 ? to : way->relay;
    int64_t bytes = bytes_of(d, message);
    if (!ways_take(&d->ways, from * n + first, bytes, way->begin))
        return false;
    return way->relay < 0 || ways_take(&d->ways, first * n + to, bytes, way->onward);
}

/* All messages choose in their order; *makespan is when the last is there. */
static int play(struct detours *d, hn_time *makespan)
{
    ways_clear(&d->ways);
    *makespan = 0;
    for (int i = 0; i < d->count; i++) {
        int message = d->parcel[i].number;
        struct way way = soonest(d, message);
        if (!take(d, message, &way))
            return HN_ENOMEM;
        d->way[message] = way;
        *makespan = way.end > *makespan ? way.end : *makespan;
        d->parcel[i].time = d->parcel[i].time / 2 + way.end / 2;
    }
    return HN_OK;
}

/* ---- the plan ----------------------------------------------------------------------------------
 */

/* The first hops of all messages, as they end. */
static void sort_legs(struct detours *d, const struct way *ways)
{
    for (int i = 0; i < d->count; i++) {
        int message = d->parcel[i].number, to = message % d->n;
        const struct way *way = &ways[message];
        d->leg[i] = way->relay < 0 ? (struct leg){{way->end, message}, to}
                                   : (struct leg){{way->between, message}, way->relay};
    }
    qsort(d->leg, (size_t)d->count, sizeof *d->leg, timed_ascending);
}

static void write_plan(struct detours *d, const struct way *ways, struct plan *plan)
{
    sort_legs(d, ways);
    for (int i = 0; i < d->count; i++) {
        int message = d->leg[i].end.number;
        plan_step(plan, message / d->n, PLAN_SEND, d->leg[i].to, message, 1);
    }
    for (int i = 0; i < d->count; i++) {
        int message = d->leg[i].end.number, here = d->leg[i].to, to = message % d->n;
        plan_step(plan, here, PLAN_RECV, message / d->n, message, 1);
        if (here != to)
            plan_step(plan, here, PLAN_SEND, to, message, 1);
    }
    for (int i = 0; i < d->count; i++) {
        int message = d->leg[i].end.number, relay = d->leg[i].to, to = message % d->n;
        if (relay != to)
            plan_step(plan, to, PLAN_RECV, relay, message, 1);
    }
}

/* ---- the best round ----------------------------------------------------------------------------
 */

/* What this round's plan takes in the model; messages that wait for a relay's other messages are
 * later than when they chose. */
static hn_time simulated(struct detours *d, const struct problem *problem, hn_time limit)
{
    struct plan *plan = plan_new(d->n);
    if (plan) {
        plan_cut(plan, problem->req, 0);
        write_plan(d, d->way, plan);
    }
    return played_end(problem, plan, limit, NULL);
}

/* *best: what the quickest round's plan takes. */
static int play_rounds(struct detours *d, const struct problem *problem, hn_time *best)
{
    hn_time least = INT64_MAX, makespan;
    int rounds = ROUNDS;
    for (int round = 0; round < rounds || least == INT64_MAX; round++) {
        qsort(d->parcel, (size_t)d->count, sizeof *d->parcel, timed_descending);
        int error = play(d, &makespan);
        if (error)
            return error;
        least = makespan < least ? makespan : least;
        if (makespan - least > least / PROMISING)
            continue;
        hn_time time = simulated(d, problem, *best);
        if (time < *best || round == 0) {
            struct way *worse = d->best;
            d->best = d->way;
            d->way = worse;
            *best = time;
        }
    }
    return HN_OK;
}

/* ---- the planner -------------------------------------------------------------------------------
 */

/* The first who choose have a long way. */
static void set_parcels(struct detours *d)
{
    for (int from = 0; from < d->n; from++)
        for (int to = 0; to < d->n; to++)
            if (from != to) {
                int message = from * d->n + to;
                hn_time late = ways_arrival(&d->ways, message, bytes_of(d, message), 0);
                d->parcel[d->count++] = (struct timed){late, message};
            }
}

static int begin(struct detours *d, const struct problem *problem)
{
    size_t n = (size_t)problem->req->ranks, cells = n * n;
    *d = (struct detours){.req = problem->req, .n = (int)n};
    ARENA_ARRAYS(&d->arena, cells, d->parcel, d->way, d->best, d->leg);
    int error = ways_begin(&d->ways, problem->model, problem_bytes(problem));
    if (error || d->arena.failed)
        return error ? error : HN_ENOMEM;
    set_parcels(d);
    return HN_OK;
}

void planner_detours(const struct problem *problem, struct plan *plan)
{
    struct detours d;
    hn_time whole = INT64_MAX;
    int error = begin(&d, problem);
    if (!error)
        error = play_rounds(&d, problem, &whole);
    if (error) {
        plan_fail(plan, error);
    } else if (detours_in_pieces(problem, whole, plan) == INT64_MAX) {
        plan_cut(plan, problem->req, 0);
        write_plan(&d, d.best, plan);
    }
    ways_end(&d.ways);
    arena_free(&d.arena);
}

hn_time detours_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 4000000; /* a message and who may hand it on, in all rounds */
    hn_time n = req->ranks;
    return exchange_cost_of(choice, req) + n * n * n * each;
}
