/* planner_table.c - the planners. */
#include "planners/planner.h"

#include "planners/exchange/heuristics.h"
#include "planners/multicast/algorithms.h"
#include "planners/planners.h"

#define GATHERS (OP_BIT(OP_ALLGATHER) | OP_BIT(OP_ALLGATHERV))
#define WHOLES  (OP_BIT(OP_BCAST) | OP_BIT(OP_REDUCE) | OP_BIT(OP_ALLREDUCE))
#define MANY    OP_BIT(OP_MULTIMULTICAST)
#define SCANS   (OP_BIT(OP_SCAN) | OP_BIT(OP_EXSCAN))

/* The stages with which composed planners are tried first (planner.h). */
static const char *const usual_reduce_bcast[] = {"kary:5,cast", "binomial,cast",    "@fnf,fnf",
                                                 "@eco,eco",    "+packing,packing", NULL},
                         *const usual_gather_bcast[] = {"binomial,cast", "@fnf,fnf", "@eco,eco",
                                                        NULL},
                         *const usual_middle[] = {"@fnf,fnf", "@eco,eco", NULL},
                         *const usual_scattered[] = {"halving,cast_allgather",
                                                     "ring,cast_allgather",
                                                     "halving,gossip",
                                                     "ring,gossip",
                                                     "halving,gossip:2",
                                                     "ring,gossip:2",
                                                     NULL},
                         *const usual_spread[] = {"binomial,gossip", "binomial,gossip:2", NULL},
                         *const usual_alltoall[] = {"direct", NULL};

#define COMPOSED(first, second)                                                                    \
    .ranks_most = COMPOSED_RANKS_MOST, .composed = true, .stages = {first, second}

/* Fields that rows have in common: of trees from the costs of all pairs; of heuristics of papers
 * over subnets; of total exchanges for comparison; of algorithms for multiple multicasts. */
#define OF_PAIRS                                                                                   \
    .operations = TREE_OPERATIONS, .ranks_most = MATRIX_RANKS_MOST, .pairs = true, .segments = true
#define OVER_SUBNETS                                                                               \
    .operations = TREE_OPERATIONS, .segments = true,                                               \
    .candidate = {.baseline = true, .suits = suits_subnets, .cost = groups_cost}
#define OF_EXCHANGES(most, run)                                                                    \
    .operations = OP_BIT(OP_ALLTOALL), .ranks_most = most, .exchange = run,                        \
    .candidate = {.baseline = true, .cost = exchange_cost_of}
#define OF_MULTICASTS(run)                                                                         \
    .operations = MANY, .ranks_most = MULTICAST_RANKS_MOST, .segments = true, .multicast = run,    \
    .candidate = {.cost = multicast_cost}

const struct planner planners[] = {
#define TREE_PLANNER(function, ...) {.tree = function, __VA_ARGS__},
#define STEP_PLANNER(function, ...) {.plan = function, __VA_ARGS__},
#define OTHER_PLANNER(...)          {__VA_ARGS__},
#include "planners/planner_rows.h"
};
const int planner_count = sizeof planners / sizeof planners[0];
