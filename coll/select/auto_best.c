/* auto_best.c - the entry points of `auto` (auto.h): each is a selection (selection.h) with its own
 * limits.
 */
#include "select/auto.h"

#include "select/selection.h"

#include "hnow.h"

#include <stdlib.h>

/* Drops the plan and its timing; the rest of the selection stays. */
static void clear(struct selection *c)
{
    plan_free(c->plan);
    timing_free(&c->timing);
    c->plan = NULL;
}

/* Keeps a plan found earlier, with less time, if nothing as good was found now. What is tried first
 * may be another plan now, and may have taken all the time. The known plan is made and simulated
 * again, since the selection did not try it, or not in full. */
static int keep_known(struct selection *c, const struct choice *known)
{
    struct selection before = {.req = c->req,
                               .model = c->model,
                               .quick = true,
                               .priced = true,
                               .stages = c->stages,
                               .budget = {.calls = CALLS_ALL,
                                          .ranks_per_core = c->budget.ranks_per_core,
                                          .message_work = c->budget.message_work}};
    hn_time makespan;
    int error = selection_try(&before, known, &makespan);
    free(before.tried.list);
    /* The new result stays if it is as good. */
    if (error || !before.plan || before.price >= c->price) {
        clear(&before);
        return error;
    }
    clear(c);
    c->choice = before.choice;
    c->plan = before.plan;
    c->timing = before.timing;
    return HN_OK;
}

/* Runs the selection, and returns its result, or the earlier one (NULL or without a planner: none)
 * if that is better. c is passed by value: it is the state of this selection only. Its plan and
 * timing become the caller's. */
static int decide(struct selection c, const struct candidate *known, struct choice *choice,
                  struct plan **plan, struct timing *timing, struct shortlist *shortlist)
{
    struct stage_memo stages = {0};
    c.stages = &stages;
    int error = selection_run(&c);
    /* Their makespans are of the same request or of one of its class. */
    if (!error && known && known->choice.planner && known->makespan < c.timing.makespan)
        error = keep_known(&c, &known->choice);
    stage_memo_free(&stages);
    c.shortlist.makespan = error ? 0 : c.timing.makespan;
    candidates_list(&c.candidates, &c.choice, &c.shortlist);
    if (error || !timing)
        timing_free(&c.timing);
    if (error)
        clear(&c);
    *choice = c.choice;
    *plan = c.plan;
    if (timing)
        *timing = c.timing;
    if (shortlist)
        *shortlist = c.shortlist;
    return error;
}

int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing)
{
    /* Without `quick` there is no budget: everything is tried. */
    struct selection selection = {.req = req, .model = model, .only = only, .baselines = true};
    return decide(selection, NULL, choice, plan, timing, NULL);
}

int planner_best_without(const struct request *req, const struct model *model, const bool *left_out,
                         struct choice *choice, struct plan **plan, struct timing *timing)
{
    struct selection selection = {
        .req = req, .model = model, .left_out = left_out, .baselines = true};
    return decide(selection, NULL, choice, plan, timing, NULL);
}

int planner_best_again(const struct request *req, const struct model *model, int64_t calls,
                       const struct candidate *known, struct choice *choice, struct plan **plan,
                       struct timing *timing, struct shortlist *shortlist)
{
    struct selection selection = {
        .req = req,
        .model = model,
        .quick = true,
        .priced = true,
        .budget = {.calls = calls, .ranks_per_core = model_ranks_per_core(model)}};
    return decide(selection, known, choice, plan, timing, shortlist);
}

int planner_best_quick(const struct request *req, const struct model *model, int64_t calls,
                       struct choice *choice, struct plan **plan, struct timing *timing,
                       struct shortlist *shortlist)
{
    return planner_best_again(req, model, calls, NULL, choice, plan, timing, shortlist);
}

int planner_best_within(const struct request *req, const struct model *model, hn_time work,
                        struct choice *choice, struct plan **plan, struct timing *timing)
{
    struct selection selection = {.req = req,
                                  .model = model,
                                  .quick = true,
                                  .priced = true,
                                  .budget = {.calls = 1, .most = work}};
    return decide(selection, NULL, choice, plan, timing, NULL);
}
