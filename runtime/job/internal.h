/* internal.h - the parts of a task that collectives and measurements may use: activities, wait
 * reasons, groups and failures, subsets, argument checks, traces, multicasts, and observed
 * routes. */
#pragma once

#include "engine/activity.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "engine/waits.h"
#include "job/group.h"
#include "job/argument_check.h"
#include "job/failure.h"
#include "job/subset.h"
#include "job/tid_check.h"
#include "job/trace.h"
#include "match/observe.h"
#include "multicast/cast.h"
