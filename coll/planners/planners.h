/* planners.h - declarations of the functions in planner_rows.h, and limits of their cost. */
#pragma once

#include "planners/exchange/total_exchange.h"
#include "planners/multicast/multicast.h"
#include "planners/planner.h"

/* Most ranks of two searches: branch and bound (exponential), and local moves (TREE_SEARCH). */
enum { EXACT_RANKS_MOST = 10, SEARCH_RANKS_MOST = 512 };
/* Time of searches in ps for each rank, on a processor of 2020. */
static const hn_time PIPELINE_SEARCH = 1500000000, TREE_SEARCH = 1500000000,
                     FOREST_SEARCH = 8000000000, EXCHANGE_SEARCH = 16000000000;
/* At 128 ranks these searches take 0.2 s and 1 s, by the times above. */
enum { PIPELINE_RANKS_MOST = 128, FOREST_RANKS_MOST = 128 };
/* packing_trees.c makes at most 2^20 / ranks^2 trees: 64 for 128 ranks, but only 16 for 256. */
enum { PACKING_RANKS_MOST = 128 };
/* Up to ranks^2 messages of each segment: 65536 take 33 ms (work.c) without segments. */
enum { RELAYS_RANKS_MOST = 256, SCAN_WAYS_RANKS_MOST = 256 };
/* All ranks receive from all others: ranks^2 receives. In cast_shares this holds for all blocks
 * together, which get shorter: 4 KiB at 24 ranks, so that MULTICAST_AT_ONCE has room for one of
 * each. */
enum { CASTS_RANKS_MOST = 128, CAST_SHARES_RANKS_MOST = 24 };
/* The largest radix of exchanges in stages (radix.h). */
enum { RADIX_MOST = 16 };
/* Time grows with ranks^3 * pieces: 0.2 s for each piece at 64 ranks (gossip_cost()). */
enum { GOSSIP_RANKS_MOST = 64, GOSSIP_PIECES_MOST = 2 };
/* Plans of up to ranks^2 messages. Two of them are interleaved in a composed plan; a nested plan of
 * 512 ranks takes 0.13 s (work.c). */
enum { COMPOSED_RANKS_MOST = 128, NESTED_RANKS_MOST = 512 };
/* Memory: 8 * ranks^2 bytes for each length of message, 134 MB at 4096 ranks. */
enum { MULTICAST_RANKS_MOST = 4096 };
/* Total exchanges have ranks^2 messages. Ordering 512^2 of them takes 0.5 s (work.c). Matchings
 * take O(ranks^4), detours O(ranks^3) in each of several rounds. */
enum { MATCHING_RANKS_MOST = 64, EXCHANGE_RANKS_MOST = 512, DETOURS_RANKS_MOST = 64 };
/* Up to so many heads of groups exchange directly, in one stage. More of them use recursive
 * doubling, since each would otherwise send and combine that many messages. */
enum { HEADS_DIRECT = 16 };

/* Predicates on facts for the table of planners (facts.c) ... */
bool suits_packing(const struct facts *facts);
bool suits_forest(const struct facts *facts);
bool suits_subnets(const struct facts *facts);
bool suits_groups(const struct facts *facts);
bool suits_slow_connections(const struct facts *facts);
bool suits_bus(const struct facts *facts);
bool suits_unequal(const struct facts *facts);
bool suits_detours(const struct facts *facts);
bool suits_long_blocks(const struct facts *facts);
bool suits_cut_slow_connections(const struct facts *facts);
bool likely_relays(const struct facts *facts);
bool likely_shares(const struct facts *facts);
/* ... and the work of searches (work.h): trees grown by pairs inside groups, ordering of total
 * exchanges, multiple multicasts, and two planners. */
hn_time groups_cost(const struct choice *choice, const struct request *req);
hn_time exchange_cost_of(const struct choice *choice, const struct request *req);
hn_time multicast_cost(const struct choice *choice, const struct request *req);
hn_time packing_cost(const struct choice *choice, const struct request *req);
hn_time gossip_cost(const struct choice *choice, const struct request *req);
hn_time detours_cost(const struct choice *choice, const struct request *req);

/* The planners themselves. */
#define TREE_PLANNER(function, ...) int function(const struct problem *problem, struct tree *tree);
#define STEP_PLANNER(function, ...) void function(const struct problem *problem, struct plan *plan);
#define OTHER_PLANNER(...)
#include "planners/planner_rows.h"
#undef TREE_PLANNER
#undef STEP_PLANNER
#undef OTHER_PLANNER

/* Whether the makespan of a tree is known only by simulation, since media are shared or edges carry
 * several messages. */
bool planner_needs_simulation(const struct problem *problem);
/* Adds the edges of the best tree that a search by simulation finds. It starts from the tree of
 * `start` and those of all planners, and ends with these if they are far above problem.limit. HN_OK
 * or an error. */
int planner_improve(const struct problem *problem,
                    int (*start)(const struct problem *, struct tree *), struct tree *tree);
/* Appends the steps of recursive doubling (radix 2) or multiplying among these members. They
 * combine their values of block 0. gather: they gather the blocks 0 ... count - 1 instead, one of
 * each member. */
void planner_exchange_doubling(const int *member, int count, int radix, bool gather,
                               struct plan *plan);
/* Appends one stage: all members send block 0 to each other and combine in the order of the list.
 */
void planner_combine_all(const int *member, int count, struct plan *plan);
/* Appends a reduction of block 0 to the first member by a binomial tree, in the order of the list.
 */
void planner_combine_up(const int *member, int count, struct plan *plan);
/* As planner_combine_all() without the sends: the receiving steps only. */
void planner_combine_ends(const int *member, int count, struct plan *plan);
/* For an exscan: sends every rank's contribution to the next rank. Returns the first rank of the
 * scan that remains to be done. */
int planner_shift(const struct request *req, struct plan *plan);
/* The last rank of the consecutive ranks in this rank's subnet. */
int planner_end_of_run(const struct problem *problem, int rank);
/* Writes a total exchange in the order of a heuristic of planners/exchange. HN_OK or HN_ENOMEM. */
int planner_exchange(const struct problem *problem, int (*run)(struct exchange *x),
                     struct plan *plan);
/* Writes a multiple multicast in the order of an algorithm of planners/multicast. HN_OK, HN_ENOMEM,
 * or HN_EPLAN if the request is too large for it. */
int planner_multicast(const struct problem *problem, int (*run)(struct multicast *m),
                      struct plan *plan);
