/* internal.h - the parts of runtime that other rooms may use besides the public header, hnow.h.
 * These are errors, options, lines, numbers, memory, the style of pictures, hosts files (which
 * network files extend), the cache of staged files, and the records of -trace. job/internal.h has
 * what collectives need of a task, hrun/internal.h what the programs hrun and hbench need. */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/clean.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/host_id.h"
#include "base/int64.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/list.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/options.h"
#include "base/picture.h"
#include "base/printed.h"
#include "base/range.h"
#include "base/replace.h"
#include "base/search.h"
#include "base/signals.h"
#include "base/type.h"
#include "hosts.h"
#include "protocol/stage.h"
#include "protocol/trace_record.h"
