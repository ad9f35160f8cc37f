/* planners.h - the functions behind planner_rows.h; each file of this folder says what its
 * do. */
#pragma once

#include "planners/exchange/total_exchange.h"
#include "planners/multicast/multicast.h"
#include "planners/planner.h"

/* What their cost allows. */
enum { EXACT_RANKS_MOST = 10, SEARCH_RANKS_MOST = 512 };
/* What searches take: ps a rank, on a processor of 2020. */
static const hn_time PIPELINE_SEARCH = 1500000000, TREE_SEARCH = 1500000000,
                     FOREST_SEARCH = 8000000000, EXCHANGE_SEARCH = 16000000000;
/* At 128 ranks these searches take 0.2 s and 1 s, by the times above. */
enum { PIPELINE_RANKS_MOST = 128, FOREST_RANKS_MOST = 128 };
/* packing_trees.c affords 2^20 / ranks^2 trees: 64 for 128 ranks, but only 16 for 256. */
enum { PACKING_RANKS_MOST = 128 };
/* Up to ranks^2 messages, each of every segment: 65536 take 33 ms (work.c) without segments. */
enum { RELAYS_RANKS_MOST = 256, SCAN_WAYS_RANKS_MOST = 256 };
/* All ranks receive from all others: ranks^2 receives. With cast_shares that holds for all blocks
 * together, which get shorter: 4 KiB at 24 ranks, so that MULTICAST_AT_ONCE holds one of each. */
enum { CASTS_RANKS_MOST = 128, CAST_SHARES_RANKS_MOST = 24 };
/* The greatest radix of what goes in powers of one. */
enum { RADIX_MOST = 16 };
/* Time grows with ranks^3 * pieces: 0.2 s for each piece at 64 ranks (gossip_cost()). */
enum { GOSSIP_RANKS_MOST = 64, GOSSIP_PIECES_MOST = 2 };
/* Plans of up to ranks^2 messages. Two of them are interleaved in a composed plan; a nested plan of
 * 512 ranks takes 0.13 s (work.c). */
enum { COMPOSED_RANKS_MOST = 128, NESTED_RANKS_MOST = 512 };
/* Memory: 8 * ranks^2 bytes for each length of message, 134 MB at 4096 ranks. */
enum { MULTICAST_RANKS_MOST = 4096 };
/* Total exchanges have ranks^2 messages. To order 512^2 takes 0.5 s (work.c). Matchings take
 * O(ranks^4), detours O(ranks^3) in each of several rounds. */
enum { MATCHING_RANKS_MOST = 64, EXCHANGE_RANKS_MOST = 512, DETOURS_RANKS_MOST = 64 };
/* Up to so many heads of groups exchange directly, in one stage; more do it by doubling, as each
 * would send and combine that many messages. */
enum { HEADS_DIRECT = 16 };

/* Facts as planners ask for them (facts.c) ... */
bool suits_packing(const struct facts *facts);
bool suits_forest(const struct facts *facts);
bool suits_subnets(const struct facts *facts);
bool suits_groups(const struct facts *facts);
bool suits_slow_connections(const struct facts *facts);
bool suits_unequal(const struct facts *facts);
bool suits_detours(const struct facts *facts);
bool suits_long_blocks(const struct facts *facts);
bool suits_cut_slow_connections(const struct facts *facts);
bool likely_relays(const struct facts *facts);
bool likely_shares(const struct facts *facts);
/* ... and what looking for messages takes (work.h): of trees grown by pairs inside groups, of total
 * exchanges put in order, of multiple multicasts, and of two planners. */
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

/* Whether only playing a tree says what it takes ... */
bool planner_search_plays(const struct problem *problem);
/* ... and the best tree found so, from that which `start` makes and those of all planners on; of
 * these alone, where they are far from what has to be beaten. */
int planner_search_played(const struct problem *problem,
                          int (*start)(const struct problem *, struct tree *), struct tree *tree);
/* The steps of recursive doubling (radix 2) or multiplying among these members: they combine their
 * values of block 0, in the order of the list; gather: they gather the blocks 0 ... count - 1, each
 * its own. */
void planner_exchange_doubling(const int *member, int count, int radix, bool gather,
                               struct plan *plan);
/* In one stage: these send block 0 to each other, and combine in the order of the list. */
void planner_combine_all(const int *member, int count, struct plan *plan);
/* By a binomial tree at the first of the list, in its order. */
void planner_combine_up(const int *member, int count, struct plan *plan);
/* As planner_combine_all() without the sends: what each does with what the others send it. */
void planner_combine_ends(const int *member, int count, struct plan *plan);
/* Of an exscan: every rank's contribution goes to the next rank. The first rank of the scan that
 * remains. */
int planner_shift(const struct request *req, struct plan *plan);
/* The last of the ranks that follow this one in its subnet. */
int planner_end_of_run(const struct problem *problem, int rank);
/* A total exchange as a heuristic of planners/exchange orders it. */
int planner_exchange(const struct problem *problem, int (*run)(struct exchange *x),
                     struct plan *plan);
/* What an algorithm of coll/multicast makes of a multiple multicast. HN_OK, HN_ENOMEM, or HN_EPLAN:
 * too much for it. */
int planner_multicast(const struct problem *problem, int (*run)(struct multicast *m),
                      struct plan *plan);
