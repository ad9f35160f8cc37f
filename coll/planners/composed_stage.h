/* composed_stage.h - maps the blocks of a stage to blocks of the composed plan (compose.h). */
#pragma once

#include "plan/plan.h"

/* A block of a stage consists of the blocks first ... end - 1 of the composed plan. */
struct extent {
    int first, end;
};

/* Cuts the parts of the request wherever a plan for one of its stages has a cut. HN_OK, HN_ENOMEM,
 * or HN_EPLAN if the data are too short for a stage that cuts pieces of them again. */
int stage_cut(const struct request *req, const struct plan *const *stages, int count,
              struct plan *whole);
/* Returns the extent in `whole` of every block of a stage, in an array that the caller frees. NULL:
 * out of memory. */
struct extent *stage_extents(const struct plan *whole, const struct plan *stage);
