/* prediction.c - hn_forecast() and its kin: the model's prediction for an operation, and the choice
 * of its plan by name.
 *
 * They use the same request, model, planners and simulator as a real operation, so prediction and
 * measurement refer to the same plan. Cost: that of planning and simulating; for NAME* once for
 * every parameter of the planner.
 */
#include "hnow_coll.h"

#include "select/auto.h"
#include "model/bounds/bound.h"
#include "wire/choices.h"
#include "runtime/internal.h"
#include "wire/fold.h"
#include "wire/multimulticast.h"
#include "wire/model_update.h"
#include "planners/refusal.h"
#include "wire/group_state.h"

#include <stdio.h>
#include <string.h>

const char *hn_planner_name(int i)
{
    return i >= 0 && i < planner_count ? planners[i].name : NULL;
}

size_t hn_plan_name_length(const char *list)
{
    struct choice ignored;
    return list ? choice_first(list, &ignored) : 0;
}

/* Every member must set the same plan, since plans contain the steps of all.  Names are checked
 * before anything changes. */
int hn_set_plan(const hn_group *group, const char *plan)
{
    struct group_state *state;
    struct plan_names names;
    if (!group)
        return error_set(HN_EARG, "plan: no group");
    int error = plan ? plan_names_parse(plan, &names) : HN_OK;
    if (!error)
        error = group_state_get(group, &state);
    if (!error && plan)
        error = plan_names_fit(&names, group_state_size(state));
    if (!error)
        group_state_force(state, plan ? &names : NULL);
    return error;
}

/* The name is cut to the size that is given. */
int hn_plan_followed(const hn_group *group, char *plan, size_t size)
{
    struct group_state *state;
    char name[PLAN_NAME_ROOM];
    if (!group || !plan || size == 0)
        return error_set(HN_EARG, "plan: no group, or no room for a name");
    int error = group_state_get(group, &state);
    if (error)
        return error;
    group_state_followed(state, name);
    snprintf(plan, size, "%s", name);
    return HN_OK;
}

int hn_coll_adapt(const hn_group *group, int on)
{
    struct group_state *state;
    if (!group)
        return error_set(HN_EARG, "adapt: no group");
    int error = group_state_get(group, &state);
    if (error)
        return error;
    group_state_adapt(state, on != 0, on == HN_ADAPT_SUMS);
    return error;
}

int hn_coll_compress(const hn_group *group, int on)
{
    struct group_state *state;
    if (!group)
        return error_set(HN_EARG, "compress: no group");
    int error = group_state_get(group, &state);
    if (!error)
        group_state_set_compress(state, on != 0);
    return error;
}

/* The planner of NAME*; NULL: the text has another form, or there is no such planner. The form asks
 * for the best parameters of one planner. name[] has room for the text without its star, and the
 * final NUL. */
static const struct planner *planner_at_best(const char *plan)
{
    char name[32];
    size_t length = strlen(plan);
    if (length < 2 || length > sizeof name || plan[length - 1] != '*')
        return NULL;
    memcpy(name, plan, length - 1);
    name[length - 1] = '\0';
    return planner_named(name);
}

/* The choice for a prediction: the one that operations will follow, the best of a planner, or the
 * one named. After an error *choice has the planner that was meant, for the text. */
static int find_choice(struct group_state *state, const struct model *model,
                       const struct request *req, const char *plan, struct choice *choice)
{
    const struct planner *only = plan ? planner_at_best(plan) : NULL;
    struct plan *best;
    if (!plan)
        return group_state_choose(state, req, choice);
    if (!only)
        return choice_parse(plan, choice) ? plan_names_unknown(plan, strlen(plan)) : HN_OK;
    /* The plan is made and dropped: the choice is enough. */
    int error = planner_best(req, model, only, choice, &best, NULL);
    plan_free(best);
    if (error)
        *choice = (struct choice){.planner = only};
    return error;
}

/* Sets the reason why no plan was made. */
static int explain_refusal(const struct model *model, const struct request *req, const char *plan,
                           const struct choice *choice)
{
    const char *operation = operation_name(req->op);
    char why[128];
    if (!choice->planner)
        return error_set(HN_EPLAN, "there is no plan for %s", operation);
    return error_set(HN_EPLAN, "plan '%s' does not serve %s: %s", plan ? plan : "auto", operation,
                     refusal_text(choice, req, model, why, sizeof why));
}

/* Uses one model for everything, even if the network changes meanwhile. */
static int predict_by(struct group_state *state, const struct model *model,
                      const struct request *req, const char *plan, hn_forecast *forecast)
{
    struct choice choice = {0};
    struct plan *made = NULL;
    struct timing timing = {0};
    int error = find_choice(state, model, req, plan, &choice);
    if (!error)
        error = choice_plan(&choice, req, model, &made);
    if (error == HN_EPLAN)
        error = explain_refusal(model, req, plan, &choice);
    if (!error)
        error = plan_simulate(made, model, &timing);
    if (!error) {
        choice_text(&choice, forecast->plan, sizeof forecast->plan);
        forecast->makespan = timing.makespan;
        forecast->lower_bound = lower_bound(req, model, plan_segments(made) > 1);
        forecast->measured = group_state_measured(state);
        /* Of a plan with segments the bound is the one for data that may be cut. */
    }
    timing_free(&timing);
    plan_free(made);
    return error;
}

/* The model is held, so that another thread may replace it meanwhile. */
static int predict_request(struct group_state *state, const struct request *req, const char *plan,
                           hn_forecast *forecast)
{
    struct held_model held;
    group_state_hold_model(state, &held);
    int error = predict_by(state, &held.model, req, plan, forecast);
    held_model_drop(&held);
    return error;
}

int hn_forecast_plan(const hn_group *group, const char *operation, size_t count, hn_type type,
                     int root, const char *plan, hn_forecast *forecast)
{
    REFUSE_NULL(group);
    REFUSE_NULL(operation);
    REFUSE_NULL(forecast);
    /* Types made of others are combined by their elements. */
    type = type_carried(type);
    struct request req = {
        .op = operation_named(operation), .root = root, .grain = (int64_t)hn_type_size(type)};
    struct group_state *state;
    const char *what;
    if (!group || req.op == OP_COUNT || req.grain == 0)
        return error_set(HN_EARG, "forecast: no such group, operation or type");
    if (__builtin_mul_overflow(count, req.grain, &req.bytes))
        return error_set(HN_EARG, "forecast: %zu elements are too many", count);
    int error = group_state_get(group, &state);
    if (error)
        return error;
    req.ranks = group_state_size(state);
    /* Predicts for a sum. */
    struct fold sum;
    /* Rounded sums are planned in another way (choices.h), so the prediction must be for one. */
    req.steady = request_combines(&req) && req.op != OP_BARRIER && !fold_find(HN_SUM, type, &sum) &&
                 sum.rounds && group_state_is_steady(state, &req);
    if (request_check(&req, &what))
        return error_set(HN_EARG, "forecast: %s", what);
    return predict_request(state, &req, plan, forecast);
}

int hn_forecast_multimulticast(const hn_group *group, const hn_multicast_message *messages, int n,
                               hn_type type, const char *plan, hn_forecast *forecast)
{
    REFUSE_NULL(group);
    REFUSE_NULL(forecast);
    struct multimulticast multi = {.listed = messages, .count = n};
    type = type_carried(type);
    struct request req = {.op = OP_MULTIMULTICAST, .grain = (int64_t)hn_type_size(type)};
    struct group_state *state;
    const char *what;
    if (req.grain == 0)
        return error_set(HN_EARG, "forecast: no such type");
    int error = group_state_get(group, &state);
    if (error)
        return error;
    req.ranks = group_state_size(state);
    /* Rank -1: buffers are not needed for a prediction. */
    error = multimulticast_read(&multi, req.ranks, -1, type);
    if (!error)
        error = multimulticast_check(&multi);
    req.messages = multi.messages;
    req.message_count = n > 0 ? n : 1;
    if (!error && request_check(&req, &what))
        error = error_set(HN_EARG, "forecast: %s", what);
    if (!error)
        error = predict_request(state, &req, plan, forecast);
    multimulticast_end(&multi);
    return error;
}
