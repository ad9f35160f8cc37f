/* refusal.h - explains why a plan that was requested by name does not serve an operation. */
#pragma once

#include "planners/planner.h"

/* For a choice whose choice_plan() returned HN_EPLAN. Writes the explanation and returns text. */
const char *refusal_text(const struct choice *choice, const struct request *req,
                         const struct model *model, char *text, size_t size);
