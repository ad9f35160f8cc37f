/* route_probe.c - the members' lists of messages, and their execution (route_probe.h). */
#include "wire/route_probe.h"

#include "wire/execute.h"

#include <stdlib.h>

/* Round trips of each kind, of which the shortest counts. Small messages are brief, so they suffer
 * more from noise of the machine. */
enum { SMALL_ROUNDS = 4, LARGE_ROUNDS = 2 };

enum timed { NOTHING, SMALL, LARGE };

/* A message of the list. A step that ends a round trip records its time. */
struct route_probe_step {
    bool sends;
    int peer;
    int64_t bytes;
    enum timed timed; /* it ends a round trip of this kind */
    int route;        /* route whose measurement ends with this step; -1: none */
};

/* ---- the list --------------------------------------------------------------------------- */

static void add(struct route_probe *s, struct route_probe_step step)
{
    s->steps[s->count++] = step;
}

/* The member at the beginning sends and takes the time; the other one answers with one byte. */
static void add_round(struct route_probe *s, const struct drift_route *route, int64_t bytes,
                      enum timed timed)
{
    bool leads = route->from == s->rank;
    int peer = leads ? route->to : route->from;
    struct route_probe_step there = {leads, peer, bytes, NOTHING, -1},
                            back = {!leads, peer, 1, leads ? timed : NOTHING, -1};
    add(s, there);
    add(s, back);
}

/* Adds this member's steps for a route; before: the rank that measures the route before it, -1:
 * none. Without a token in between, if both routes begin at the same rank. */
static void add_route(struct route_probe *s, int i, int before, int large_rounds)
{
    const struct drift_route *route = &s->drift->routes[i];
    if (before >= 0 && before != route->from && before == s->rank)
        add(s, (struct route_probe_step){true, route->from, 1, NOTHING, -1});
    if (before >= 0 && before != route->from && route->from == s->rank)
        add(s, (struct route_probe_step){false, before, 1, NOTHING, -1});
    if (route->from != s->rank && route->to != s->rank)
        return;
    for (int k = 0; k < SMALL_ROUNDS; k++)
        add_round(s, route, 1, SMALL);
    for (int k = 0; k < large_rounds; k++)
        add_round(s, route, route->bytes, LARGE);
    if (route->from == s->rank)
        s->steps[s->count - 1].route = i;
}

int route_probe_begin(struct route_probe *s, int only)
{
    enum { STEPS_PER_ROUTE = 2 + 2 * (SMALL_ROUNDS + LARGE_ROUNDS) }; /* as add_route() adds */
    int before = -1;
    s->steps = calloc((size_t)s->drift->count * STEPS_PER_ROUTE + 1, sizeof *s->steps);
    /* The first half is for sent messages, the second for received ones. */
    s->bytes = calloc(2, DRIFT_BYTES_MOST);
    if (!s->steps || !s->bytes)
        return HN_ENOMEM;
    if (only >= 0)
        add_route(s, only, -1, 1);
    for (int i = 0; i < s->drift->count && only < 0; i++) {
        if (only == ROUTES_SLOW && !drift_is_slow(&s->drift->routes[i]))
            continue;
        add_route(s, i, before, LARGE_ROUNDS);
        /* The token goes to the next route that is measured, even if routes between are left out.
         */
        before = s->drift->routes[i].from;
    }
    return HN_OK;
}

void route_probe_free(struct route_probe *s)
{
    free(s->sent); /* for a task that has left its job */
    free(s->coming);
    free(s->steps);
    free(s->bytes);
}

/* ---- going through it ------------------------------------------------------------------- */

/* Ends a request, if there is one. The next message must not be sent before. */
static int end(struct route_probe *s, hn_request **request)
{
    if (!*request)
        return HN_OK;
    if (!s->waits && !request_try_complete(*request)) {
        s->awaits = *request;
        return EXECUTOR_WAITS;
    }
    int error = hn_wait(*request, NULL);
    *request = NULL;
    return error;
}

static int64_t least(int64_t so_far, int64_t took)
{
    return so_far == 0 || took < so_far ? took : so_far;
}

/* The shortest round trip of each kind counts. */
static void take_time(struct route_probe *s, const struct route_probe_step *step)
{
    int64_t took = (int64_t)(engine_now() - s->begun);
    if (step->timed == SMALL)
        s->small = least(s->small, took);
    if (step->timed == LARGE)
        s->large = least(s->large, took);
    if (step->route < 0)
        return;
    drift_set(s->model, &s->drift->routes[step->route], s->small, s->large);
    s->small = s->large = 0;
}

/* The clock starts after the previous send has ended, immediately before the message is sent. */
static int do_step(struct route_probe *s, const struct route_probe_step *step)
{
    hn_tid peer = s->tids[step->peer];
    int error = HN_OK;
    if (step->sends) {
        error = end(s, &s->sent);
        s->begun = engine_now();
        return error ? error
                     : hn_isend(peer, s->tag, s->bytes, (size_t)step->bytes, HN_BYTE, &s->sent);
    }
    /* The receive stays posted if the step is repeated. */
    if (!s->coming)
        error = hn_irecv(peer, s->tag, s->bytes + DRIFT_BYTES_MOST, (size_t)step->bytes, HN_BYTE,
                         &s->coming);
    if (!error)
        error = end(s, &s->coming);
    if (!error)
        take_time(s, step);
    return error;
}

static int run(struct route_probe *s)
{
    int error = HN_OK;
    for (; s->at < s->count && !error; s->at += !error)
        error = do_step(s, &s->steps[s->at]);
    return error;
}

int route_probe_continue(struct route_probe *s)
{
    int error = s->error ? HN_OK : run(s);
    if (error == EXECUTOR_WAITS)
        return error;
    s->error = s->error ? s->error : error;
    error = end(s, &s->sent); /* after an error, too: the receiver has the message, or has ended */
    return s->error ? (error == EXECUTOR_WAITS ? error : s->error) : error;
}
