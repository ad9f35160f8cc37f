/* collective_request.c - collective operations that run in the background: nonblocking and
 * persistent ones.
 *
 * The caller opens and plans the call, and executes the first steps. The other steps are executed
 * as messages arrive, by any thread inside the library, or by its background thread (activity.h).
 * If counts must be exchanged, the exchange runs in the same way, and the call is planned after it.
 * What remains to be agreed (adapt.h) is agreed before the call ends; later calls on the same
 * group are planned after that (sequence.h). A persistent call is planned once, and laid out and
 * executed at each start. It follows the network by itself (persistent.h), since several of them
 * may be started in any order.
 *
 * Failures: wrong arguments are reported at once, and nothing is started. If only a buffer is
 * missing, the call runs all the same, without a request and without touching the caller's memory,
 * so that others are notified at once (execute.c). Later failures (a failed member, no memory) end
 * the operation; hn_wait() returns code and text.
 */
#include "wire/call.h"

#include "runtime/internal.h"
#include "wire/argument_error.h"
#include "wire/operation_tag.h"
#include "wire/persistent.h"

#include <stdio.h>
#include <stdlib.h>

enum stage { IN_LINE, RUNS, SETTLES, OVER };

struct collective {
    struct activity activity;
    struct call call, round;
    struct call *now; /* the running one of the two calls */
    enum stage stage; /* of that */
    struct executor executor;
    bool begun; /* executor_begin() has been called */
    struct agreement agreement;
    struct persistent *persistent; /* if it follows the network; else NULL */
    int mistake; /* an error of this member only, after which it still agrees with the others */
    int refused; /* the caller got this error, and no request */
    bool broken; /* messages of a persistent operation may be left: it can never start again */
};

static struct collective *collective_of(struct activity *activity)
{
    return (struct collective *)activity;
}

/* Ends an operation that is done, or that could not begin. The calls are ended in any state. */
static void release(struct activity *activity)
{
    struct collective *c = collective_of(activity);
    activity_forget(activity);
    agreement_free(&c->agreement);
    executor_free(&c->executor);
    persistent_free(c->persistent);
    call_end(&c->round);
    call_end(&c->call);
    group_let_go(c->call.group);
    free(c);
}

/* ---- going on --------------------------------------------------------------------------- */

/* Lays the call out and starts its executor. Of a persistent call the executor is started again,
 * with its memory. */
static int prepare(struct collective *c)
{
    /* The caller has got an error, and its buffers may be gone: none of them is touched. */
    bool refused = c->refused && c->now == &c->call;
    if (refused)
        call_lay_nowhere(c->now);
    c->now->x.mistake = refused ? c->refused : call_lay_out(c->now);
    c->stage = RUNS;
    c->now->planning.begun = group_state_now();
    c->now->planning.deflated = false;
    if (c->begun) {
        executor_rewind(&c->executor);
        return HN_OK;
    }
    /* Of the exchange of counts, or of an earlier plan. */
    executor_free(&c->executor);
    int error = executor_begin(&c->executor, &c->now->x);
    c->begun = !error;
    return error ? error_set(error, "%s: out of memory", kind_name(c->now->kind)) : HN_OK;
}

/* Plans a call in its turn. EXECUTOR_WAITS: another operation must be planned before. */
static int plan(struct collective *c, struct call *call)
{
    c->now = call;
    c->begun = false;
    c->stage = IN_LINE;
    int error = call_plan(call);
    c->activity.awaits = &call->planning.entry.gate; /* if it must wait */
    return error ? error : prepare(c);
}

static int leave_line(struct collective *c)
{
    c->activity.awaits = &c->now->planning.entry.gate;
    if (!c->activity.awaits->done)
        return EXECUTOR_WAITS;
    int error = call_pass(c->now);
    return error ? error : prepare(c);
}

/* The execution has ended well, or with a mistake of this member. Begins the agreement that is due.
 */
static int end_run(struct collective *c)
{
    c->stage = OVER;
    /* A persistent operation records its times in its own adaptation. */
    if (c->persistent && persistent_note(c->persistent, &c->call)) {
        c->agreement = persistent_agreement(c->persistent, &c->call);
        c->stage = SETTLES;
    } else if (!c->persistent && !c->mistake) {
        group_state_note(c->now->state, &c->now->req, c->now->x.plan, c->now->planning.begun,
                         c->now->planning.deflated);
    }
    if (c->now->planning.pending) {
        c->agreement = group_state_agreement(c->now->state, &c->now->req, c->now->planning.pending,
                                             c->now->x.tag);
        c->stage = SETTLES;
    }
    return HN_OK;
}

static void keep_text(struct collective *c)
{
    snprintf(c->activity.text, sizeof c->activity.text, "%s", hn_error_text());
}

/* Continues the executor as far as messages have arrived. An error of this member only is kept
 * until the agreement has ended. */
static int run(struct collective *c)
{
    struct call_span span = call_enter(c->now);
    int error = executor_continue(&c->executor);
    call_leave(&span);
    c->activity.awaits = c->executor.awaits;
    if (error == EXECUTOR_WAITS)
        return error;
    c->broken |= error && error != HN_EDEAD;
    /* The context is that of the operation only while messages are posted; another thread may
     * continue. */
    error = call_executed(c->now, error);
    if (error && call_still_agrees(error)) {
        c->mistake = error;
        keep_text(c);
        error = HN_OK;
    }
    return error ? error : end_run(c);
}

/* Continues the agreement. A persistent operation may have a new plan afterwards, and with it a new
 * executor. */
static int agree(struct collective *c)
{
    hn_context before = hn_set_context(group_state_context(c->now->state));
    int error = agreement_continue(&c->agreement);
    hn_set_context(before);
    c->activity.awaits = c->agreement.awaits;
    if (error == EXECUTOR_WAITS)
        return error;
    c->stage = OVER;
    if (c->now->planning.pending) {
        call_agreed(c->now, &c->agreement);
    } else if (!error) {
        error = persistent_agreed(c->persistent, &c->call, c->agreement.outcome);
        c->begun = false;
    }
    c->broken |= error && error != HN_EDEAD;
    agreement_free(&c->agreement);
    c->agreement = (struct agreement){0};
    return call_outcome(c->now, error);
}

/* Performs the stages until one must wait. The exchange of counts goes through the same stages
 * first. */
static int advance(struct collective *c)
{
    int error = HN_OK;
    while (!error && !(c->stage == OVER && c->now == &c->call)) {
        if (c->stage == IN_LINE)
            error = leave_line(c);
        else if (c->stage == RUNS)
            error = run(c);
        else if (c->stage == SETTLES)
            error = agree(c);
        else /* the counts have been exchanged */
            error = c->mistake ? c->mistake : plan(c, &c->call);
    }
    return error ? error : c->mistake;
}

/* Called by the engine when `awaits` is done, in any thread. true: the operation is done. */
static bool on_message(struct activity *activity)
{
    struct collective *c = collective_of(activity);
    int error = advance(c);
    if (error == EXECUTOR_WAITS)
        return false;
    /* No operation may wait for the turn of one that has failed. */
    if (error)
        call_give_up(c->now);
    if (error && c->now == &c->round)
        call_give_up(&c->call);
    /* A persistent operation keeps its slot for the next start, unless it can never start again. */
    if (!c->call.persistent || c->broken || error == HN_EDEAD) {
        c->round.outcome = c->call.outcome = error;
        call_left(&c->round);
        call_left(&c->call);
    }
    activity->request.result = error;
    if (error && !c->mistake)
        keep_text(c);
    return true;
}

/* Prepares the next start. Not called while the operation is in progress. */
static int rewind_collective(struct activity *activity)
{
    struct collective *c = collective_of(activity);
    c->mistake = HN_OK;
    hn_tid dead = hn_group_dead(c->call.group);
    if (dead > 0) {
        call_note_dead(&c->call, dead);
        return call_outcome(&c->call, HN_EDEAD);
    }
    return c->broken ? call_name_broken(kind_name(c->call.kind)) : prepare(c);
}

static void explain(const struct activity *activity, struct wait_reason *reason)
{
    const struct collective *c = (const struct collective *)activity;
    reason->operation = kind_name(c->now->kind);
    reason->number = operation_tag_number(c->now->x.tag);
    if (c->stage == RUNS)
        reason->step = (unsigned)(c->executor.at - c->now->x.plan->first[c->now->x.rank]);
}

/* ---- beginning -------------------------------------------------------------------------- */

/* The call is refused, but it takes its slot, so that calls of other members match. */
static int refuse(const struct call *call, bool persistent, int error)
{
    struct call refused = *call;
    refused.persistent = persistent;
    return call_refuse(&refused, error);
}

/* Copies the call. After an error the call has been refused, and nothing is to be freed. */
static int new_collective(const struct call *call, bool persistent, hn_request **request,
                          struct collective **made)
{
    if (!request)
        return refuse(call, persistent, error_set(HN_EARG, "no place for the request"));
    struct collective *c = calloc(1, sizeof *c);
    if (!c)
        return refuse(call, persistent, error_set(HN_ENOMEM, "out of memory"));
    c->activity = (struct activity){.advance = on_message,
                                    .rewind = persistent ? rewind_collective : NULL,
                                    .explain = explain,
                                    .release = release};
    c->call = *call;
    c->call.persistent = persistent;
    int error = activity_init(&c->activity);
    if (error) {
        free(c);
        return error;
    }
    /* The group must last as long as the operation, even if the program frees it. */
    group_hold(c->call.group);
    *made = c;
    return HN_OK;
}

/* Executes what is possible before the first message arrives. The exchange of counts comes first,
 * if there is one. */
static int begin(struct collective *c)
{
    struct call *first = &c->call;
    int error = HN_OK;
    if (c->call.room.shared) {
        first = &c->round;
        c->round = call_round(&c->call);
        error = call_open(&c->round);
    }
    if (!error)
        error = plan(c, first);
    if (!error || error == EXECUTOR_WAITS)
        error = activity_start(&c->activity);
    return error;
}

/* Returns the error of a mistake to the caller; c runs on and frees itself. The other members wait
 * for this member's messages, and get termination notices. */
static int post_orphan(struct collective *c, int mistake)
{
    char text[ERROR_TEXT];
    argument_error_name(c->call.kind, mistake);
    snprintf(text, sizeof text, "%s", hn_error_text());
    c->refused = c->call.outcome = mistake;
    c->activity.orphan = true;
    if (begin(c))
        release(&c->activity);
    return error_set(mistake, "%s", text);
}

int call_post(const struct call *call, hn_request **request)
{
    struct collective *c = NULL;
    int error = new_collective(call, false, request, &c);
    if (error)
        return error;
    error = call_open(&c->call);
    /* The buffers are checked here, while the caller can still get an error at once. */
    int mistake = error                 ? HN_OK
                  : c->call.room.shared ? call_check_own(&c->call)
                                        : call_check_buffers(&c->call);
    if (mistake)
        return post_orphan(c, mistake);
    if (!error)
        error = begin(c);
    if (error)
        release(&c->activity);
    else
        *request = &c->activity.request;
    return error;
}

/* Planned in the calling thread, which waits for its turn: a persistent call is made once. Its
 * first start executes it. */
int call_keep(const struct call *call, hn_request **request)
{
    struct collective *c = NULL;
    int error = new_collective(call, true, request, &c);
    if (error)
        return error;
    error = call_open(&c->call);
    if (!error && c->call.room.shared) {
        struct call round = call_round(&c->call);
        error = call_run(&round);
    }
    if (!error)
        error = call_plan(&c->call);
    if (error == EXECUTOR_WAITS)
        error = call_pass(&c->call);
    /* A missing buffer is an error now: no start could succeed. */
    if (!error && call_check_buffers(&c->call))
        error = argument_error_name(c->call.kind, HN_EARG);
    if (!error)
        error = persistent_begin(&c->call, &c->persistent);
    c->now = &c->call;
    c->call.outcome = error;
    if (error)
        release(&c->activity);
    else
        *request = &c->activity.request;
    return error;
}

/* ---- persistent ones -------------------------------------------------------------------- */

int call_name_broken(const char *operation)
{
    return error_set(HN_ESTATE, "%s: it has failed before: make another request", operation);
}

/* The operation of a persistent request that is not running, collective or between neighbours;
 * NULL: see *error. Both kinds are activities with a function that starts them again. */
static struct activity *resting(hn_request *request, int *error)
{
    struct activity *activity = request ? request->activity : NULL;
    if (!activity || !activity->rewind)
        *error = error_set(HN_EARG, "the request is not a persistent one");
    else if (activity_is_under_way(activity))
        *error = error_set(HN_ESTATE, "the request is under way");
    else
        return activity;
    return NULL;
}

int hn_start(hn_request *request)
{
    int error;
    struct activity *activity = resting(request, &error);
    if (!activity)
        return error;
    error = activity->rewind(activity);
    return error ? error : activity_start(activity);
}

int hn_request_free(hn_request *request)
{
    int error;
    struct activity *activity = resting(request, &error);
    if (!activity)
        return error;
    activity->release(activity);
    return HN_OK;
}
