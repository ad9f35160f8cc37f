/* stage_plan.h - the blocks in which a file is broadcast, and the plan for them (stage_file.c). */
#pragma once

#include "model/model.h"
#include "plan/plan.h"

/* Bytes of a block. A usual one is some ten segments of a plan, so that filling the pipeline costs
 * little. Plans for long data cut each block anew, the finer the shorter it is; in long blocks
 * messages are long enough for busy processors (grid6, 256 MiB: 24 s with usual ones, 19.6 with
 * long ones). */
enum { STAGE_BLOCK = 4 << 20, STAGE_BLOCK_LONG = 32 << 20 };

/* The size of blocks; name: the plan for the whole length as one message, "" if nothing suits. */
size_t stage_plan(const struct request *req, const struct model *model, char name[PLAN_NAME_ROOM]);
