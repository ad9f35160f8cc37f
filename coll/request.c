/* request.c - collective operations that go on by themselves: nonblocking and persistent ones.
 *
 * Happy path: the call is opened and planned by its caller, who also does the first steps; the
 * others are done as messages come, by whoever is inside the library, or by its background thread
 * (activity.h).  A call whose counts must be sent round first runs the round in the same way, and
 * is planned when that has been.  A persistent one is planned once, and laid out and run at each
 * start.
 *
 * Failures: what is wrong with the arguments is said at once, and nothing is started.  Later ones
 * (a member has failed, no memory) end the operation; hn_wait() hands out code and text.
 */
#include "call.h"

#include "activity.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>

struct collective {
    struct activity activity;
    struct call call, round;
    struct call *now; /* which of the two runs */
    struct executor executor;
    bool begun;     /* the executor has been */
    char text[256]; /* of an error */
};

static struct collective *collective_of(struct activity *activity)
{
    return (struct collective *)activity;
}

static void release(struct activity *activity)
{
    struct collective *c = collective_of(activity);
    activity_forget(activity);
    executor_free(&c->executor);
    call_end(&c->round);
    call_end(&c->call);
    free(c);
}

/* ---- going on ----------------------------------------------------------------------------------
 */

static int run(struct collective *c)
{
    struct call_span span = call_enter(c->now);
    int error = executor_go_on(&c->executor);
    call_leave(&span);
    return error == EXECUTOR_WAITS ? error : call_outcome(c->now, error);
}

/* Lays the call out, and gives it to the executor. */
static int prepare(struct collective *c, struct call *call)
{
    int error = call_lay_out(call);
    if (error)
        return error;
    if (c->begun && c->now == call) {
        executor_rewind(&c->executor);
        return HN_OK;
    }
    executor_free(&c->executor);
    c->now = call;
    c->begun = true;
    error = executor_begin(&c->executor, &call->x);
    return error ? error_set(error, "%s: out of memory", operation_name(call->op)) : HN_OK;
}

static int go_on(struct collective *c)
{
    int error = run(c);
    if (error || c->now == &c->call)
        return error;
    error = call_plan(&c->call);
    if (!error)
        error = prepare(c, &c->call);
    return error ? error : run(c);
}

static bool on_message(struct activity *activity)
{
    struct collective *c = collective_of(activity);
    int error = go_on(c);
    activity->awaits = c->executor.awaits;
    if (error == EXECUTOR_WAITS)
        return false;
    activity->request.result = error;
    if (error)
        snprintf(c->text, sizeof c->text, "%s", hn_error_text());
    return true;
}

static int conclude(struct activity *activity)
{
    struct collective *c = collective_of(activity);
    int result = activity->request.result;
    if (result)
        error_set(result, "%s", c->text);
    activity->request.result = HN_OK;
    if (!c->call.lasting)
        release(activity);
    return result;
}

static void explain(const struct activity *activity, struct wait_reason *reason)
{
    const struct collective *c = (const struct collective *)activity;
    reason->operation = operation_name(c->now->op);
    reason->number = team_number_of(c->now->team, c->now->x.tag);
    reason->step = (unsigned)(c->executor.at - c->now->x.plan->first[c->now->x.rank]);
}

/* ---- beginning ---------------------------------------------------------------------------------
 */

static int new_collective(const struct call *call, struct collective **made)
{
    struct collective *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(HN_ENOMEM, "out of memory");
    c->activity = (struct activity){
        .go_on = on_message, .conclude = conclude, .explain = explain, .release = release};
    c->call = *call;
    int error = activity_init(&c->activity);
    if (error)
        free(c);
    else
        *made = c;
    return error;
}

int call_post(const struct call *call, hn_request **request)
{
    struct collective *c = NULL;
    int error = new_collective(call, &c);
    if (error)
        return error;
    struct call *first = &c->call;
    error = call_open(&c->call);
    if (!error && c->call.shared) {
        first = &c->round;
        c->round = call_round(&c->call);
        error = call_open(&c->round);
    }
    if (!error)
        error = call_plan(first);
    if (!error)
        error = prepare(c, first);
    if (!error)
        error = activity_start(&c->activity);
    if (error)
        release(&c->activity);
    else
        *request = &c->activity.request;
    return error;
}

int call_keep(const struct call *call, hn_request **request)
{
    struct collective *c = NULL;
    int error = new_collective(call, &c);
    if (error)
        return error;
    c->call.lasting = true;
    error = call_open(&c->call);
    if (!error && c->call.shared) {
        struct call round = call_round(&c->call);
        error = call_run(&round);
    }
    if (!error)
        error = call_plan(&c->call);
    if (error)
        release(&c->activity);
    else
        *request = &c->activity.request;
    return error;
}

/* ---- persistent ones ---------------------------------------------------------------------------
 */

/* The operation behind a persistent request that rests; NULL, and *error says why not. */
static struct collective *resting(hn_request *request, int *error)
{
    struct activity *activity = request ? request->activity : NULL;
    if (!activity || activity->go_on != on_message || !collective_of(activity)->call.lasting)
        *error = error_set(HN_EARG, "the request is not a persistent one");
    else if (activity_is_under_way(activity))
        *error = error_set(HN_ESTATE, "the request is under way");
    else
        return collective_of(activity);
    return NULL;
}

int hn_start(hn_request *request)
{
    int error;
    struct collective *c = resting(request, &error);
    if (!c)
        return error;
    if (hn_group_dead(c->call.group) > 0)
        return call_outcome(&c->call, HN_EDEAD);
    error = prepare(c, &c->call);
    return error ? error : activity_start(&c->activity);
}

int hn_request_free(hn_request *request)
{
    int error;
    struct collective *c = resting(request, &error);
    if (!c)
        return error;
    release(&c->activity);
    return HN_OK;
}
