/* stage_plan.h - the blocks in which a file is broadcast, and the plan for them (stage_file.c). */
#pragma once

#include "model/model.h"
#include "plan/plan.h"

/* Bytes of a block. The usual block has about ten segments of a plan, so filling the pipeline costs
 * little. Plans for long data cut each block into a number of pieces. They get long blocks, whose
 * messages are long enough for busy processors (grid6, 256 MiB: 24 s with usual blocks, 19.6 s with
 * long ones). */
enum { STAGE_BLOCK = 4 << 20, STAGE_BLOCK_LONG = 32 << 20 };

/* Returns the block size in bytes. name: the text form of the plan; "" if none suits. `req` has the
 * whole length as one message. */
size_t stage_plan(const struct request *req, const struct model *model, char name[PLAN_NAME_ROOM]);
