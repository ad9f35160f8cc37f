/* stage_plan.c - one plan for all blocks of a file (stage_plan.h). */
#include "wire/stage_plan.h"

#include "model/bounds/bound.h"
#include "select/auto.h"

#include "hnow.h"

/* What the root may take for looking: a part of the least time that the content needs. */
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
