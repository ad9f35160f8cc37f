/* makespan.h - a plan made, checked, and played in the model, for tests of planners and bounds. */
#pragma once

#include "plan/check.h"
#include "model/model.h"
#include "planners/planner.h"
#include "model/simulate.h"

#include "hnow.h"

#include <criterion/criterion.h>

/* INT64_MAX: that planner does not do this. */
static inline hn_time makespan_of(const struct choice *choice, const struct request *req,
                                  const struct model *model)
{
    struct plan *plan;
    struct check_fault fault;
    struct timing timing;
    int error = choice_plan(choice, req, model, &plan);
    if (error == HN_EPLAN)
        return INT64_MAX;
    cr_assert_eq(error, HN_OK, "%s", choice->planner->name);
    cr_assert_eq(plan_check(plan, req, &fault), HN_OK, "%s: %s", choice->planner->name, fault.text);
    cr_assert_eq(plan_simulate(plan, model, &timing), HN_OK, "%s", choice->planner->name);
    hn_time makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* ... of the choice that a text names. */
static inline hn_time makespan_by(const char *name, const struct request *req,
                                  const struct model *model)
{
    struct choice choice;
    cr_assert_eq(choice_parse(name, &choice), HN_OK, "%s", name);
    return makespan_of(&choice, req, model);
}

/* ... of all hosts of a network, which is freed. */
static inline hn_time makespan_on(hn_net *net, const char *name, struct request req, enum port port)
{
    struct model model;
    req.ranks = hn_net_size(net);
    model_of_net(&model, net, NULL, req.ranks, port);
    hn_time makespan = makespan_by(name, &req, &model);
    hn_net_free(net);
    return makespan;
}
