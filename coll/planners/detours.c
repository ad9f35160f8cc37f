/* detours.c - our own: a total exchange in which messages go round by a third rank where that is
 * sooner.
 *
 * Where each two sites have a link of their own, all of a direct exchange waits for the slowest of
 * them, while others have long been idle. So each message in turn takes the way, straight or by one
 * relay, on which it is there first beside those that have chosen before it. What it occupies
 * (ports, and the media on its way) is taken for as long as the message is on it (timetable.h). Who
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
#include "planners/timetable.h"

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

struct route {
    int relay; /* STRAIGHT: there is none */
    hn_time begin, between, onward, end;
};

struct detours {
    const struct request *req;
    int n, count; /* of messages */
    struct timetable timetable;
    struct timed *parcel; /* messages: who is latest chooses first */
    struct route *route;  /* [message]: of this round */
    struct route *best;   /* of the quickest round */
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
static struct route soonest(const struct detours *d, int message)
{
    int n = d->n, from = message / n, to = message % n;
    int64_t bytes = bytes_of(d, message);
    struct route best = {.relay = STRAIGHT};
    best.begin = timetable_earliest(&d->timetable, message, bytes, 0, true);
    best.end = timetable_arrival(&d->timetable, message, bytes, best.begin);
    for (int relay = 0; relay < n; relay++) {
        struct route route = {.relay = relay};
        if (relay == from || relay == to)
            continue;
        route.begin = timetable_earliest(&d->timetable, from * n + relay, bytes, 0, true);
        route.between = timetable_arrival(&d->timetable, from * n + relay, bytes, route.begin);
        if (route.between >= best.end)
            continue;
        route.onward =
            timetable_earliest(&d->timetable, relay * n + to, bytes, route.between, true);
        route.end = timetable_arrival(&d->timetable, relay * n + to, bytes, route.onward);
        if (route.end < best.end)
            best = route;
    }
    return best;
}

static bool take(struct detours *d, int message, const struct route *route)
{
    int n = d->n, from = message / n, to = message % n,
        first = route->relay < 0 ? to : route->relay;
    int64_t bytes = bytes_of(d, message);
    if (!timetable_reserve(&d->timetable, from * n + first, bytes, route->begin))
        return false;
    return route->relay < 0 ||
           timetable_reserve(&d->timetable, first * n + to, bytes, route->onward);
}

/* All messages choose in their order; *makespan is when the last is there. */
static int play(struct detours *d, hn_time *makespan)
{
    timetable_clear(&d->timetable);
    *makespan = 0;
    for (int i = 0; i < d->count; i++) {
        int message = d->parcel[i].number;
        struct route route = soonest(d, message);
        if (!take(d, message, &route))
            return HN_ENOMEM;
        d->route[message] = route;
        *makespan = route.end > *makespan ? route.end : *makespan;
        d->parcel[i].time = d->parcel[i].time / 2 + route.end / 2;
    }
    return HN_OK;
}

/* ---- the plan ----------------------------------------------------------------------------------
 */

/* The first hops of all messages, as they end. */
static void sort_legs(struct detours *d, const struct route *routes)
{
    for (int i = 0; i < d->count; i++) {
        int message = d->parcel[i].number, to = message % d->n;
        const struct route *route = &routes[message];
        d->leg[i] = route->relay < 0 ? (struct leg){{route->end, message}, to}
                                     : (struct leg){{route->between, message}, route->relay};
    }
    qsort(d->leg, (size_t)d->count, sizeof *d->leg, timed_ascending);
}

static void write_plan(struct detours *d, const struct route *routes, struct plan *plan)
{
    sort_legs(d, routes);
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
        write_plan(d, d->route, plan);
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
            struct route *worse = d->best;
            d->best = d->route;
            d->route = worse;
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
                hn_time late = timetable_arrival(&d->timetable, message, bytes_of(d, message), 0);
                d->parcel[d->count++] = (struct timed){late, message};
            }
}

static int begin(struct detours *d, const struct problem *problem)
{
    size_t n = (size_t)problem->req->ranks, cells = n * n;
    *d = (struct detours){.req = problem->req, .n = (int)n};
    ARENA_ARRAYS(&d->arena, cells, d->parcel, d->route, d->best, d->leg);
    int error = timetable_begin(&d->timetable, problem->model, problem_bytes(problem));
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
    timetable_end(&d.timetable);
    arena_free(&d.arena);
}

hn_time detours_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 4000000; /* a message and who may hand it on, in all rounds */
    hn_time n = req->ranks;
    return exchange_cost_of(choice, req) + n * n * n * each;
}
