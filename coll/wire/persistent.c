/* persistent.c - a decision of its own for a persistent operation (persistent.h). */
#include "wire/persistent.h"

#include "runtime/internal.h"
#include "wire/history.h"

#include <stdlib.h>

/* Number of starts, for half of whose time a plan for a persistent operation is searched. */
enum { STARTS = 64 };

/* A persistent operation's own state of adaptation. Used by one thread at a time, without a lock.
 */
struct persistent {
    struct adapt adapt;
    struct decision decision;
    bool stale;        /* the decision must be made anew */
    hn_time predicted; /* predicted time of this member's part; 0: not needed */
};

/* ---- planning --------------------------------------------------------------------------- */

/* Makes the decision anew for the present model. The monitor begins again. */
static int decide(struct persistent *l, struct call *call)
{
    struct decision *d = &l->decision;
    struct plan *plan;
    int error = planner_best_quick(&call->req, &l->adapt.model_update.now, STARTS, &d->choice,
                                   &plan, NULL, &d->shortlist);
    if (!error)
        plan_free(plan);
    d->why = WHY_BEST;
    d->monitor = (struct monitor){0};
    d->logged = false;
    l->stale = false;
    return error;
}

/* Makes the plan of the decision, after a new decision if the network has changed. The old plan is
 * dropped; the caller begins a new executor. */
static int replan(struct persistent *l, struct call *call)
{
    struct plan *plan = NULL;
    const struct model *model = &l->adapt.model_update.now;
    int error = l->stale ? decide(l, call) : HN_OK;
    if (!error)
        error = choice_plan(&l->decision.choice, &call->req, model, &plan);
    if (error)
        return error_set(error, "%s: %s", kind_name(call->kind), hn_strerror(error));
    plan_free(call->x.plan);
    call->x.plan = plan;
    choice_text(&l->decision.choice, plan->name, sizeof plan->name);
    struct history *history = group_state_history(call->state);
    if (history) {
        history_chosen(history, &call->req, model, &l->decision);
        l->predicted = plan_done(plan, model, call->x.rank);
    }
    return HN_OK;
}

/* A new network needs a new decision, a new plan only a plan. */
int persistent_agreed(struct persistent *l, struct call *call, enum agreed outcome)
{
    l->stale = outcome == AGREED_NETWORK;
    return outcome == AGREED_NOTHING ? HN_OK : replan(l, call);
}

/* *made stays NULL if the plan does not follow the network: named, a default, or adaptation is off.
 */
int persistent_begin(struct call *call, struct persistent **made)
{
    *made = NULL;
    if (!call->planning.own_decision || call->planning.own_decision->why == WHY_NAME ||
        call->planning.own_decision->why == WHY_RULE)
        return HN_OK;
    struct decision decision = *call->planning.own_decision;
    struct persistent *l = calloc(1, sizeof *l);
    if (!l)
        return error_set(HN_ENOMEM, "%s: out of memory", kind_name(call->kind));
    adapt_init(&l->adapt, group_state_stated(call->state), true);
    l->decision = decision;
    l->decision.monitor = (struct monitor){0};
    l->decision.again = INT64_MAX; /* everything for which there is time is tried at once */
    /* A shared decision's prediction is for other sizes. */
    bool shared = call->req.sizes != NULL;
    /* The shared selection may have been short of time, or was for other sizes of the class. */
    l->stale = (shared || !decision.shortlist.complete) && !decision.steady;
    if (shared && decision.steady)
        l->decision.shortlist.makespan =
            plan_makespan(call->x.plan, group_state_stated(call->state));
    *made = l;
    return l->stale ? replan(l, call) : HN_OK;
}

void persistent_free(struct persistent *l)
{
    if (l)
        adapt_free(&l->adapt);
    free(l);
}

/* ---- watching --------------------------------------------------------------------------- */

/* Called after each successful execution. true: an agreement is due. */
bool persistent_note(struct persistent *l, const struct call *call)
{
    int64_t took = (int64_t)(group_state_now() - call->planning.begun);
    history_measured(group_state_history(call->state), call->op, l->decision.class,
                     call->x.plan->name, l->predicted, took, call->planning.deflated);
    bool pending = adapt_count(&l->adapt, &l->decision);
    adapt_note(&l->adapt, &l->decision, took);
    return pending;
}

/* The agreement of the group, but with the adaptation of this operation, which needs no lock. */
struct agreement persistent_agreement(struct persistent *l, const struct call *call)
{
    struct agreement agreement =
        group_state_agreement(call->state, &call->req, &l->decision, call->x.tag);
    agreement.adapt = &l->adapt;
    agreement.guard = NULL;
    return agreement;
}
