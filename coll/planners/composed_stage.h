/* composed_stage.h - how the data of an operation and of the operations that it is made of lie in
 * each other (compose.h).
 */
#pragma once

#include "plan/plan.h"

/* A block of a stage is the blocks first ... end - 1 of the whole. */
struct extent {
    int first, end;
};

/* Cuts the parts of the request into blocks wherever a plan for one of its stages does. HN_OK,
 * HN_EPLAN where there is too little for a stage that cuts pieces of it once more, or HN_ENOMEM. */
int stage_cut(const struct request *req, const struct plan *const *stages, int count,
              struct plan *whole);
/* For every block of a stage, where it lies. NULL: out of memory. */
struct extent *stage_extents(const struct plan *whole, const struct plan *stage);
