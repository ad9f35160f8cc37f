/* internal.h - what the applications may use of the coll room besides its public header,
 * hnow_coll.h: plans and what is asked of them, models, planners and their parts for studies and
 * benchmarks, the choice among them.
 */
#pragma once

#include "model/bounds/bound.h"
#include "model/cluster.h"
#include "model/draw.h"
#include "model/array_grow.h"
#include "model/model.h"
#include "model/simulate.h"
#include "model/table.h"
#include "model/timed.h"
#include "plan/check.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "planners/broadcast.h"
#include "planners/exchange/heuristics.h"
#include "planners/exchange/total_exchange.h"
#include "planners/multicast/multicast.h"
#include "planners/planner.h"
#include "planners/refusal.h"
#include "planners/spanning.h"
#include "select/auto.h"
#include "wire/model_update.h"
#include "wire/plan_names.h"
#include "wire/group_state.h"
