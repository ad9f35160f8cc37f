/* stage_plan.c - selects the plan and the block size of a file broadcast (stage_plan.h). */
#include "wire/stage_plan.h"

#include "model/bounds/bound.h"
#include "select/auto.h"

#include "hnow.h"

/* The root may spend this part of the lower bound of the broadcast on the selection: 1/8. */
enum { LOOK_SHARE = 8 };

size_t stage_plan(const struct request *req, const struct model *model, char name[PLAN_NAME_ROOM])
{
    struct choice choice;
    struct plan *plan;
    hn_time most = lower_bound(req, model, true) / LOOK_SHARE;
    name[0] = '\0';
    if (planner_best_within(req, model, most, &choice, &plan, NULL) != HN_OK)
        return STAGE_BLOCK;
    plan_free(plan);
    choice_text(&choice, name, PLAN_NAME_ROOM);
    return choice.planner->candidate.bulk ? STAGE_BLOCK_LONG : STAGE_BLOCK;
}
