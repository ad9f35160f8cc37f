/* planners.h - the functions behind planner_table.c; each file of this folder says what its
 * do. */
#ifndef HNOW_COLL_PLANNERS_H
#define HNOW_COLL_PLANNERS_H

#include "planners/exchange/total_exchange.h"
#include "planners/multicast/multicast.h"
#include "planners/planner.h"

/* What their cost allows. */
enum { EXACT_RANKS_MOST = 10, SEARCH_RANKS_MOST = 512 };
enum { PATH_RANKS_MOST = 2048, PIPELINE_RANKS_MOST = 128 };
/* What searches take: ps a rank, on a processor of 2020. */
static const hn_time PIPELINE_SEARCH = 1500000000, TREE_SEARCH = 1500000000,
                     FOREST_SEARCH = 8000000000;
enum { FOREST_RANKS_MOST = 128, LINE_RANKS_MOST = 1024 };
enum { PACKING_RANKS_MOST = 128 };
enum { RELAYS_RANKS_MOST = 256, SCAN_WAYS_RANKS_MOST = 256 };
enum { CASTS_RANKS_MOST = 128, CAST_SHARES_RANKS_MOST = 24 };
/* The greatest radix of what goes in powers of one. */
enum { RADIX_MOST = 16 };
enum { GOSSIP_RANKS_MOST = 64, GOSSIP_PIECES_MOST = 2 };
enum { COMPOSED_RANKS_MOST = 128, NESTED_RANKS_MOST = 512 };
enum { MULTICAST_RANKS_MOST = 4096, EXACT_DELIVERIES_MOST = 8 };
enum { MATCHING_RANKS_MOST = 64, EXCHANGE_RANKS_MOST = 512, DETOURS_RANKS_MOST = 64 };

/* Facts as planners ask for them (facts.c) ... */
bool suits_packing(const struct facts *facts);
bool suits_subnets(const struct facts *facts);
bool suits_groups(const struct facts *facts);
bool suits_nested(const struct facts *facts);
bool suits_lanes(const struct facts *facts);
bool suits_unequal(const struct facts *facts);
bool suits_detours(const struct facts *facts);
bool suits_long_blocks(const struct facts *facts);
bool suits_cut_lanes(const struct facts *facts);
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

int planner_flat(const struct problem *problem, struct tree *tree);
int planner_kary(const struct problem *problem, struct tree *tree);
int planner_star(const struct problem *problem, struct tree *tree);
int planner_mst(const struct problem *problem, struct tree *tree);
int planner_eco(const struct problem *problem, struct tree *tree);
int planner_binomial(const struct problem *problem, struct tree *tree);
int planner_inorder(const struct problem *problem, struct tree *tree);
int planner_butterfly(const struct problem *problem, struct tree *tree);
int planner_fnf(const struct problem *problem, struct tree *tree);
int planner_fef(const struct problem *problem, struct tree *tree);
int planner_ecef(const struct problem *problem, struct tree *tree);
int planner_ecef_la(const struct problem *problem, struct tree *tree);
int planner_ecef_la_avg(const struct problem *problem, struct tree *tree);
int planner_ecef_la_avg_ab(const struct problem *problem, struct tree *tree);
int planner_ecef_la_t(const struct problem *problem, struct tree *tree);
int planner_ecef_la_T(const struct problem *problem, struct tree *tree);
int planner_bottom_up(const struct problem *problem, struct tree *tree);
int planner_bottom_up_rt(const struct problem *problem, struct tree *tree);
int planner_subnets_fef(const struct problem *problem, struct tree *tree);
int planner_subnets_ecef(const struct problem *problem, struct tree *tree);
int planner_subnets_ecef_la(const struct problem *problem, struct tree *tree);
int planner_subnets_ecef_la_t(const struct problem *problem, struct tree *tree);
int planner_subnets_ecef_la_T(const struct problem *problem, struct tree *tree);
int planner_subnets_bottom_up(const struct problem *problem, struct tree *tree);
int planner_levels_eco(const struct problem *problem, struct tree *tree);
int planner_levels_kary(const struct problem *problem, struct tree *tree);
int planner_levels_ecef(const struct problem *problem, struct tree *tree);
int planner_levels_late(const struct problem *problem, struct tree *tree);
int planner_mixed(const struct problem *problem, struct tree *tree);
int planner_cast(const struct problem *problem, struct tree *tree);
int planner_cast_relay(const struct problem *problem, struct tree *tree);
int planner_cast_chain(const struct problem *problem, struct tree *tree);
int planner_exact(const struct problem *problem, struct tree *tree);
int planner_search(const struct problem *problem, struct tree *tree);
/* Whether only playing a tree says what it takes ... */
bool planner_search_plays(const struct problem *problem);
/* ... and the best tree found so, from that which `start` makes and those of all planners on; of
 * these alone, where they are far from what has to be beaten. */
int planner_search_played(const struct problem *problem,
                          int (*start)(const struct problem *, struct tree *), struct tree *tree);
int planner_path(const struct problem *problem, struct tree *tree);
int planner_pipeline(const struct problem *problem, struct tree *tree);
void planner_forest(const struct problem *problem, struct plan *plan);
void planner_packing(const struct problem *problem, struct plan *plan);
void planner_relays(const struct problem *problem, struct plan *plan);
void planner_shares(const struct problem *problem, struct plan *plan);
void planner_gossip(const struct problem *problem, struct plan *plan);
void planner_ring(const struct problem *problem, struct plan *plan);
void planner_line(const struct problem *problem, struct plan *plan);
void planner_levels_ring(const struct problem *problem, struct plan *plan);
void planner_levels_direct(const struct problem *problem, struct plan *plan);
void planner_levels_exchange(const struct problem *problem, struct plan *plan);
void planner_levels_doubling(const struct problem *problem, struct plan *plan);
void planner_doubling(const struct problem *problem, struct plan *plan);
/* The steps of recursive doubling (radix 2) or multiplying among these members: they combine their
 * values of block 0, in the order of the list; gather: they gather the blocks 0 ... count - 1, each
 * its own. */
void planner_exchange_doubling(const int *member, int count, int radix, bool gather,
                               struct plan *plan);
/* In one stage: these send block 0 to each other, and combine in the order of the list. */
void planner_combine_all(const int *member, int count, struct plan *plan);
/* The same without the sends: what each of them does with what the others send it. */
void planner_combine_ends(const int *member, int count, struct plan *plan);
void planner_halving(const struct problem *problem, struct plan *plan);
/* Of an exscan: everybody's contribution goes to the next rank. The first rank of the scan that
 * remains. */
int planner_shift(const struct request *req, struct plan *plan);
/* The last of the ranks that follow this one in its subnet. */
int planner_end_of_run(const struct problem *problem, int rank);
void planner_scan_chain(const struct problem *problem, struct plan *plan);
void planner_scan_doubling(const struct problem *problem, struct plan *plan);
void planner_scan_runs(const struct problem *problem, struct plan *plan);
void planner_scan_ways(const struct problem *problem, struct plan *plan);
void planner_caterpillar(const struct problem *problem, struct plan *plan);
void planner_max_matching(const struct problem *problem, struct plan *plan);
void planner_min_matching(const struct problem *problem, struct plan *plan);
void planner_greedy(const struct problem *problem, struct plan *plan);
void planner_open_shop(const struct problem *problem, struct plan *plan);
void planner_open_shop_longest(const struct problem *problem, struct plan *plan);
void planner_most_loaded(const struct problem *problem, struct plan *plan);
void planner_exchange_search(const struct problem *problem, struct plan *plan);
void planner_far_first(const struct problem *problem, struct plan *plan);
void planner_replies(const struct problem *problem, struct plan *plan);
void planner_direct(const struct problem *problem, struct plan *plan);
/* One end (kind: PLAN_SEND or PLAN_RECV) of all messages of an exchange among `ranks` that are
 * between these members, nearest in the list first. */
void planner_exchange_ends(const int *member, int count, int ranks, enum plan_kind kind,
                           struct plan *plan);
void planner_detours(const struct problem *problem, struct plan *plan);
void planner_leaders(const struct problem *problem, struct plan *plan);
void planner_bruck(const struct problem *problem, struct plan *plan);
/* What an algorithm of coll/multicast makes of a multiple multicast. HN_OK, HN_ENOMEM, or HN_EPLAN:
 * too much for it. */
int planner_multicast(const struct problem *problem, int (*run)(struct multicast *m),
                      struct plan *plan);
void planner_subnets_messages(const struct problem *problem, struct plan *plan);
void planner_cast_allgather(const struct problem *problem, struct plan *plan);
void planner_cast_shares(const struct problem *problem, struct plan *plan);
void planner_cast_exchange(const struct problem *problem, struct plan *plan);
void planner_scan_cast(const struct problem *problem, struct plan *plan);
void planner_dissemination(const struct problem *problem, struct plan *plan);

#endif
