/* planner_rows.h - the planners, one row each.
 *
 * Included twice: in planners.h to declare the functions, in planner_table.c to make the table of
 * them (so there is no guard). A row begins with the planner's function:
 *
 *     TREE_PLANNER(FUNCTION, .name = ...)   grows a tree, which serves all operations of tree.h
 *     STEP_PLANNER(FUNCTION, .name = ...)   writes the steps itself
 *     OTHER_PLANNER(.name = ...)            composed of others, or an algorithm of multicast.h or
 *                                           total_exchange.h
 *
 * The other fields are those of struct planner. Macros such as OF_PAIRS (planner_table.c) contain
 * fields that many rows have in common. `auto` tries planners in the order of the rows.
 */
TREE_PLANNER(planner_flat, .name = "flat", .source = "sequential tree: Banikazemi, Figure 1b; PVM",
             .operations = TREE_OPERATIONS, .segments = true)
TREE_PLANNER(planner_binomial, .name = "binomial", .source = "Banikazemi, Figure 1a",
             .operations = TREE_OPERATIONS, .segments = true, .candidate = {.baseline = true})
TREE_PLANNER(planner_inorder, .name = "inorder",
             .source = "our own: binomial over runs of ranks, for operators that do not commute",
             .operations = TREE_OPERATIONS, .segments = true)
TREE_PLANNER(planner_kary, .name = "binary",
             .source = "k-ary tree with k = 2: ECO, section 4, Figure 1c",
             .operations = TREE_OPERATIONS, .arity = 2, .arity_most = 2, .segments = true,
             .candidate = {.first_cut = 4, .pipelines = true})
TREE_PLANNER(planner_kary, .name = "kary", .source = "k-ary tree: ECO, section 6",
             .operations = TREE_OPERATIONS, .arity = 3, .arity_most = 6, .segments = true)
TREE_PLANNER(planner_kary, .name = "chain", .source = "k-ary tree with k = 1, pipelined",
             .operations = TREE_OPERATIONS, .arity = 1, .arity_most = 1, .segments = true,
             .candidate = {.first_cut = 3, .pipelines = true})
TREE_PLANNER(planner_pipeline, .name = "pipeline",
             .source = "our own: tree with the shortest period for its segments, by local moves",
             .operations = WHOLES, .ranks_most = PIPELINE_RANKS_MOST, .pairs = true,
             .search = PIPELINE_SEARCH, .segments = true)
TREE_PLANNER(planner_star, .name = "star", .source = "k-ary tree with k = n - 1: ECO, section 7",
             .operations = TREE_OPERATIONS, .segments = true, .candidate = {.baseline = true})
TREE_PLANNER(planner_mst, .name = "mst",
             .source = "minimum spanning tree: ECO, section 4, Figure 1", OF_PAIRS,
             .candidate = {.baseline = true})
TREE_PLANNER(planner_eco, .name = "eco",
             .source = "subnet tree: ECO, sections 4.2 and 5, Figure 3d",
             .operations = TREE_OPERATIONS, .arity = 2, .arity_most = 4, .segments = true,
             .candidate = {.first = 9, .first_cut = 5, .likely = suits_groups, .pipelines = true})
TREE_PLANNER(planner_butterfly, .name = "butterfly",
             .source = "broadcast tree of a butterfly: ECO, section 6",
             .operations = TREE_OPERATIONS, .segments = true, .candidate = {.baseline = true})
TREE_PLANNER(planner_fnf, .name = "fnf",
             .source = "fastest node first: Banikazemi 1998; Bhat, section 4.3", OF_PAIRS,
             .candidate = {.baseline = true})
TREE_PLANNER(planner_fef, .name = "fef",
             .source = "fastest edge first: Bhat, section 4.3; Wu, section 4",
             .operations = TREE_OPERATIONS | MANY, .ranks_most = MATRIX_RANKS_MOST, .pairs = true,
             .segments = true, .candidate = {.cost = multicast_cost}, .multicast = multicast_fef)
TREE_PLANNER(planner_ecef, .name = "ecef",
             .source = "earliest completing edge first: Bhat, section 4.3; Wu's ECF", OF_PAIRS,
             .candidate = {.baseline = true})
TREE_PLANNER(planner_ecef_la, .name = "ecef_la",
             .source = "ECEF with look-ahead (min): Bhat, section 4.3", OF_PAIRS,
             .candidate = {.baseline = true})
TREE_PLANNER(planner_ecef_la_avg, .name = "ecef_la_avg",
             .source = "ECEF with look-ahead (mean from j): Bhat, section 4.3", OF_PAIRS,
             .candidate = {.baseline = true})
TREE_PLANNER(planner_ecef_la_avg_ab, .name = "ecef_la_avg_ab",
             .source = "ECEF with look-ahead (mean from A to B): Bhat, section 4.3", OF_PAIRS,
             .candidate = {.baseline = true})
TREE_PLANNER(planner_ecef_la_t, .name = "ecef_la_t", .source = "ECEF-LAt: Barchet, section 5.2",
             OF_PAIRS, .candidate = {.baseline = true})
TREE_PLANNER(planner_ecef_la_T, .name = "ecef_la_T", .source = "ECEF-LAT: Barchet, section 5.3",
             OF_PAIRS, .candidate = {.baseline = true})
TREE_PLANNER(planner_bottom_up, .name = "bottom_up", .source = "BottomUp: Barchet, section 5.4",
             OF_PAIRS)
TREE_PLANNER(planner_bottom_up_rt, .name = "bottom_up_rt",
             .source = "BottomUp with ready times: Barchet, section 5.4", OF_PAIRS)
TREE_PLANNER(planner_subnets_fef, .name = "subnets_fef",
             .source = "fef over subnets, ecef inside: Bhat, section 4.3",
             .operations = TREE_OPERATIONS, .segments = true,
             .candidate = {.suits = suits_subnets, .cost = groups_cost})
TREE_PLANNER(planner_subnets_ecef, .name = "subnets_ecef",
             .source = "ecef over subnets, ecef inside: Bhat, section 4.3", OVER_SUBNETS)
TREE_PLANNER(planner_subnets_ecef_la, .name = "subnets_ecef_la",
             .source = "ecef_la over subnets, ecef inside: Bhat, section 4.3", OVER_SUBNETS)
TREE_PLANNER(planner_subnets_ecef_la_t, .name = "subnets_ecef_la_t",
             .source = "ecef_la_t over subnets, ecef inside: Barchet, section 5.2", OVER_SUBNETS)
TREE_PLANNER(planner_subnets_ecef_la_T, .name = "subnets_ecef_la_T",
             .source = "ecef_la_T over subnets, ecef inside: Barchet, section 5.3", OVER_SUBNETS)
TREE_PLANNER(planner_subnets_bottom_up, .name = "subnets_bottom_up",
             .source = "bottom_up over subnets, ecef inside: Barchet, section 5.4", OVER_SUBNETS)
TREE_PLANNER(planner_mixed, .name = "mixed",
             .source = "ecef_la up to 10 subnets, ecef_la_T beyond: Barchet, section 6",
             OVER_SUBNETS)
TREE_PLANNER(
    planner_cast, .name = "cast",
    .source = "our own: ecef_la_T over subnets, one multicast inside; Apon and others 2000",
    .multicasts = true, .operations = OP_BIT(OP_BCAST) | OP_BIT(OP_BARRIER) | OP_BIT(OP_ALLREDUCE),
    .arity = 1, .arity_most = 2, .segments = true,
    .candidate = {.pipelines = true, .first = 1, .first_cut = 1})
TREE_PLANNER(planner_cast_relay, .name = "cast_relay",
             .source = "our own: one subnet forwards to all others, one multicast inside each",
             .multicasts = true, .operations = OP_BIT(OP_BCAST), .arity = 1, .arity_most = 8,
             .segments = true, .candidate = {.pipelines = true})
STEP_PLANNER(planner_cast_exchange, .name = "cast_exchange",
             .source = "our own: all multicast to all, or leaders of subnets; Apon and others 2000",
             .multicasts = true, .operations = OP_BIT(OP_BARRIER) | OP_BIT(OP_ALLREDUCE),
             .arity = 1, .arity_most = 2, .ranks_most = CASTS_RANKS_MOST, .candidate = {.first = 2})
STEP_PLANNER(
    planner_cast_allgather, .name = "cast_allgather",
    .source = "our own: each rank multicasts its part; agents multicast those of other subnets",
    .multicasts = true, .operations = GATHERS, .ranks_most = CASTS_RANKS_MOST,
    .candidate = {.first = 3})
STEP_PLANNER(planner_cast_shares, .name = "cast_shares",
             .source = "our own: shares, whose relays multicast", .multicasts = true, .eager = true,
             .operations = OP_BIT(OP_ALLREDUCE), .ranks_most = CAST_SHARES_RANKS_MOST,
             .segments = true, .candidate = {.suits = suits_long_blocks, .first = 4})
STEP_PLANNER(planner_scan_cast, .name = "scan_cast",
             .source = "our own: each rank multicasts to all later ranks, or those of its run",
             .multicasts = true, .operations = SCANS, .arity = 1, .arity_most = 2,
             .ranks_most = CASTS_RANKS_MOST, .segments = true,
             .candidate = {.pipelines = true, .first = 5})
TREE_PLANNER(planner_exact, .name = "exact",
             .source = "our own: branch and bound, up to 10 ranks that share only ports",
             .operations = TREE_OPERATIONS | MANY, .ranks_most = EXACT_RANKS_MOST,
             .search = TREE_SEARCH, .pairs = true, .segments = true,
             .candidate = {.baseline = true, .cost = multicast_cost}, .multicast = multicast_exact,
             .deliveries_most = EXACT_DELIVERIES_MOST)
TREE_PLANNER(planner_search, .name = "search",
             .source = "our own: simulated annealing from the best tree of all others",
             .operations = TREE_OPERATIONS | MANY, .ranks_most = SEARCH_RANKS_MOST,
             .search = TREE_SEARCH, .pairs = true, .segments = true,
             .candidate = {.cost = multicast_cost}, .multicast = multicast_search)
STEP_PLANNER(
    planner_forest, .name = "forest",
    .source = "our own: each segment along a tree of its own, by port prices; Beaumont 2005",
    .operations = OP_BIT(OP_BCAST) | OP_BIT(OP_REDUCE), .ranks_most = FOREST_RANKS_MOST,
    .search = FOREST_SEARCH, .segments = true,
    .candidate = {.suits = suits_forest, .pipelines = true})
STEP_PLANNER(planner_ring, .name = "ring",
             .source = "ring along the network: ECO, Figure 3c (topology_map.c)",
             .operations = GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_REDUCE_SCATTER))
STEP_PLANNER(planner_packing, .name = "packing",
             .source = "Beaumont and others 2005; Zhao and others, arXiv 2402.06787",
             .operations = GATHERS | WHOLES | OP_BIT(OP_REDUCE_SCATTER),
             .ranks_most = PACKING_RANKS_MOST, .eager = true,
             .candidate = {.suits = suits_packing, .cost = packing_cost, .bulk = true})
STEP_PLANNER(
    planner_relays, .name = "relays",
    .source = "our own: each block directly to its relay, then to all; Barnett and others 1994",
    .operations = GATHERS | WHOLES | OP_BIT(OP_REDUCE_SCATTER) | SCANS,
    .ranks_most = RELAYS_RANKS_MOST, .segments = true,
    .candidate = {.suits = suits_slow_connections,
                  .suits_cut = suits_cut_slow_connections,
                  .first = 11,
                  .first_cut = 6,
                  .likely = likely_relays,
                  .pieces = true})
STEP_PLANNER(planner_shares, .name = "shares",
             .source = "our own: relays, of which fast ones forward more blocks than slow ones",
             .operations = WHOLES, .ranks_most = RELAYS_RANKS_MOST, .segments = true,
             .candidate = {
                 .suits = suits_unequal, .first_cut = 2, .likely = likely_shares, .pieces = true})
STEP_PLANNER(planner_gossip, .name = "gossip",
             .source = "our own: each part is forwarded by the ranks where it arrives first",
             .operations = GATHERS, .arity = 1, .arity_most = GOSSIP_PIECES_MOST,
             .ranks_most = GOSSIP_RANKS_MOST,
             .candidate = {.suits = suits_unequal, .cost = gossip_cost})
STEP_PLANNER(planner_levels_direct, .name = "levels_direct",
             .source = "our own: rings in the smallest groups, direct messages between groups",
             .operations = GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_REDUCE_SCATTER),
             .ranks_most = NESTED_RANKS_MOST,
             .candidate = {.suits = suits_groups, .cost = groups_cost})
STEP_PLANNER(
    planner_levels_exchange, .name = "levels_exchange",
    .source = "our own: trees inside groups, whose heads exchange; Kielmann and others 1999",
    .operations = OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_BARRIER), .ranks_most = NESTED_RANKS_MOST,
    .pairs = true, .candidate = {.suits = suits_groups, .cost = groups_cost, .first = 10})
STEP_PLANNER(planner_levels_doubling, .name = "levels_doubling",
             .source = "our own: levels_exchange, with recursive doubling among the heads",
             .operations = OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_BARRIER),
             .ranks_most = NESTED_RANKS_MOST, .pairs = true,
             .candidate = {.suits = suits_groups, .cost = groups_cost})
STEP_PLANNER(
    planner_doubling, .name = "doubling",
    .source = "butterfly exchange: ECO, section 6; with a radix: Ruefenacht and others 2017",
    .operations = GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_BARRIER), .arity = 2,
    .arity_most = RADIX_MOST, .staged = true)
STEP_PLANNER(planner_dissemination, .name = "dissemination",
             .source = "Hensgen, Finkel and Manber 1988; with a radix: Hoefler and others 2006",
             .operations = OP_BIT(OP_BARRIER), .arity = 2, .arity_most = RADIX_MOST, .staged = true)
STEP_PLANNER(planner_halving, .name = "halving", .source = "recursive halving: Rabenseifner 2004",
             .operations = OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_REDUCE_SCATTER))
STEP_PLANNER(planner_scan_doubling, .name = "scan_doubling",
             .source = "Hillis and Steele 1986; with a radix: our own", .operations = SCANS,
             .arity = 2, .arity_most = RADIX_MOST, .staged = true)
STEP_PLANNER(
    planner_scan_ways, .name = "scan_ways",
    .source = "our own: runs of ranks; relays combine: 1: one, 2: one in each site, 3: all heads",
    .operations = SCANS, .arity = 1, .arity_most = 3, .ranks_most = SCAN_WAYS_RANKS_MOST,
    .segments = true, .candidate = {.pipelines = true})
STEP_PLANNER(planner_caterpillar, .name = "caterpillar",
             .source = "Bhat (total exchange), section 4.2", .operations = OP_BIT(OP_ALLTOALL),
             .candidate = {.baseline = true, .cost = exchange_cost_of})
/* These two are the fastest on many networks, so they are among the first that are tried. */
STEP_PLANNER(planner_direct, .name = "direct",
             .source = "all sends, then all receives, since sends do not wait",
             .operations = OP_BIT(OP_ALLTOALL), .ranks_most = EXCHANGE_RANKS_MOST,
             .candidate = {.cost = exchange_cost_of, .bulk = true})
STEP_PLANNER(planner_replies, .name = "replies",
             .source = "our own: one of each pair sends; the reply carries the acknowledgement",
             .operations = OP_BIT(OP_ALLTOALL), .ranks_most = EXCHANGE_RANKS_MOST,
             .candidate = {.suits = suits_bus, .cost = exchange_cost_of})
OTHER_PLANNER(.name = "max_matching", .source = "Bhat (total exchange), section 4.3",
              OF_EXCHANGES(MATCHING_RANKS_MOST, exchange_max_matching))
OTHER_PLANNER(.name = "min_matching", .source = "Bhat (total exchange), section 4.3",
              OF_EXCHANGES(MATCHING_RANKS_MOST, exchange_min_matching))
OTHER_PLANNER(.name = "greedy", .source = "Bhat (total exchange), section 4.4",
              OF_EXCHANGES(EXCHANGE_RANKS_MOST, exchange_greedy))
OTHER_PLANNER(.name = "open_shop", .source = "Bhat (total exchange), section 4.5",
              OF_EXCHANGES(EXCHANGE_RANKS_MOST, exchange_open_shop))
OTHER_PLANNER(.name = "exchange_search",
              .source = "our own: the best of all heuristics and of disturbed most_loaded",
              .search = EXCHANGE_SEARCH, OF_EXCHANGES(MATCHING_RANKS_MOST, exchange_search))
STEP_PLANNER(planner_detours, .name = "detours",
             .source = "our own: direct, or forwarded by others if faster; arXiv 2309.13541",
             .operations = OP_BIT(OP_ALLTOALL), .ranks_most = DETOURS_RANKS_MOST,
             .candidate = {.suits = suits_detours, .cost = detours_cost, .bulk = true})
STEP_PLANNER(planner_bruck, .name = "bruck",
             .source = "index operation in log_k n stages of k - 1 bundles: Bruck and others 1997",
             .operations = OP_BIT(OP_ALLTOALL), .arity = 2, .arity_most = RADIX_MOST,
             .staged = true, .ranks_most = EXCHANGE_RANKS_MOST)
OTHER_PLANNER(.name = "wrp", .source = "work racing with preemption: Wu, section 5",
              OF_MULTICASTS(multicast_wrp))
OTHER_PLANNER(.name = "wr", .source = "work racing: Wu, section 4.3", OF_MULTICASTS(multicast_wr))
OTHER_PLANNER(.name = "ecf",
              .source = "earliest completing first, of many messages: Wu, section 4.2",
              OF_MULTICASTS(multicast_ecf))
OTHER_PLANNER(.name = "ecf_preempt", .source = "our own: ECF with preemption",
              OF_MULTICASTS(multicast_ecf_preempt))
OTHER_PLANNER(.name = "wr_sum", .source = "our own: WR, virtual times as sums of R",
              OF_MULTICASTS(multicast_wr_sum))
OTHER_PLANNER(.name = "wrp_sum", .source = "our own: WRP, virtual times as sums of R",
              OF_MULTICASTS(multicast_wrp_sum))
STEP_PLANNER(planner_subnets_messages, .name = "subnets_messages",
             .source = "our own: each message by a tree over subnets, once into each",
             .operations = MANY, .segments = true,
             .candidate = {.suits = suits_subnets, .cost = groups_cost})
OTHER_PLANNER(.name = "reduce+bcast",
              .source = "two plans in sequence (compose.h); Thakur, Rabenseifner and Gropp 2005",
              .operations = OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_BARRIER) | OP_BIT(OP_REDUCE_SCATTER),
              .candidate = {.usual = usual_reduce_bcast}, COMPOSED(OP_REDUCE, OP_BCAST))
OTHER_PLANNER(.name = "reduce_scatter+allgather",
              .source = "two plans in sequence; Rabenseifner 2004",
              .operations = OP_BIT(OP_ALLREDUCE), .candidate = {.usual = usual_scattered},
              COMPOSED(OP_REDUCE_SCATTER, OP_ALLGATHER))
OTHER_PLANNER(.name = "scatter+allgather", .source = "two plans in sequence; van de Geijn 1994",
              .operations = OP_BIT(OP_BCAST),
              .candidate = {.baseline = true, .usual = usual_spread},
              COMPOSED(OP_SCATTER, OP_ALLGATHER))
OTHER_PLANNER(.name = "reduce_scatter+gather", .source = "two plans in sequence; Rabenseifner 2004",
              .operations = OP_BIT(OP_REDUCE), COMPOSED(OP_REDUCE_SCATTER, OP_GATHER))
OTHER_PLANNER(.name = "reduce+scatter", .source = "two plans in sequence",
              .operations = OP_BIT(OP_REDUCE_SCATTER), .candidate = {.usual = usual_middle},
              COMPOSED(OP_REDUCE, OP_SCATTER))
OTHER_PLANNER(.name = "gather+bcast", .source = "two plans in sequence",
              .operations = GATHERS | OP_BIT(OP_ALLTOALL),
              .candidate = {.usual = usual_gather_bcast}, COMPOSED(OP_GATHER, OP_BCAST))
OTHER_PLANNER(.name = "as_allgather", .source = "the needed part of an allgather (compose.h)",
              .operations = OP_BIT(OP_GATHER) | OP_BIT(OP_ALLTOALL),
              COMPOSED(OP_ALLGATHER, OP_COUNT))
OTHER_PLANNER(.name = "as_allreduce", .source = "the needed part of an allreduce",
              .operations = OP_BIT(OP_REDUCE) | OP_BIT(OP_REDUCE_SCATTER) | OP_BIT(OP_BCAST) |
                            OP_BIT(OP_GATHER) | OP_BIT(OP_ALLTOALL) | GATHERS,
              COMPOSED(OP_ALLREDUCE, OP_COUNT))
OTHER_PLANNER(.name = "as_reduce",
              .source = "a reduction to which each rank contributes its own part",
              .operations = OP_BIT(OP_GATHER), COMPOSED(OP_REDUCE, OP_COUNT))
OTHER_PLANNER(.name = "as_bcast", .source = "the needed part of a broadcast",
              .operations = OP_BIT(OP_SCATTER), COMPOSED(OP_BCAST, OP_COUNT))
OTHER_PLANNER(.name = "as_alltoall", .source = "a total exchange of equal parts for all receivers",
              .operations = GATHERS, .candidate = {.usual = usual_alltoall},
              COMPOSED(OP_ALLTOALL, OP_COUNT))
