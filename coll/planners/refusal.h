/* refusal.h - why a plan that was asked for by name does not serve a request, in words. */
#pragma once

#include "planners/planner.h"

/* Of a choice for which choice_plan() has said HN_EPLAN; returns text. */
const char *refusal_text(const struct choice *choice, const struct request *req,
                         const struct model *model, char *text, size_t size);
