/* detours.c - our own: a total exchange in which messages are forwarded by a third rank if that is
 * faster.
 *
 * If each pair of sites has a link of its own, a direct exchange waits for the slowest link while
 * others are idle. So routes are assigned to the messages one after the other: each gets the route,
 * direct or through one relay, on which it arrives first beside the messages before it. Ports and
 * media of the route are reserved for that time (timetable.h). Messages late in the order get what
 * is left. So the assignment is repeated, with the messages first that arrived last ("squeaky wheel
 * optimization": Joslin and Clements 1999). The round with the shortest makespan in the model
 * becomes the plan.
 *
 * Every rank sends all its own messages, then receives those that arrive directly from their
 * source, forwards those for others at once, and finally receives forwarded messages. All ranks
 * execute all hops in this one order, so there is no deadlock, even if sends wait for their
 * receivers.
 *
 * Long parts are sent in pieces instead, if that is faster (detours_pieces.c).
 *
 * Cost for n ranks: ROUNDS n^2 messages, each with n routes, and as many simulations.
 */
#include "planners/planners.h"

#include "planners/detours.h"
#include "planners/sched.h"
#include "planners/timetable.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>

enum { ROUNDS = 12, STRAIGHT = -1 };
/* A round whose last arrival is later than the best one by more than 1/8 is not simulated. */
enum { PROMISING = 8 };

/* A first hop. */
struct leg {
    struct timed end; /* arrival at the end of the route, and the message: from * n + to */
    int to;           /* the relay, or the destination */
};

/* A route and its times: the first hop from begin to between, the second from onward to end.
 * Without a relay only begin and end are set. */
struct route {
    int relay; /* STRAIGHT: none */
    hn_time begin, between, onward, end;
};

struct detours {
    const struct request *req;
    int n, count; /* of messages */
    struct timetable table;
    struct timed *parcel; /* messages in the order of assignment: by descending arrival */
    struct route *route;  /* [message]: its route in this round */
    struct route *best;   /* [message]: its route in the fastest round */
    struct leg *leg;
    struct arena arena; /* of the arrays */
};

/* ---- who goes where --------------------------------------------------------------------- */

static int64_t bytes_of(const struct detours *d, int message)
{
    return request_part_bytes(d->req, message);
}

/* The route on which a message arrives first. */
static struct route soonest(const struct detours *d, int message)
{
    int n = d->n, from = message / n, to = message % n;
    int64_t bytes = bytes_of(d, message);
    struct route best = {.relay = STRAIGHT};
    best.begin = timetable_find(&d->table, message, bytes, 0, true);
    best.end = timetable_arrival(&d->table, message, bytes, best.begin);
    for (int relay = 0; relay < n; relay++) {
        struct route route = {.relay = relay};
        if (relay == from || relay == to)
            continue;
        route.begin = timetable_find(&d->table, from * n + relay, bytes, 0, true);
        route.between = timetable_arrival(&d->table, from * n + relay, bytes, route.begin);
        /* The first hop alone is too late already. */
        if (route.between >= best.end)
            continue;
        route.onward = timetable_find(&d->table, relay * n + to, bytes, route.between, true);
        route.end = timetable_arrival(&d->table, relay * n + to, bytes, route.onward);
        if (route.end < best.end)
            best = route;
    }
    return best;
}

static bool take(struct detours *d, int message, const struct route *route)
{
    int n = d->n, from = message / n, to = message % n, hop = route->relay < 0 ? to : route->relay;
    int64_t bytes = bytes_of(d, message);
    if (!timetable_reserve(&d->table, from * n + hop, bytes, route->begin))
        return false;
    return route->relay < 0 || timetable_reserve(&d->table, hop * n + to, bytes, route->onward);
}

/* Assigns routes to all messages; *makespan is the arrival of the last one. HN_OK or HN_ENOMEM. */
static int assign_all(struct detours *d, hn_time *makespan)
{
    timetable_clear(&d->table);
    *makespan = 0;
    for (int i = 0; i < d->count; i++) {
        int message = d->parcel[i].number;
        struct route route = soonest(d, message);
        if (!take(d, message, &route))
            return HN_ENOMEM;
        d->route[message] = route;
        *makespan = route.end > *makespan ? route.end : *makespan;
        /* The mean of the old time and the new one: a message that was late once moves forward
         * slowly, and rounds do not alternate between two orders. */
        d->parcel[i].time = d->parcel[i].time / 2 + route.end / 2;
    }
    return HN_OK;
}

/* ---- the plan --------------------------------------------------------------------------- */

/* Sorts the first hops of all messages by their ends. */
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

/* Writes all sends of sources, then receives and forwarding, then the receives of forwarded
 * messages. */
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

/* ---- the best round --------------------------------------------------------------------- */

/* Returns the makespan of this round's plan in the model. It is later than the assumed arrivals if
 * messages wait for other messages of a relay. */
static hn_time simulated(struct detours *d, const struct problem *problem, hn_time limit)
{
    struct plan *plan = plan_new(d->n);
    if (plan) {
        plan_cut(plan, problem->req, 0);
        write_plan(d, d->route, plan);
    }
    return sched_end(problem, plan, limit, NULL);
}

/* Executes all rounds; *best is the makespan of the fastest one. HN_OK or an error. */
static int try_rounds(struct detours *d, const struct problem *problem, hn_time *best)
{
    hn_time least = INT64_MAX, makespan;
    int rounds = ROUNDS;
    for (int round = 0; round < rounds || least == INT64_MAX; round++) {
        qsort(d->parcel, (size_t)d->count, sizeof *d->parcel, timed_descending);
        int error = assign_all(d, &makespan);
        if (error)
            return error;
        least = makespan < least ? makespan : least;
        if (makespan - least > least / PROMISING)
            continue;
        hn_time time = simulated(d, problem, *best);
        /* The first round counts even if its plan could not be simulated. */
        if (time < *best || round == 0) {
            struct route *worse = d->best;
            d->best = d->route;
            d->route = worse;
            *best = time;
        }
    }
    return HN_OK;
}

/* ---- the planner ------------------------------------------------------------------------ */

/* Sets the order of the first round: messages with long routes first. */
static void set_parcels(struct detours *d)
{
    for (int from = 0; from < d->n; from++)
        for (int to = 0; to < d->n; to++)
            if (from != to) {
                int message = from * d->n + to;
                hn_time late = timetable_arrival(&d->table, message, bytes_of(d, message), 0);
                d->parcel[d->count++] = (struct timed){late, message};
            }
}

/* The caller ends the timetable and frees the arena, after an error as well. */
static int begin(struct detours *d, const struct problem *problem)
{
    size_t n = (size_t)problem->req->ranks, cells = n * n;
    *d = (struct detours){.req = problem->req, .n = (int)n};
    ARENA_ARRAYS(&d->arena, cells, d->parcel, d->route, d->best, d->leg);
    int error =
        timetable_begin(&d->table, problem->model, problem_bytes(problem), 2 * (int64_t)cells);
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
        error = try_rounds(&d, problem, &whole);
    if (error) {
        plan_fail(plan, error);
    } else if (detours_in_pieces(problem, whole, plan) == INT64_MAX) {
        plan_cut(plan, problem->req, 0);
        write_plan(&d, d.best, plan);
    }
    timetable_end(&d.table);
    arena_free(&d.arena);
}

hn_time detours_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 4000000; /* ps: a message and a possible relay, in all rounds */
    hn_time n = req->ranks;
    return exchange_cost_of(choice, req) + n * n * n * each;
}
