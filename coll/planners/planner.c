/* planner.c - queries on the table of planners (planner_table.c). */
#include "planners/planner.h"

#include <string.h>

const struct planner *planner_named(const char *name)
{
    for (int i = 0; i < planner_count; i++)
        if (strcmp(planners[i].name, name) == 0)
            return &planners[i];
    return NULL;
}

bool planner_serves(const struct planner *planner, const struct request *req)
{
    return planner->operations & OP_BIT(req->op) &&
           (!planner->ranks_most || req->ranks <= planner->ranks_most) &&
           (req->op != OP_MULTIMULTICAST || !planner->deliveries_most ||
            request_deliveries(req) <= planner->deliveries_most);
}

bool planner_can(const struct planner *planner, const struct model *model)
{
    return !planner->multicasts || model_multicasts_any(model);
}

bool planner_suits(const struct planner *planner, const struct facts *facts)
{
    return (!planner->multicasts || facts->multicasts) &&
           (!planner->candidate.suits || planner->candidate.suits(facts));
}

int planner_stages(const struct planner *planner)
{
    return planner->stages[1] == OP_COUNT ? 1 : 2;
}

bool planner_roots(const struct planner *planner)
{
    bool rooted = false;
    for (int i = 0; i < planner_stages(planner); i++)
        rooted = rooted || operation_rooted(planner->stages[i]);
    for (int op = 0; op < OP_COUNT; op++)
        if (planner->operations & OP_BIT(op) && operation_rooted((enum operation)op))
            rooted = false;
    return planner->composed && rooted;
}
