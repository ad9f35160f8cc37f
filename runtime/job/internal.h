/* internal.h - what collectives and measurements may use of a task: work that continues as messages
 * come, what calls wait for, groups and their losses, subsets, questions whether a message will
 * ever come, notes for -trace, whom datagrams reach, what the traffic says about a way.
 */
#pragma once

#include "engine/activity.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "engine/waits.h"
#include "job/group.h"
#include "job/argument_check.h"
#include "job/failure.h"
#include "job/subset.h"
#include "job/trace.h"
#include "match/observe.h"
#include "multicast/cast.h"
