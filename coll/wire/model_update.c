/* model_update.c - the present network and the budget of measurements (model_update.h). */
#include "wire/model_update.h"

#include "wire/job_net.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Largest part of the time for measurements of all routes, and of slow routes, which have a budget
 * of their own. A single slow route is measured after REST times the duration of its measurement;
 * after twice as many whenever it has not changed. */
enum { LOOK_SHARE = 10, AGAIN_SHARE = 20, REST = 20, REST_MOST = 4 * REST };
/* Measuring a route among others takes at most so many times as long as measuring it alone
 * (route_probe.h). */
enum { LOOK_OVER_VISIT = 2 };
/* Bytes: shorter messages may pass a token bucket at full speed. */
enum { VISIT_LEAST = 64 << 10 };

void model_update_init(struct model_update *o, const struct model *stated)
{
    *o = (struct model_update){.stated = stated, .now = *stated, .rest = REST};
}

/* ---- networks that are replaced --------------------------------------------------------- */

/* The last holder frees the network: the model update, or a caller with a copy of the model. */
struct counted_net {
    hn_net *net;
    atomic_int holders;
};

/* Takes ownership of the network. */
static struct counted_net *counted_net_new(hn_net *net)
{
    struct counted_net *counted = malloc(sizeof *counted);
    if (!counted) {
        hn_net_free(net);
        return NULL;
    }
    counted->net = net;
    atomic_init(&counted->holders, 1);
    return counted;
}

static void counted_net_drop(struct counted_net *counted)
{
    if (!counted || atomic_fetch_sub(&counted->holders, 1) > 1)
        return;
    hn_net_free(counted->net);
    free(counted);
}

void model_update_hold(const struct model_update *o, struct held_model *held)
{
    *held = (struct held_model){o->now, o->changed};
    if (held->net)
        atomic_fetch_add(&held->net->holders, 1);
}

void held_model_drop(struct held_model *held)
{
    counted_net_drop(held->net);
    *held = (struct held_model){0};
}

void model_update_free(struct model_update *o)
{
    counted_net_drop(o->changed);
    drift_free(&o->drift);
}

/* ---- when to look ----------------------------------------------------------------------- */

/* Saturates, so that a long job does not turn its budget into a debt. */
static void add(int64_t *sum, int64_t nanoseconds)
{
    if (__builtin_add_overflow(*sum, nanoseconds, sum))
        *sum = INT64_MAX;
}

/* Called with the time of each operation: measurements may take a share of it. */
void model_update_pass(struct model_update *o, int64_t nanoseconds)
{
    add(&o->since, nanoseconds);
    add(&o->saved, nanoseconds / LOOK_SHARE);
    add(&o->saved_again, nanoseconds / AGAIN_SHARE);
}

/* Charges a cost to the budget. A budget that exceeds the cost is used up by it: the rest would
 * allow several measurements in a row. */
static void spend(int64_t *saved, int64_t cost)
{
    *saved = *saved > cost ? 0 : *saved - cost;
}

/* The budget may be negative after a measurement; operations pay that back. */
bool model_update_may_look(const struct model_update *o)
{
    return o->saved >= 0;
}

/* Routes that differ from the file at present. */
static int slow_routes(const struct model_update *o)
{
    int slow = 0;
    for (int i = 0; i < o->drift.count; i++)
        slow += drift_is_slow(&o->drift.routes[i]);
    return slow;
}

bool model_update_may_look_again(const struct model_update *o, int64_t visit)
{
    /* All slow routes together, each at most LOOK_OVER_VISIT times the one that was measured. */
    int64_t cost;
    if (__builtin_mul_overflow(LOOK_OVER_VISIT * slow_routes(o), visit, &cost))
        return false;
    return o->saved_again >= cost;
}

/* The slow route to be measured next; -1: there is none. They are measured in turn. */
static int slow_route(const struct model_update *o)
{
    int slow = slow_routes(o), number = 0;
    for (int i = 0; i < o->drift.count; i++)
        if (drift_is_slow(&o->drift.routes[i]) && number++ == o->visits % slow)
            return i;
    return -1;
}

/* Bytes for measuring a slow route: limited, so that it does not take excessively long. */
static int64_t visit_bytes(const struct model_update *o, const struct drift_route *w)
{
    int64_t bytes = w->bytes;
    while (bytes > VISIT_LEAST && model_deliver(&o->now, w->from, w->to, bytes) > DRIFT_TIME)
        bytes /= 2;
    return bytes;
}

bool model_update_should_visit(const struct model_update *o, int *route)
{
    *route = slow_route(o);
    if (*route < 0)
        return false;
    const struct drift_route *w = &o->drift.routes[*route];
    /* The predicted time of the measurement, in ns, must be 1 / rest of the time since the last
     * one. */
    return o->since / o->rest >= model_deliver(&o->now, w->from, w->to, visit_bytes(o, w)) / 1000;
}

/* Routes of `drift` are in the same order as those of o->drift. */
int model_update_routes(const struct model_update *o, struct drift *drift)
{
    int error = drift_routes(o->stated, drift);
    /* A slow route is measured by fewer bytes, so that the measurement does not take too long. */
    for (int i = 0; i < o->drift.count && !error; i++)
        if (drift_is_slow(&o->drift.routes[i])) {
            drift->routes[i].factor = o->drift.routes[i].factor;
            drift->routes[i].late = o->drift.routes[i].late;
            drift->routes[i].bytes = visit_bytes(o, &drift->routes[i]);
        }
    return error;
}

bool model_update_visited(struct model_update *o, const struct drift_route *route, int number)
{
    struct drift_route measured = *route;
    struct drift now = {&measured, 1}, before = {&o->drift.routes[number], 1};
    bool moved = drift_decide(o->stated, &now, &before);
    o->visits++;
    o->since = 0;
    /* A route that has not changed is visited half as often next time. */
    o->rest = moved ? REST : 2 * o->rest < REST_MOST ? 2 * o->rest : REST_MOST;
    return moved;
}

/* Reads the network file again and applies the changes; *made NULL: there are none. HN_OK or an
 * error, after which nothing is made. */
static int make_net(const struct model_update *o, const struct drift *drift, const hn_tid *tids,
                    struct counted_net **made)
{
    int64_t ratio;
    *made = NULL;
    if (!drift_worst(o->stated, drift, &ratio))
        return HN_OK;
    int n = o->stated->ranks, error = HN_ENOMEM;
    int *host = malloc((size_t)n * sizeof *host);
    hn_net *net = NULL;
    if (host)
        error = job_net_read(tids, n, host, &net);
    free(host);
    if (net)
        error = drift_apply(drift, o->stated, net);
    if (error)
        hn_net_free(net);
    else if (!(*made = counted_net_new(net)))
        error = HN_ENOMEM;
    return error;
}

/* Replaces the model. Holders of the old network keep it alive until they drop it. */
static void use(struct model_update *o, struct counted_net *changed, struct drift *drift,
                pthread_mutex_t *guard)
{
    struct counted_net *before = o->changed;
    if (guard)
        pthread_mutex_lock(guard);
    drift_free(&o->drift);
    o->changed = changed;
    o->drift = *drift;
    *drift = (struct drift){0};
    o->now = *o->stated;
    if (changed)
        model_of_net(&o->now, changed->net, o->stated->host, o->stated->ranks, o->stated->port);
    o->now.ranks_per_core = o->stated->ranks_per_core;
    if (guard)
        pthread_mutex_unlock(guard);
    counted_net_drop(before);
}

/* The file is read and the network is made before the guard is taken. */
int model_update_measured(struct model_update *o, struct drift *drift, const hn_tid *tids,
                          bool again, int64_t cost, pthread_mutex_t *guard, bool *moved)
{
    struct counted_net *net = NULL;
    int error = HN_OK;
    *moved = drift_decide(o->stated, drift, o->drift.count ? &o->drift : NULL);
    spend(again ? &o->saved_again : &o->saved, cost);
    o->since = 0;
    if (*moved)
        o->rest = REST;
    if (*moved)
        error = make_net(o, drift, tids, &net);
    if (*moved && !error)
        use(o, net, drift, guard);
    return error;
}
